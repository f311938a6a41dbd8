"""Word Mover's Distance: how far the words of one text must travel to become another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from metrics.scorers.each_reference import over_references
from metrics.scorers.scorer import Floats
from metrics.scorers.spec import Library, MetricSpec, Parameter
from metrics.scorers.word_vectors import (
    COMPARISONS,
    DISTRUST,
    VECTORS,
    WORDS,
    WordVectorScorer,
    unit,
)
from metrics.weights import glove

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
    """Exact earth mover's distance between bags of words."""

    spec = MetricSpec(
        key="wmd",
        edge_cases=("undefined", "undefined", "undefined", "0", "0"),
        title="Word Mover's Distance",
        summary="How far the words of one text must move, in a space of word meanings, to "
        "become those of the other.",
        aspect="content",
        orientation="lower",
        formula="Least Σ T(i, j) · |v(i) − v(j)| over all ways T to move the words of one text, "
        "each weighing its share of the text, onto those of the other; v are word vectors, of "
        f"unit length where normalised. Solved exactly. {WORDS}",
        range="0 to 2 with normalised vectors; above 0 otherwise",
        distrust=f"{DISTRUST}Word order makes no difference. No stop words are removed. Texts of "
        f"more than {MOST_WORDS:,} different words are undefined.",
        citation="Kusner et al. 2015; for style transfer, on masked texts, Mir et al. 2019.",
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


SCORERS = (WordMoversDistance,)
