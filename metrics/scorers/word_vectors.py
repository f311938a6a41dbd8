"""Metrics on word vectors without context: averages, extremes, greedy matches."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from metrics.encoders.words import TOKENISATION, WordVectors, vector_files, word_vectors
from metrics.scorers.each_reference import over_references
from metrics.scorers.read_together import Read, ReadTogetherScorer, bounded
from metrics.scorers.scorer import Floats
from metrics.scorers.spec import Comparison, MetricSpec, Parameter, WordsBy
from metrics.weights import glove
from metrics.weights.hashing import fingerprint
from metrics.weights.registered import WORD_VECTORS

COMPARISONS: tuple[Comparison, ...] = ("source", "references", "reference")
VECTORS = Parameter(
    "vectors",
    glove.NAME,
    "Word vectors: glove (6B, 50 dimensions), or vectors that the administrator lists.",
    listed=WORD_VECTORS,
)
PARAMETERS = (VECTORS, over_references("max", "mean"))
WORDS = f"Words and their vectors: GloVe 6B, 50 dimensions, or a file of your own. {TOKENISATION}"
DISTRUST = (
    "GloVe's vectors know English of the years to 2014; words without a vector are as if absent, "
    "and a text that has none else is undefined. Antonyms such as good and bad are close: mask "
    "style words, or a change of sentiment goes unseen. "
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
    """Cosine of the averages."""

    spec = MetricSpec(
        key="embedding-average",
        edge_cases=("undefined", "undefined", "undefined", "1", "1"),
        title="Embedding average",
        summary="How similar the average word vectors of two texts are.",
        aspect="content",
        orientation="higher",
        formula=f"Cosine of the mean word vectors of the two texts. {WORDS}",
        range="−1 to 1; mostly above 0.7, for frequent words lie close together",
        distrust=f"{DISTRUST}Word order makes no difference, and function words outweigh content.",
        citation="Foltz et al. 1998; as a metric Liu et al. 2016.",
        comparisons=COMPARISONS,
        parameters=PARAMETERS,
        weights=(glove.NAME,),
        is_default=True,
    )

    def of_words(self, words: Floats) -> Floats:
        """Return the average."""
        return np.asarray(words.mean(axis=0))


class VectorExtrema(_OneVector):
    """Cosine of the vectors of extremes."""

    spec = MetricSpec(
        key="vector-extrema",
        edge_cases=("undefined", "undefined", "undefined", "1", "1"),
        title="Vector extrema",
        summary="How similar two texts are in the most extreme values of their word vectors.",
        aspect="content",
        orientation="higher",
        formula="Cosine of two vectors that hold, in each dimension, the value of the text's words "
        f"that is farthest from 0, the positive one of two as far. {WORDS}",
        range="−1 to 1; mostly above 0",
        distrust=f"{DISTRUST}Word order makes no difference. Long texts come ever closer to each "
        "other.",
        citation="Forgues et al. 2014; as a metric Liu et al. 2016.",
        comparisons=COMPARISONS,
        parameters=PARAMETERS,
        weights=(glove.NAME,),
        is_default=True,
    )

    def of_words(self, words: Floats) -> Floats:
        """Return the value farthest from 0 of each dimension."""
        highest, lowest = words.max(axis=0), words.min(axis=0)
        return np.asarray(np.where(highest >= -lowest, highest, lowest))


class GreedyMatching(WordVectorScorer[Places]):
    """Mean of both texts' best matches."""

    spec = MetricSpec(
        key="greedy-matching",
        edge_cases=("undefined", "undefined", "undefined", "1", "1"),
        title="Greedy matching",
        summary="How well each word of one text is matched by its nearest word in the other, "
        "by word vectors.",
        aspect="content",
        orientation="higher",
        formula="For each word of one text the highest cosine with a word of the other; the mean "
        f"over its words; the mean of both directions. {WORDS}",
        range="−1 to 1; mostly above 0.5",
        distrust=f"{DISTRUST}A word may be matched many times, so what is missing is seen less "
        "than with Word Mover's Distance.",
        citation="Rus and Lintean 2012; as a metric Liu et al. 2016.",
        comparisons=COMPARISONS,
        parameters=PARAMETERS,
        weights=(glove.NAME,),
        is_default=True,
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


SCORERS = (EmbeddingAverage, VectorExtrema, GreedyMatching)
