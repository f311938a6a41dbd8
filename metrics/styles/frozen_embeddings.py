"""Sentence embeddings, left as they are, with logistic regression; ridge regression for grades."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from corpus.progress import ProgressCallback
from metrics.encoders.sentence import SentenceEncoder, sentence_encoder
from metrics.scorers.scorer import Floats, Unavailable
from metrics.scorers.spec import Parameter
from metrics.styles.labelled import LabelledTexts
from metrics.styles.linear_head import LinearHead, fit_head
from metrics.styles.model import Settings, StyleModel
from metrics.weights import local, minilm
from metrics.weights.files import fingerprint
from metrics.weights.registered import MODELS

KIND = "embeddings"
TITLE = "sentence embeddings + logistic regression"
PARAMETERS = (
    Parameter(
        "model",
        minilm.NAME,
        "The encoder: minilm, or a model that the administrator lists.",
        listed=MODELS,
    ),
    Parameter(
        "strength",
        1.0,
        "How much the texts count against the penalty on large weights (C; of grades 1/alpha).",
        minimum=1e-4,
        maximum=1e4,
    ),
)
ENCODED_TOGETHER = 1024
_ENCODER, _WEIGHTS = "encoder.json", "weights.npz"


class FrozenEmbeddings(StyleModel):
    """A linear head on the embeddings of an encoder, which is named and not stored."""

    kind = KIND

    def __init__(
        self, styles: Sequence[str], settings: Settings, head: LinearHead, encoder: SentenceEncoder
    ) -> None:
        super().__init__(styles, settings)
        self.head = head
        self.encoder = encoder

    def predict(self, texts: Sequence[str], segments: Sequence[int] = ()) -> Floats:
        """Return texts × styles; see `StyleModel.predict`."""
        if not texts:
            return np.empty((0, len(self.styles)))
        return self.head.predict(np.asarray(self.encoder.encode(texts), dtype=np.float64))

    def write(self, folder: Path) -> None:
        """Write the weights, and which encoder they belong to."""
        files = fingerprint(local.files(str(self.settings["model"])))
        (folder / _ENCODER).write_text(json.dumps(files), encoding="utf-8")
        np.savez(folder / _WEIGHTS, weights=self.head.weights, intercepts=self.head.intercepts)

    @classmethod
    def read(cls, folder: Path, styles: Sequence[str], settings: Settings) -> FrozenEmbeddings:
        """Read the weights.

        Raises
        ------
        Unavailable
            If the encoder is not on this machine, or is another than in training.
        """
        name = str(settings["model"])
        trained_on = json.loads((folder / _ENCODER).read_text(encoding="utf-8"))
        if fingerprint(local.files(name)) != trained_on:
            raise Unavailable(
                f"the encoder {name!r} has other files than when this model was trained: install "
                "that version again, or train the model anew"
            )
        with np.load(folder / _WEIGHTS, allow_pickle=False) as arrays:
            head = LinearHead(arrays["weights"], arrays["intercepts"], len(styles) == 1)
        return cls(styles, settings, head, sentence_encoder(name))


def train(
    labelled: LabelledTexts, settings: Settings, seed: int, report: ProgressCallback
) -> FrozenEmbeddings:
    """Train on labelled texts; `seed` changes nothing, for the optimum is unique.

    Raises
    ------
    Unavailable
        If the encoder is not on this machine.
    """
    encoder = sentence_encoder(str(settings["model"]))
    parts = []
    for start in range(0, len(labelled), ENCODED_TOGETHER):
        report("embedding texts", start, len(labelled))
        parts.append(encoder.encode(labelled.texts[start : start + ENCODED_TOGETHER]))
    report("fitting weights of embeddings", 0, 0)
    features = np.asarray(np.concatenate(parts), dtype=np.float64)
    head = fit_head(features, labelled, float(settings["strength"]))
    return FrozenEmbeddings(labelled.styles, settings, head, encoder)
