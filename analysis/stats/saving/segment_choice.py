"""What rating a segment is worth, and how many pairs of systems a choice of segments tells apart.

After Zouhar, Cui and Sachan (2025), "How to Select Datapoints for Efficient Human Evaluation of
NLG Models?".

Zouhar, Cui and Sachan (2025) choose segments whose outputs are least alike, by several measures of
likeness between two texts; here it is the cosine, which takes time in proportion to the texts.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr
from scipy.stats import rankdata

from analysis.stats.arrays import CELLS_IN_MEMORY, FloatArray, IntArray, as_matrix, masked_means


def in_order(worth: FloatArray) -> IntArray:
    """Return segments by what rating them is worth, the most first, those without it last.

    Examples
    --------
    >>> in_order(np.array([0.5, np.nan, 2.0, 0.5])).tolist()
    [2, 0, 3, 1]
    """
    return np.argsort(-np.where(np.isnan(worth), -np.inf, worth), kind="stable")


def mean_rank(worths: Sequence[FloatArray]) -> FloatArray:
    """Return the mean over several orders of the share of segments that a segment exceeds.

    Where one of them says nothing of a segment, it is the last there; ties share their ranks.

    Examples
    --------
    >>> mean_rank([np.array([1.0, 2.0, 3.0]), np.array([5.0, 9.0, np.nan])]).tolist()
    [0.25, 0.75, 0.5]
    """
    shares = [
        (rankdata(np.where(np.isnan(each), -np.inf, each)) - 1) / max(1, len(each) - 1)
        for each in worths
    ]
    found: FloatArray = np.mean(shares, axis=0)
    return found


def variance(scores: npt.ArrayLike) -> FloatArray:
    """Return the variance of each segment's scores over systems; NaN with fewer than two."""
    table = as_matrix(scores)
    there = np.isfinite(table)
    counts = there.sum(axis=1)
    means = masked_means(table, there, axis=1)
    squares = (np.where(there, table - means[:, None], 0.0) ** 2).sum(axis=1)
    return np.where(counts > 1, squares / np.maximum(counts, 1), np.nan)


_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORDS = re.compile(f"[{_IDEOGRAPHS}]|[^\\W{_IDEOGRAPHS}]+")
_NOTHING = ""


def diversity_of_texts(segments: Iterable[Sequence[str]]) -> FloatArray:
    """Return the mean distance between two outputs of each segment, from 0 to 1.

    The distance is 1 less the cosine of both texts' counts of words: runs of letters and digits
    without regard to case, and single characters where a script has no blanks between words.

    Parameters
    ----------
    segments : iterable of sequences of str
        The outputs of each segment.

    Returns
    -------
    ndarray of float
        NaN of a segment with fewer than two outputs. Texts without any word are alike.

    Examples
    --------
    >>> diversity_of_texts([["a b", "A b"], ["a b", "c d"], ["a b", "b c", "a b"]]).round(3)
    array([0.   , 1.   , 0.333])
    """
    return np.array([_mean_distance(texts) for texts in segments])


def diversity_of_vectors(segments: Iterable[npt.ArrayLike]) -> FloatArray:
    """Return the mean of 1 less the cosine of two outputs' vectors, such as sentence embeddings.

    Parameters
    ----------
    segments : iterable of array_like, shape (outputs, size)
        A vector of zeros is unlike every other.

    Examples
    --------
    >>> diversity_of_vectors([[[1, 0], [2, 0]], [[1, 0], [0, 1], [3, 0]]]).round(3).tolist()
    [0.0, 0.667]
    """
    found = []
    for vectors in segments:
        rows = np.asarray(vectors, dtype=np.float64)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        total = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0).sum(axis=0)
        found.append(_of_sum(float(total @ total), int((lengths > 0).sum()), len(rows)))
    return np.array(found)


def _mean_distance(texts: Sequence[str]) -> float:
    total: defaultdict[str, float] = defaultdict(float)
    for text in texts:
        counts = Counter(_WORDS.findall(text.lower())) or {_NOTHING: 1}
        length = math.sqrt(sum(count * count for count in counts.values()))
        for word, count in counts.items():
            total[word] += count / length
    return _of_sum(sum(each * each for each in total.values()), len(texts), len(texts))


def _of_sum(squared: float, units: int, count: int) -> float:
    """Return the mean distance of vectors, by the squared length of the sum of their directions.

    That square is the number of vectors and twice the sum of all cosines.
    """
    if count < 2:
        return math.nan
    return min(1.0, max(0.0, 1 - (squared - units) / (count * (count - 1))))


