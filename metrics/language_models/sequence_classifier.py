"""Classifiers of whole texts by transformers, from local weights."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from metrics.language_models.batching import padded_batches
from metrics.scorers.scorer import Floats, Unavailable
from metrics.scorers.spec import Parameter
from metrics.weights import local
from metrics.weights.files import fingerprint
from metrics.weights.loading import pretrained
from metrics.weights.registered import MODELS

MODEL = Parameter("model", "", "A sequence classifier that the administrator lists.", listed=MODELS)
MOST_TOKENS = 512


class SequenceClassifier:
    """A sequence classifier of transformers, in float32.

    Parameters
    ----------
    model, tokenizer
        Of transformers.

    Attributes
    ----------
    labels
        Names of the classes.
    limit
        Most tokens of a text, special ones included; None if the model has no limit.
    """

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self.model = model.eval()
        self.tokenizer = tokenizer
        config = model.config
        self.labels = tuple(str(config.id2label[number]) for number in range(config.num_labels))
        self.limit: int | None = _limit(config, tokenizer)

    def predict(self, texts: Sequence[str], *, cut: bool = False) -> Floats:
        """Return the distribution over the classes, texts × classes; equal texts asked once.

        A text that is longer than the model's limit has none: its row is NaN. With `cut` the
        model reads as much of it as it takes.
        """
        import torch

        different = list(dict.fromkeys(texts))
        tokens = [self._tokens(text, cut=cut) for text in different]
        rows = [row for row, ids in enumerate(tokens) if not self.limit or len(ids) <= self.limit]
        found = np.full((len(different), len(self.labels)), np.nan)
        sequences, padding = [tokens[row] for row in rows], self.tokenizer.pad_token_id or 0
        with torch.inference_mode():
            for batch, ids, mask in padded_batches(
                sequences, padding, self.limit, tokens=MOST_TOKENS
            ):
                logits = self.model(input_ids=ids, attention_mask=mask).logits.double()
                found[[rows[place] for place in batch]] = torch.softmax(logits, dim=1).numpy()
        place = {text: row for row, text in enumerate(different)}
        return found[[place[text] for text in texts]]

    def _tokens(self, text: str, *, cut: bool) -> list[int]:
        options = {"truncation": True, "max_length": self.limit} if cut and self.limit else {}
        found: list[int] = self.tokenizer(text, verbose=False, **options)["input_ids"]
        return found


def load(name: str) -> SequenceClassifier:
    """Load a classifier by a name that the administrator lists; the last one is kept.

    Raises
    ------
    Unavailable
        If the model is not on this machine, or is no sequence classifier.
    """
    return _load(name, tuple(fingerprint(local.files(name)).items()))


@lru_cache(maxsize=1)
def _load(name: str, files: tuple[tuple[str, str], ...]) -> SequenceClassifier:
    import torch

    (model, found), tokenizer = pretrained(
        *("AutoModelForSequenceClassification", local.folder(name), name, "a classifier"),
        dtype=torch.float32,
        output_loading_info=True,
    )
    # transformers would give such a model a classifier of random weights.
    if found["missing_keys"]:
        raise Unavailable(
            f"model {name!r} is no classifier: it has no weights for "
            f"{', '.join(sorted(found['missing_keys'])[:3])}"
        )
    if model.config.num_labels < 2:
        raise Unavailable(f"model {name!r} is a regressor, and a classifier is needed")
    return SequenceClassifier(model, tokenizer)


def _limit(config: Any, tokenizer: Any) -> int | None:
    """Return the fewer of the model's positions and the tokenizer's, which may be 'no limit'."""
    positions = getattr(config, "max_position_embeddings", None)
    # Of RoBERTa and its like, the first positions are those of padding.
    if positions and getattr(config, "model_type", "") in ("roberta", "xlm-roberta", "camembert"):
        positions -= config.pad_token_id + 1
    limits = [each for each in (positions, tokenizer.model_max_length) if each and each < 10**9]
    return int(min(limits)) if limits else None
