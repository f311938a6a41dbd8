"""Metrics on word vectors without context: averages, extremes, greedy matches, word movers."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from metrics.encoders.words import TOKENISATION, WordVectors, vector_files, word_vectors
from metrics.scorers.comparing import Read, ReadTogetherScorer, bounded, over_references
from metrics.scorers.scorer import Floats
from metrics.scorers.spec import Comparison, Library, MetricSpec, Parameter, WordsBy
from metrics.weights import glove
from metrics.weights.files import fingerprint
from metrics.weights.registered import WORD_VECTORS

COMPARISONS: tuple[Comparison, ...] = ("source", "references", "reference")
VECTORS = Parameter(
    "vectors",
    glove.NAME,
    "Word vectors: glove (6B, 50 dimensions), or vectors that the administrator lists.",
    listed=WORD_VECTORS,
)
WORDS = f"Words and their vectors: GloVe 6B, 50 dimensions, or a file of your own. {TOKENISATION}"
DISTRUST = (
    "GloVe's vectors know English of the years to 2014; words without a vector are as if absent, "
    "and a text that has none else is undefined. Antonyms such as good and bad are close: mask "
    "style words, or a change of sentiment goes unseen. "
)
_similarity = partial(
    MetricSpec,
    edge_cases=("undefined", "undefined", "undefined", "1", "1"),
    aspect="content",
    orientation="higher",
    comparisons=COMPARISONS,
    parameters=(VECTORS, over_references("max", "mean")),
    weights=(glove.NAME,),
    is_default=True,
)
Places: TypeAlias = npt.NDArray[np.int64]
_WORDS_TOGETHER = 1_024
"""Words of one text that are matched at a time: a long text takes memory in proportion."""


class WordVectorScorer(ReadTogetherScorer[Read]):
    """A metric on the vectors of a text's words."""

    @property
    def words_by(self) -> WordsBy:
        """English, unless the administrator's vectors are chosen."""
        return "English" if self.parameters["vectors"] == glove.NAME else "spaces"

    def fault(self, text: str) -> str:
        """Return that none of its words is known."""
        return "no word with a vector"

    def fingerprint(self) -> dict[str, str]:
        """Return the hashes of the vectors."""
        return fingerprint(vector_files(str(self.parameters["vectors"])))

    @cached_property
    def vectors(self) -> WordVectors:
        """The vectors; raises `Unavailable`."""
        return word_vectors(str(self.parameters["vectors"]), self.resources.cache)


class _OneVector(WordVectorScorer[Floats]):
    """The cosine of one vector of each text."""

    @abstractmethod
    def of_words(self, words: Floats) -> Floats:
        """Return a text's vector, of the vectors of its words."""

    def read(self, texts: Sequence[str]) -> Mapping[str, Floats]:
        """Return the vector of each text that has known words."""
        vectors = self.vectors
        places = {text: vectors.places(text) for text in texts}
        return {text: self.of_words(vectors.at(at)) for text, at in places.items() if at.size}

    def pair(self, output: Floats, compared: Floats) -> Sequence[float]:
        """Return the cosine of two vectors."""
        return (bounded(float(unit(output) @ unit(compared))),)


class EmbeddingAverage(_OneVector):
    """How similar the average word vectors of two texts are.

    Formula
    -------
    Cosine of the mean word vectors of the two texts. {WORDS}

    Range
    -----
    −1 to 1; mostly above 0.7, for frequent words lie close together

    Distrust
    --------
    {DISTRUST}Word order makes no difference, and function words outweigh content.

    Citation
    --------
    Foltz et al. 1998; as a metric Liu et al. 2016.
    """

    spec = _similarity(
        key="embedding-average",
        title="Embedding average",
    )

    def of_words(self, words: Floats) -> Floats:
        """Return the average."""
        return np.asarray(words.mean(axis=0))


class VectorExtrema(_OneVector):
    """How similar two texts are in the most extreme values of their word vectors.

    Formula
    -------
    Cosine of two vectors that hold, in each dimension, the value of the text's words that is
    farthest from 0, the positive one of two as far. {WORDS}

    Range
    -----
    −1 to 1; mostly above 0

    Distrust
    --------
    {DISTRUST}Word order makes no difference. Long texts come ever closer to each other.

    Citation
    --------
    Forgues et al. 2014; as a metric Liu et al. 2016.
    """

    spec = _similarity(
        key="vector-extrema",
        title="Vector extrema",
    )

    def of_words(self, words: Floats) -> Floats:
        """Return the value farthest from 0 of each dimension."""
        highest, lowest = words.max(axis=0), words.min(axis=0)
        return np.asarray(np.where(highest >= -lowest, highest, lowest))


