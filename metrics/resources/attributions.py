"""Word attributions stored once for each classifier, text and column, and read from there."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Protocol, TypeVar

import numpy as np

from corpus.progress import ProgressCallback
from corpus.storage.write_turn import write_turn
from metrics.attribution.attribution import PIECE, Attribution
from metrics.attribution.classifier import Baseline, TransformerClassifier
from metrics.attribution.integrated_gradients import REVISION, TEXTS_AT_ONCE
from metrics.attribution.quadrature import Quadrature
from metrics.models import WordAttributions

Each = TypeVar("Each")
Key = tuple[str, int]
"""SHA-256 of a text, and a column."""


class _Attributor(Protocol):
    """See `metrics.resources.attributors.Attributor`."""

    @property
    def sha256(self) -> str: ...
    @property
    def key(self) -> str: ...

    def attributions(self, texts: Sequence[str], columns: Sequence[int]) -> list[Attribution]: ...


def stored_attributions(
    attributor: _Attributor,
    texts: Sequence[str],
    columns: Sequence[int],
    report: ProgressCallback | None = None,
) -> list[Attribution]:
    """Return the attributions of texts, each for one column; what is not stored is computed.

    What is computed is stored block by block, so that a crash loses one block at most. Hash of the
    model and method tell apart what must not be mixed.
    """
    model, method = attributor.sha256, attributor.key
    keys = [(_text_sha256(text), column) for text, column in zip(texts, columns, strict=True)]
    text_of = dict(zip(keys, texts, strict=True))
    known = _stored(model, method, list(text_of))
    missing = sorted(text_of.keys() - known.keys(), key=lambda key: (len(text_of[key]), key))
    for block in _parts(missing, TEXTS_AT_ONCE):
        found = attributor.attributions(
            [text_of[key] for key in block], [column for _, column in block]
        )
        rows = [_row(model, method, *pair) for pair in zip(block, found, strict=True)]
        with write_turn():
            # Another worker may have stored the same meanwhile.
            WordAttributions.objects.bulk_create(rows, ignore_conflicts=True)
        known |= zip(block, found, strict=True)
        if report:
            report("finding style words", len(known), len(text_of))
    return [known[key] for key in keys]


def gradients_method(baseline: Baseline, quadrature: Quadrature) -> str:
    """Name attributions by Integrated Gradients."""
    return f"integrated-gradients-{REVISION},{baseline},{quadrature}"


def model_sha256(classifier: TransformerClassifier) -> str:
    """Return one hash for all files of a classifier."""
    lines = (f"{name} {digest}\n" for name, digest in sorted(classifier.fingerprint().items()))
    return sha256("".join(lines).encode()).hexdigest()


def _text_sha256(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()


def _stored(model: str, method: str, keys: Sequence[Key]) -> dict[Key, Attribution]:
    found: dict[Key, Attribution] = {}
    for column in {column for _, column in keys}:
        of_model = WordAttributions.objects.filter(model_sha256=model, method=method, column=column)
        wanted = [text for text, each in keys if each == column]
        for block in _parts(wanted, TEXTS_AT_ONCE):
            for row in of_model.filter(text_sha256__in=block):
                found[row.text_sha256, column] = Attribution(
                    column=column,
                    pieces=np.frombuffer(row.pieces, dtype=PIECE),
                    logits=np.frombuffer(row.logits, dtype="<f8"),
                    baseline_logit=row.baseline_logit,
                    left_out=row.left_out,
                )
    return found


def _row(model: str, method: str, key: Key, found: Attribution) -> WordAttributions:
    return WordAttributions(
        model_sha256=model,
        method=method,
        column=key[1],
        text_sha256=key[0],
        pieces=found.pieces.tobytes(),
        logits=found.logits.astype("<f8").tobytes(),
        baseline_logit=found.baseline_logit,
        left_out=found.left_out,
    )


def _parts(items: Sequence[Each], size: int) -> Iterator[Sequence[Each]]:
    return (items[start : start + size] for start in range(0, len(items), size))
