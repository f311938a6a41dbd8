"""How words are attributed by a style model, each text once: by its gradients, or by occlusion.

Models fine-tuned here are attributed by Integrated Gradients unless occlusion is asked for. Every
other classifier with probabilities is by occlusion; one that somebody else trained may be by
gradients too if each of its classes is one style.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from corpus.progress import ProgressCallback
from corpus.storage.write_turn import write_turn
from metrics.attribution import integrated_gradients as gradients
from metrics.attribution import occlusion
from metrics.attribution.attribution import PIECE, Attribution
from metrics.attribution.classifier import Baseline, TransformerClassifier
from metrics.attribution.integrated_gradients import TEXTS_AT_ONCE, Quadrature
from metrics.attribution.masking import MaskingRule
from metrics.models import TrainedModel, WordAttributions
from metrics.resources.loaders import TrainedThing
from metrics.scorers.scorer import Classifier
from metrics.styles.transformer import ReadyMade, Transformer
from metrics.weights import local

Each = TypeVar("Each")
Key = tuple[str, int]
"""SHA-256 of a text, and a column."""


def stored_attributions(
    attributor: "Attributor",
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


AUTOMATIC, GRADIENTS, OCCLUSION = "automatic", "integrated-gradients", "occlusion"
METHODS = (AUTOMATIC, GRADIENTS, OCCLUSION)
KEEP_SPECIAL: Baseline = "keep-special"
NEEDS_PIECES = (
    "occlusion leaves out whole words: single word pieces, ranked special tokens and the baseline "
    "pad-all (as in report-2022) are of integrated-gradients"
)


@dataclass(frozen=True)
class Attributor:
    """A way to attribute words.

    Attributes
    ----------
    sha256
        Hash of the classifier.
    styles
        Names of its columns.
    key
        Names the method, its settings and revision: what tells apart stored attributions.
    parts
        What a signature says of the method.
    revision
        Of the method.
    attributions
        Returns the attributions of texts, each for one column.
    knows_pieces
        Whether word pieces and special tokens have attributions of their own.
    """

    sha256: str
    styles: tuple[str, ...]
    key: str
    parts: tuple[str, ...]
    revision: int
    attributions: Callable[[Sequence[str], Sequence[int]], list[Attribution]]
    knows_pieces: bool = True


def by_gradients(
    classifier: TransformerClassifier,
    sha256: str,
    styles: tuple[str, ...],
    baseline: Baseline = KEEP_SPECIAL,
) -> Attributor:
    """Return Integrated Gradients of a transformer."""
    return Attributor(
        sha256,
        styles,
        f"{GRADIENTS}-{gradients.REVISION},{baseline},{Quadrature()}",
        (f"baseline:{baseline}",),
        gradients.REVISION,
        partial(gradients.integrated_gradients, classifier, baseline=baseline),
    )


def by_occlusion(classifier: Classifier, sha256: str) -> Attributor:
    """Return occlusion of single words."""
    return Attributor(
        sha256,
        classifier.styles,
        f"{OCCLUSION}-{occlusion.REVISION}",
        (f"method:{OCCLUSION}",),
        occlusion.REVISION,
        partial(occlusion.occlusion, classifier),
        knows_pieces=False,
    )


def attributor(
    thing: TrainedThing, method: str = AUTOMATIC, baseline: Baseline = KEEP_SPECIAL
) -> Attributor:
    """Return what attributes words by a trained model.

    Raises
    ------
    ValueError
        If the model cannot be attributed like this; the message says what to choose.
    Unavailable
        If the model is not on this machine.
    """
    model: Any = thing.model
    folder = getattr(model, "folder", None)
    if folder is None or getattr(model, "is_cross_fitted", False):
        raise ValueError(
            f"{thing.name} has no attributions: they are of one classifier, not of one a fold; "
            "name or train such a one"
        )
    if local.is_model(folder) and method != OCCLUSION:
        sha256 = model_sha256(TransformerClassifier(folder))
        classifier = loaded_classifier(folder, sha256)
        return by_gradients(classifier, sha256, classifier.styles, baseline)
    [trained] = model.models
    if method == GRADIENTS:
        if not isinstance(trained, ReadyMade) or len(trained.classes) > len(trained.styles):
            raise ValueError(
                f"{thing.name}: integrated-gradients are of a transformer each of whose classes "
                f"is one style; choose the method {OCCLUSION}"
            )
        classifier = loaded_classifier(local.folder(str(trained.settings["model"])), thing.sha256)
        return by_gradients(classifier, thing.sha256, trained.classes, baseline)
    if trained.is_graded:
        raise ValueError(f"{thing.name} grades one style and has no probabilities to attribute")
    return by_occlusion(trained, thing.sha256)


def check_rule(attributor: Attributor, rule: MaskingRule, baseline: Baseline) -> None:
    """Raise `ValueError` if a method cannot do what is asked of it."""
    whole_words = rule.merge_words and not rule.rank_special and baseline == KEEP_SPECIAL
    if not (attributor.knows_pieces or whole_words):
        raise ValueError(NEEDS_PIECES)


def is_fine_tuned(model: TrainedModel) -> bool:
    """Whether a model is one transformer that was fine-tuned here, not one a fold."""
    return model.kind == Transformer.kind and not model.settings.get("folds")


def is_attributable(model: TrainedModel) -> bool:
    """Whether words can be attributed: by gradients, or by the probabilities of one classifier."""
    return is_fine_tuned(model) or not (model.is_graded or model.settings.get("folds"))


def usual_model(models: Iterable[TrainedModel]) -> TrainedModel | None:
    """Return the model that attributes where none is named: the first fine-tuned one, or any."""
    possible = [model for model in models if is_attributable(model)]
    return next(filter(is_fine_tuned, possible), next(iter(possible), None))


@lru_cache(maxsize=2)
def loaded_classifier(folder: Path, sha256: str) -> TransformerClassifier:
    """Keep a classifier loaded for the many runs of a sweep; another hash is another one."""
    return TransformerClassifier(folder)
