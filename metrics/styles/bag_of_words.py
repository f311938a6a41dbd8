"""Bag of words with logistic regression: counts of words and of pairs of neighbouring words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from corpus.progress import ProgressCallback
from corpus.texts.masking import split_words
from metrics.scorers.scorer import Floats
from metrics.scorers.spec import Parameter
from metrics.styles.labelled import LabelledTexts, TrainingError
from metrics.styles.linear_head import LinearHead, fit_head
from metrics.styles.model import Settings, StyleModel

KIND = "bag-of-words"
TITLE = "bag of words + logistic regression"
PARAMETERS = (
    Parameter("longest", 2, "Longest sequence of neighbouring words.", minimum=1, maximum=5),
    Parameter("fewest", 2, "In how many texts a sequence must stand.", minimum=1, maximum=1000),
    Parameter(
        "weighting",
        "tf-idf",
        "Counts, or counts times inverse document frequency, each text of length one.",
        choices=("tf-idf", "counts"),
    ),
    Parameter(
        "strength",
        3.0,
        "How much the texts count against the penalty on large weights (C).",
        minimum=1e-4,
        maximum=1e4,
    ),
)
_VOCABULARY, _WEIGHTS = "vocabulary.json", "weights.npz"


class BagOfWords(StyleModel):
    """A vocabulary of word sequences and a linear head on it."""

    kind = KIND

    def __init__(
        self,
        styles: Sequence[str],
        settings: Settings,
        vocabulary: Sequence[str],
        scale: Floats,
        head: LinearHead,
    ) -> None:
        super().__init__(styles, settings)
        self.vocabulary = tuple(vocabulary)
        self.scale = scale
        self.head = head

    def predict(self, texts: Sequence[str], segments: Sequence[int] = ()) -> Floats:
        """Return texts × styles; see `StyleModel.predict`."""
        if not texts:
            return np.empty((0, len(self.styles)))
        vectorizer = _vectorizer(self.settings, self.vocabulary)
        if _is_weighted(self.settings):
            vectorizer.idf_ = self.scale
        return self.head.predict(vectorizer.transform(texts))

    def write(self, folder: Path) -> None:
        """Write vocabulary and weights."""
        (folder / _VOCABULARY).write_text(json.dumps(self.vocabulary), encoding="utf-8")
        np.savez(
            folder / _WEIGHTS,
            scale=self.scale,
            weights=self.head.weights,
            intercepts=self.head.intercepts,
        )

    @classmethod
    def read(cls, folder: Path, styles: Sequence[str], settings: Settings) -> BagOfWords:
        """Read vocabulary and weights."""
        vocabulary = json.loads((folder / _VOCABULARY).read_text(encoding="utf-8"))
        with np.load(folder / _WEIGHTS, allow_pickle=False) as arrays:
            head = LinearHead(arrays["weights"], arrays["intercepts"], len(styles) == 1)
            return cls(styles, settings, vocabulary, arrays["scale"], head)


def train(
    labelled: LabelledTexts, settings: Settings, seed: int, report: ProgressCallback
) -> BagOfWords:
    """Train on labelled texts; `seed` changes nothing, for the optimum is unique.

    Raises
    ------
    TrainingError
        If no word stands in enough texts.
    """
    report("counting words", 0, len(labelled))
    vectorizer = _vectorizer(settings)
    try:
        features = vectorizer.fit_transform(labelled.texts)
    except ValueError:
        raise TrainingError(
            f"no word occurs in {settings['fewest']} texts; give more texts or a smaller number"
        ) from None
    vocabulary = vectorizer.get_feature_names_out().tolist()
    scale = vectorizer.idf_ if _is_weighted(settings) else np.ones(len(vocabulary))
    report("fitting weights of words", 0, 0)
    head = fit_head(features, labelled, float(settings["strength"]))
    return BagOfWords(labelled.styles, settings, vocabulary, scale, head)


def _vectorizer(settings: Settings, vocabulary: Sequence[str] | None = None) -> Any:
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

    return (TfidfVectorizer if _is_weighted(settings) else CountVectorizer)(
        tokenizer=split_words,
        token_pattern=None,
        lowercase=False,
        ngram_range=(1, int(settings["longest"])),
        min_df=1 if vocabulary is not None else int(settings["fewest"]),
        vocabulary=vocabulary,
        dtype=np.float64,
    )


def _is_weighted(settings: Settings) -> bool:
    return settings["weighting"] == "tf-idf"
