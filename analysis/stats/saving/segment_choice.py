"""Which segments to rate so that few ratings tell many systems apart.

After Zouhar, Cui and Sachan (2025), "How to Select Datapoints for Efficient Human Evaluation of
NLG Models?".
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from analysis.stats.arrays import CELLS_IN_MEMORY, FloatArray, IntArray, as_matrix

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


def by_variance(scores: npt.ArrayLike) -> IntArray:
    """Return segments in the order of the variance of their scores over systems, largest first.

    Parameters
    ----------
    scores : array_like, shape (segments, systems)
        By one metric. NaN where there is none; a segment with fewer than two scores is last.

    Returns
    -------
    ndarray of int, shape (segments,)
        Of equal ones, the earlier first.

    Examples
    --------
    >>> by_variance([[1, 1], [0, 4], [1, 3], [4, 0]]).tolist()
    [1, 3, 2, 0]
    """
    return np.argsort(-spread(scores), kind="stable")


def by_mean_rank(orders: list[IntArray]) -> IntArray:
    """Return segments in the order of their mean rank in several orders of all of them.

    Examples
    --------
    >>> by_mean_rank([by_variance([[1, 1], [0, 4]]), by_variance([[3, 3], [0, 1]])]).tolist()
    [1, 0]
    """
    ranks = np.zeros(len(orders[0]))
    for each in orders:
        ranks[each] += np.arange(len(ranks))
    return np.argsort(ranks, kind="stable")


def spread(scores: npt.ArrayLike) -> FloatArray:
    """Return the variance of each segment's scores over systems; −1 with fewer than two."""
    table = as_matrix(scores)
    there = np.isfinite(table)
    counts = there.sum(axis=1)
    filled = np.where(there, table, 0.0)
    means = filled.sum(axis=1) / np.maximum(counts, 1)
    squares = (np.where(there, table - means[:, None], 0.0) ** 2).sum(axis=1)
    return np.where(counts > 1, squares / np.maximum(counts, 1), -1.0)


def told_apart(human: npt.ArrayLike, chosen: npt.ArrayLike) -> ToldApart:
    """Say which pairs of systems the ratings of chosen segments tell apart.

    Chosen segments are no sample of all: their means are not means of all.

    Parameters
    ----------
    human : array_like, shape (segments, systems)
        NaN where there is no rating.
    chosen : array_like of int
        Segments that are rated.

    Examples
    --------
    >>> human = [[1, 2, 5], [2, 3, 7], [1, 3, 6], [2, 4, 8]]
    >>> told_apart(human, [0, 1, 3])
    ToldApart(segments=3, pairs=3, told_apart=0.6666666666666666, in_full_order=1.0)
    """
    sums = _pair_sums(as_matrix(human))
    places = np.asarray(chosen, dtype=np.int64)
    weights = np.zeros((1, sums.shape[1]))
    weights[0, places] = 1.0
    apart, ordered = _shares(weights, sums)
    return ToldApart(places.size, sums.shape[2], float(apart[0]), float(ordered[0]))


def told_apart_by_chance(
    human: npt.ArrayLike, count: int, *, draws: int = DRAWS, seed: int = 0
) -> ToldApart:
    """Return the mean of `told_apart` over random choices of so many rated segments.

    Parameters
    ----------
    human : array_like, shape (segments, systems)
    count : int
        Of segments; no more than are rated.
    draws, seed : int
    """
    table = as_matrix(human)
    sums = _pair_sums(table)
    rated = np.flatnonzero(np.isfinite(table).any(axis=1))
    generator = np.random.default_rng(seed)
    size = max(1, CELLS_IN_MEMORY // max(1, len(table)))
    shares = []
    for start in range(0, draws, size):
        weights = np.zeros((min(size, draws - start), len(table)))
        for row in weights:
            row[generator.choice(rated, count, replace=False)] = 1.0
        shares.append(np.stack(_shares(weights, sums)))
    apart, ordered = np.concatenate(shares, axis=1).mean(axis=1)
    return ToldApart(count, sums.shape[2], float(apart), float(ordered))


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


def _shares(weights: FloatArray, sums: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return, of each row of weights, the shares of pairs told apart and in the order of all."""
    if not sums.shape[2]:
        return np.full(len(weights), np.nan), np.full(len(weights), np.nan)
    n, total, squares = (weights @ each for each in sums)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(np.maximum(n * squares - total**2, 0.0) / (n - 1)) / n
        t = np.abs(total / n) / error
        # Two equal systems have no t: they are not told apart.
        p = np.where(np.isfinite(t), 2 * stdtr(n - 1, -t), np.where(total == 0, 1.0, 0.0))
    apart = (p < LEVEL) & (n > 1)
    ordered = np.sign(total) == np.sign(sums[1].sum(axis=0))
    return apart.mean(axis=1), ordered.mean(axis=1)