class GreedyMatching(WordVectorScorer[Places]):
    """How well each word of one text is matched by its nearest word in the other, by word vectors.

    Formula
    -------
    For each word of one text the highest cosine with a word of the other; the mean over its words;
    the mean of both directions. {WORDS}

    Range
    -----
    −1 to 1; mostly above 0.5

    Distrust
    --------
    {DISTRUST}A word may be matched many times, so what is missing is seen less than with Word
    Mover's Distance.

    Citation
    --------
    Rus and Lintean 2012; as a metric Liu et al. 2016.
    """

    spec = _similarity(
        key="greedy-matching",
        title="Greedy matching",
    )

    def read(self, texts: Sequence[str]) -> Mapping[str, Places]:
        """Return the words of each text that has known ones."""
        places = {text: self.vectors.places(text) for text in texts}
        return {text: at for text, at in places.items() if at.size}

    def pair(self, output: Places, compared: Places) -> Sequence[float]:
        """Return the mean of the two directions."""
        first, second = unit(self.vectors.at(output)), unit(self.vectors.at(compared))
        there, back = 0.0, np.full(len(second), -np.inf)
        for start in range(0, len(first), _WORDS_TOGETHER):
            similarity = first[start : start + _WORDS_TOGETHER] @ second.T
            there += float(similarity.max(axis=1).sum())
            back = np.maximum(back, similarity.max(axis=0))
        return (bounded((there / len(first) + float(back.mean())) / 2),)


def unit(vectors: Floats) -> Floats:
    """Return vectors of unit length; zeros stay zeros."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled = np.zeros_like(vectors)
    np.divide(vectors, lengths, out=scaled, where=lengths > 0)
    return scaled


MOST_WORDS = 2_000
"""Different words of a text; two such texts take two seconds, and time grows with their cube."""
_MOST_STEPS = 10_000_000


class Bag(NamedTuple):
    """Different words of a text.

    Attributes
    ----------
    places : ndarray of int, shape (words,)
        Their rows among the vectors, rising.
    shares : ndarray, shape (words,)
        How often each occurs; they sum to 1.
    """

    places: npt.NDArray[np.int64]
    shares: Floats


class WordMoversDistance(WordVectorScorer[Bag]):
    """How far the words of one text must move, in a space of word meanings, to become those of the
    other.

    Formula
    -------
    Least Σ T(i, j) · |v(i) − v(j)| over all ways T to move the words of one text, each weighing its
    share of the text, onto those of the other; v are word vectors, of unit length where normalised.
    Solved exactly. {WORDS}

    Range
    -----
    0 to 2 with normalised vectors; above 0 otherwise

    Distrust
    --------
    {DISTRUST}Word order makes no difference. No stop words are removed. Texts of more than
    {MOST_WORDS:,} different words are undefined.

    Citation
    --------
    Kusner et al. 2015; for style transfer, on masked texts, Mir et al. 2019.
    """

    spec = MetricSpec(
        key="wmd",
        edge_cases=("undefined", "undefined", "undefined", "0", "0"),
        title="Word Mover's Distance",
        aspect="content",
        orientation="lower",
        comparisons=COMPARISONS,
        parameters=(
            VECTORS,
            Parameter(
                "normalise",
                True,
                "Whether word vectors are divided by their length, so that rare words weigh no "
                "more for being rare.",
            ),
            over_references("min", "mean"),
        ),
        libraries=(Library("POT", "neural"),),
        weights=(glove.NAME,),
        is_default=True,
    )

    def read(self, texts: Sequence[str]) -> Mapping[str, Bag]:
        """Return the bag of each text that has words with vectors, and not too many."""
        bags = {}
        for text in texts:
            places, counts = np.unique(self.vectors.places(text), return_counts=True)
            if 0 < places.size <= MOST_WORDS:
                bags[text] = Bag(places, counts / counts.sum())
        return bags

    def fault(self, text: str) -> str:
        """Return that it has too many words, or none."""
        if self.vectors.places(text).size:
            return f"more than {MOST_WORDS:,} different words"
        return super().fault(text)

    def pair(self, output: Bag, compared: Bag) -> Sequence[float]:
        """Return the distance."""
        places = np.union1d(output.places, compared.places)
        surplus = np.zeros(places.size)
        surplus[np.searchsorted(places, output.places)] += output.shares
        surplus[np.searchsorted(places, compared.places)] -= compared.shares
        # What both texts have stays where it is: no way is shorter, for distances are a metric.
        sent, wanted = surplus > _ROUNDING, surplus < -_ROUNDING
        if not (sent.any() and wanted.any()):
            return (0.0,)
        costs = distances(self._vectors_at(places[sent]), self._vectors_at(places[wanted]))
        return (earth_movers_distance(surplus[sent], -surplus[wanted], costs),)

    def _vectors_at(self, places: npt.NDArray[np.int64]) -> Floats:
        vectors = self.vectors.at(places)
        return unit(vectors) if self.parameters["normalise"] else vectors


_ROUNDING = 1e-12
"""Differences of shares below this come from dividing."""


def distances(first: Floats, second: Floats) -> Floats:
    """Return Euclidean distances, shape (first, second)."""
    from scipy.spatial.distance import cdist

    return np.asarray(cdist(first, second))


def earth_movers_distance(sent: Floats, wanted: Floats, costs: Floats) -> float:
    """Return the least cost to move masses of equal sum, which need not be 1."""
    import ot

    total = sent.sum()
    solver: Any = ot.emd2
    moved = solver(sent / total, wanted / wanted.sum(), costs, numItermax=_MOST_STEPS)
    return float(total * moved)


SCORERS = (WordMoversDistance, EmbeddingAverage, VectorExtrema, GreedyMatching)
