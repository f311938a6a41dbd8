"""Linear models of style: on counts of words, and on sentence embeddings left as they are."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from corpus.progress import ProgressCallback
from corpus.texts.masking import split_words
from metrics.encoders.sentence import MODEL, SentenceEncoder, sentence_encoder
from metrics.scorers.scorer import Floats, Unavailable
from metrics.scorers.spec import Parameter
from metrics.styles.labelled import LabelledTexts, TrainingError
from metrics.styles.model import Settings, StyleModel
from metrics.weights import local
from metrics.weights.files import fingerprint


def row_products(rows: npt.ArrayLike, weights: npt.ArrayLike) -> Floats:
    """Return the sum of each row's numbers, weighted.

    Unlike `rows @ weights.T`: BLAS takes rows some at a time, and how it adds the numbers of one up
    depends on its place and on the processor, so that equal rows differ in their last digits.

    Parameters
    ----------
    rows : array_like, shape (rows, numbers)
    weights : array_like, shape (functions, numbers)

    Returns
    -------
    ndarray, shape (rows, functions)

    Examples
    --------
    >>> row_products([[1.0, 2.0], [3.0, 4.0]], [[1.0, 10.0]]).tolist()
    [[21.0], [43.0]]
    """
    values = np.ascontiguousarray(rows, dtype=np.float64)
    functions = np.ascontiguousarray(weights, dtype=np.float64)
    products = np.empty((len(values), len(functions)))
    for column, function in enumerate(functions):
        products[:, column] = (values * function).sum(axis=1)
    return products


ITERATIONS = 1000


@dataclass(frozen=True)
class LinearHead:
    """Linear functions of features.

    Attributes
    ----------
    weights : ndarray, shape (functions, features)
        One function for two styles and for grades, else one a style.
    intercepts : ndarray, shape (functions,)
    is_graded
        Whether values are taken as they are, instead of as logits.
    """

    weights: Floats
    intercepts: Floats
    is_graded: bool

    def predict(self, features: Any) -> Floats:
        """Return texts × styles from features, texts × features, dense or sparse."""
        from scipy.sparse import issparse
        from scipy.special import softmax

        if issparse(features):
            products = np.asarray(features @ self.weights.T, dtype=np.float64)
        else:
            products = row_products(features, self.weights)
        values = products + self.intercepts
        if self.is_graded:
            return values
        if values.shape[1] == 1:
            values = np.hstack([np.zeros_like(values), values])
        return np.asarray(softmax(values, axis=1), dtype=np.float64)


def fit_head(features: Any, labelled: LabelledTexts, strength: float) -> LinearHead:
    """Fit a head to features.

    Logistic regression with an L2 penalty (multinomial for more than two styles), or ridge
    regression where the texts are graded.

    Parameters
    ----------
    features : array_like or sparse matrix, shape (texts, features)
    labelled
        The same texts with their styles or grades.
    strength
        How much the texts count against the penalty (scikit-learn's C; of ridge 1/alpha).
    """
    from sklearn.linear_model import LogisticRegression, Ridge

    if labelled.is_graded:
        ridge = Ridge(alpha=1 / strength).fit(features, labelled.targets)
        weights = np.atleast_2d(np.asarray(ridge.coef_, dtype=np.float64))
        return LinearHead(weights, np.atleast_1d(np.float64(ridge.intercept_)), is_graded=True)
    fitted = LogisticRegression(C=strength, max_iter=ITERATIONS).fit(features, labelled.columns)
    return LinearHead(
        np.asarray(fitted.coef_, dtype=np.float64),
        np.asarray(fitted.intercept_, dtype=np.float64),
        is_graded=False,
    )


_VOCABULARY, _WEIGHTS = "vocabulary.json", "weights.npz"


class BagOfWords(StyleModel):
    """A vocabulary of word sequences and a linear head on it."""

    kind = "bag-of-words"
    title = "bag of words + logistic regression"
    parameters = (
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

    @classmethod
    def train(
        cls, labelled: LabelledTexts, settings: Settings, seed: int, report: ProgressCallback
    ) -> "BagOfWords":
        """Train on labelled texts; `seed` changes nothing, for the optimum is unique."""
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

    def values(self, texts: Sequence[str]) -> Floats:
        """See `StyleModel.values`."""
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
    def read(cls, folder: Path, styles: Sequence[str], settings: Settings) -> "BagOfWords":
        """Read vocabulary and weights."""
        vocabulary = json.loads((folder / _VOCABULARY).read_text(encoding="utf-8"))
        with np.load(folder / _WEIGHTS, allow_pickle=False) as arrays:
            head = LinearHead(arrays["weights"], arrays["intercepts"], len(styles) == 1)
            return cls(styles, settings, vocabulary, arrays["scale"], head)


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


ENCODED_TOGETHER = 1024
_ENCODER, _WEIGHTS = "encoder.json", "weights.npz"


class FrozenEmbeddings(StyleModel):
    """A linear head on the embeddings of an encoder, which is named and not stored."""

    kind = "embeddings"
    title = "sentence embeddings + logistic regression"
    parameters = (
        MODEL,
        Parameter(
            "strength",
            1.0,
            "How much the texts count against the penalty on large weights (C; of grades 1/alpha).",
            minimum=1e-4,
            maximum=1e4,
        ),
    )
    most = 20_000

    def __init__(
        self, styles: Sequence[str], settings: Settings, head: LinearHead, encoder: SentenceEncoder
    ) -> None:
        super().__init__(styles, settings)
        self.head = head
        self.encoder = encoder

    @classmethod
    def train(
        cls, labelled: LabelledTexts, settings: Settings, seed: int, report: ProgressCallback
    ) -> "FrozenEmbeddings":
        """Train on labelled texts; `seed` changes nothing, for the optimum is unique."""
        encoder = sentence_encoder(str(settings["model"]))
        parts = []
        for start in range(0, len(labelled), ENCODED_TOGETHER):
            report("embedding texts", start, len(labelled))
            parts.append(encoder.encode(labelled.texts[start : start + ENCODED_TOGETHER]))
        report("fitting weights of embeddings", 0, 0)
        features = np.asarray(np.concatenate(parts), dtype=np.float64)
        head = fit_head(features, labelled, float(settings["strength"]))
        return FrozenEmbeddings(labelled.styles, settings, head, encoder)

    def values(self, texts: Sequence[str]) -> Floats:
        """See `StyleModel.values`."""
        return self.head.predict(np.asarray(self.encoder.encode(texts), dtype=np.float64))

    def write(self, folder: Path) -> None:
        """Write the weights, and which encoder they belong to."""
        files = fingerprint(local.files(str(self.settings["model"])))
        (folder / _ENCODER).write_text(json.dumps(files), encoding="utf-8")
        np.savez(folder / _WEIGHTS, weights=self.head.weights, intercepts=self.head.intercepts)

    @classmethod
    def read(cls, folder: Path, styles: Sequence[str], settings: Settings) -> "FrozenEmbeddings":
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