def halves_of_ratings(ratings: FloatArray, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    """Return the mean of a random half of each output's ratings, and of the other half.

    Parameters
    ----------
    ratings : ndarray, shape (segments, systems, raters)
        NaN where there is none. Of an odd number, the second half has one more.
    seed : int

    Returns
    -------
    tuple of ndarray, shape (segments, systems)
        NaN where an output has fewer than two ratings.

    Examples
    --------
    >>> first, second = halves_of_ratings(np.array([[[1.0, 5.0], [2.0, np.nan]]]))
    >>> float(first[0, 0] + second[0, 0]), bool(np.isnan(first[0, 1]))
    (6.0, True)
    """
    there = np.isfinite(ratings)
    keys = np.where(there, np.random.default_rng(seed).random(ratings.shape), np.inf)
    ranks = keys.argsort(axis=2).argsort(axis=2)
    counts = there.sum(axis=2, keepdims=True)
    first = there & (ranks < counts // 2)
    both = counts[:, :, 0] > 1
    filled = np.where(there, ratings, 0.0)
    found = []
    for half in (first, there & ~first):
        sums, sizes = (filled * half).sum(axis=2), half.sum(axis=2)
        found.append(np.where(both, sums / np.maximum(sizes, 1), np.nan))
    return found[0], found[1]


LEVEL = 0.05
DRAWS = 200
"""Random choices over which the share that chance tells apart is averaged."""


@dataclass(frozen=True, slots=True)
class ToldApart:
    """What the ratings of some segments say of pairs of systems.

    Parameters
    ----------
    segments, pairs : int
    told_apart : float
        Share of pairs that a two-sided paired t-test at .05 tells apart, without correction.
    in_full_order : float
        Share of pairs whose difference has the sign that it has over all segments.
    """

    segments: int
    pairs: int
    told_apart: float
    in_full_order: float


class PairsOfSystems:
    """The differences of all pairs of systems, of which any segments may be chosen.

    Parameters
    ----------
    human : array_like, shape (segments, systems)
        NaN where there is no rating.

    Examples
    --------
    >>> human = [[1, 2, 5], [2, 3, 7], [1, 3, 6], [2, 4, 8]]
    >>> PairsOfSystems(human).told_apart([0, 1, 3])
    ToldApart(segments=3, pairs=3, told_apart=0.6666666666666666, in_full_order=1.0)
    """

    def __init__(self, human: npt.ArrayLike) -> None:
        table = as_matrix(human)
        self._rated = np.flatnonzero(np.isfinite(table).any(axis=1))
        self._sums = _pair_sums(table)
        self._signs = np.sign(self._sums[1].sum(axis=0))

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return int(self._sums.shape[2])

    def told_apart(self, chosen: npt.ArrayLike) -> ToldApart:
        """Say which pairs of systems the ratings of chosen segments tell apart.

        Chosen segments are no sample of all: their means are not means of all.
        """
        places = np.asarray(chosen, dtype=np.int64)
        apart, ordered = self._shares(self._sums[:, places].sum(axis=1)[:, None])
        return ToldApart(places.size, self.pairs, float(apart[0]), float(ordered[0]))

    def told_apart_by_chance(self, count: int, *, draws: int = DRAWS, seed: int = 0) -> ToldApart:
        """Return the mean of `told_apart` over random choices of so many rated segments."""
        generator = np.random.default_rng(seed)
        segments = self._sums.shape[1]
        size = max(1, CELLS_IN_MEMORY // max(1, segments))
        shares = []
        for start in range(0, draws, size):
            weights = np.zeros((min(size, draws - start), segments))
            for row in weights:
                row[generator.choice(self._rated, count, replace=False)] = 1.0
            shares.append(self._shares(np.stack([weights @ each for each in self._sums])))
        apart, ordered = np.concatenate(shares, axis=1).mean(axis=1)
        return ToldApart(count, self.pairs, float(apart), float(ordered))

    def _shares(self, sums: FloatArray) -> FloatArray:
        """Return the shares of pairs told apart and in the order of all: 2 × choices."""
        n, total, squares = sums
        if not self.pairs:
            return np.full((2, len(n)), np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            error = np.sqrt(np.maximum(n * squares - total**2, 0.0) / (n - 1)) / n
            t = np.abs(total / n) / error
            # Two equal systems have no t: they are not told apart.
            p = np.where(np.isfinite(t), 2 * stdtr(n - 1, -t), np.where(total == 0, 1.0, 0.0))
        apart = (p < LEVEL) & (n > 1)
        ordered = np.sign(total) == self._signs
        return np.stack([apart.mean(axis=1), ordered.mean(axis=1)])


def _pair_sums(table: FloatArray) -> FloatArray:
    """Return each segment's 1, difference and squared difference: 3 × segments × pairs."""
    pairs = list(combinations(range(table.shape[1]), 2))
    sums = np.zeros((3, len(table), len(pairs)))
    for place, (one, other) in enumerate(pairs):
        difference = table[:, one] - table[:, other]
        both = np.isfinite(difference)
        sums[0, :, place] = both
        sums[1, :, place] = np.where(both, difference, 0.0)
        sums[2, :, place] = sums[1, :, place] ** 2
    return sums
