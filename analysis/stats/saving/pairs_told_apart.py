"""How many pairs of systems the ratings of some segments tell apart, chosen or drawn."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from analysis.stats.arrays import CELLS_IN_MEMORY, FloatArray, as_matrix

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
