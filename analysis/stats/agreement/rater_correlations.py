"""Pearson's r of every two raters over the units that both rated: one rater with all others.

A loop over raters in the place of one over pairs: what one rater shares with all later ones is a
table of the units that this rater rated, so that the work is ratings times raters.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.stats.arrays import BoolArray, FloatArray, IntArray
from analysis.stats.correlation.pearson import r_of_sums

CONSTANT = 1e-13
"""As `analysis.stats.arrays.is_constant`: a range up to this share of the largest size."""
FLAT = 1e-12
PAIRS_AT_ONCE = 50
"""Pairs of raters correlated at once: in 1,000 draws 400 KB an array, which stay in cache."""
ENTRIES_KEPT = 2_000_000
"""Pairs of ratings whose sums are kept from one block of draws to the next: some 100 MB."""


@dataclass(frozen=True, slots=True)
class PairCorrelations:
    """Correlations of pairs of raters.

    Parameters
    ----------
    r : ndarray, shape (pairs,)
    common : ndarray of int, shape (pairs,)
        Units that both rated.
    few, constant : int
        Pairs left out: with too few common units, with ratings that do not vary there.
    """

    r: FloatArray
    common: IntArray
    few: int
    constant: int


def pair_correlations(matrix: FloatArray, least: int) -> PairCorrelations:
    """Correlate every two columns over the rows that both have, at least `least` of them.

    Each pair is centred by its own means over its common rows, as it would be by itself.

    Parameters
    ----------
    matrix : ndarray, shape (units, raters)
        NaN where missing.
    least : int
        At least 2.

    Returns
    -------
    PairCorrelations
        In the order (0, 1), (0, 2), …, (1, 2), ….

    Examples
    --------
    >>> found = pair_correlations(np.array([[1.0, 2, 5], [2, 4, 4], [3, 6, 3]]), 3)
    >>> found.r.round(6).tolist()
    [1.0, -1.0, -1.0]
    """
    once = np.ones((len(matrix), 1))
    blocks = list(ResampledPairs(matrix, least).blocks())
    r = np.concatenate([np.empty(0), *(_resampled_r(sums, once)[:, 0] for sums in blocks)])
    common = np.concatenate([np.empty(0, np.int64), *(sums.common for sums in blocks)])
    varied, raters = np.isfinite(r), matrix.shape[1]
    few = raters * (raters - 1) // 2 - r.size
    return PairCorrelations(r[varied], common[varied], few, int((~varied).sum()))


@dataclass(frozen=True, slots=True)
class _Sums:
    """Sums over the common units of one rater and some later ones.

    Parameters
    ----------
    rater : int
    later : ndarray of int, shape (pairs,)
    common : ndarray of int, shape (pairs,)
        Units that both rated.
    entries : sparse array, shape (6 × pairs, units)
        What each unit adds to the sums of 1, x, y, x², y² and xy.
    """

    rater: int
    later: IntArray
    common: IntArray
    entries: scipy.sparse.csr_array


class ResampledPairs:
    """Pearson's r of every two raters, under as many weights of raters and units as wanted.

    Parameters
    ----------
    matrix : ndarray, shape (units, raters)
        NaN where missing.
    least : int
        Units that a pair must share in the data.
    """

    def __init__(self, matrix: FloatArray, least: int) -> None:
        self.matrix, self.least = matrix, least
        each = np.isfinite(matrix).sum(axis=1)
        few = int((each * (each - 1) // 2).sum()) <= ENTRIES_KEPT
        self._kept = list(self._sums()) if few else None

    def mean_r(self, times: FloatArray, units: FloatArray) -> FloatArray:
        """Return each draw's mean over pairs of raters of Pearson's r under weights of units.

        Parameters
        ----------
        times : ndarray, shape (draws or 1, raters)
            How often each rater was drawn: a pair weighs the product.
        units : ndarray, shape (draws or 1, units)
            How often each unit was drawn.

        Returns
        -------
        ndarray, shape (draws,)
            NaN where no pair that was drawn has a correlation.
        """
        draws = max(len(times), len(units))
        total, count = np.zeros(draws), np.zeros(draws)
        by_unit = np.ascontiguousarray(units.T)
        for sums in self.blocks():
            r = _resampled_r(sums, by_unit)
            weight = times[:, sums.rater, None] * times[:, sums.later]
            known = np.isfinite(r)
            filled = np.where(known, r, 0.0)
            if len(times) == 1:
                # One weighting of raters for all draws of units.
                total += weight[0] @ filled
                count += weight[0] @ known
            elif len(units) == 1:
                total += weight @ filled[:, 0]
                count += weight @ known[:, 0]
            else:
                total += np.einsum("dj,jd->d", weight, filled)
                count += np.einsum("dj,jd->d", weight, known)
        defined = count > FLAT
        return np.where(defined, total / np.where(defined, count, 1.0), np.nan)

    def blocks(self) -> Iterable[_Sums]:
        """Return the sums of all pairs, some of one rater at once."""
        return self._sums() if self._kept is None else self._kept

    def _sums(self) -> Iterator[_Sums]:
        present = np.isfinite(self.matrix)
        by_rater = np.asfortranarray(present)
        for rater in range(self.matrix.shape[1] - 1):
            rows = np.flatnonzero(by_rater[:, rater])
            shared = present[rows, rater + 1 :].sum(axis=0)
            later = rater + 1 + np.flatnonzero(shared >= self.least)
            for start in range(0, later.size, PAIRS_AT_ONCE):
                yield self._sums_with(rater, rows, later[start : start + PAIRS_AT_ONCE])

    def _sums_with(self, rater: int, rows: IntArray, later: IntArray) -> _Sums:
        """Return the sums of one rater and later ones over the units that this rater rated."""
        others = self.matrix[np.ix_(rows, later)]
        both = np.isfinite(others)
        counts = both.sum(axis=0)
        own = self.matrix[rows, rater][:, None]
        x, y = (_centred(np.where(both, side, 0.0), both, counts) for side in (own, others))
        pairs, units = np.nonzero(both.T)
        x, y = x.T[pairs, units], y.T[pairs, units]
        entries = np.concatenate([np.ones(x.size), x, y, x * x, y * y, x * y])
        ends = np.concatenate([[0], np.cumsum(np.tile(counts, 6))])
        table = scipy.sparse.csr_array(
            (entries, np.tile(rows[units], 6), ends), shape=(6 * later.size, len(self.matrix))
        )
        return _Sums(rater, later, counts, table)


def _resampled_r(sums: _Sums, by_unit: FloatArray) -> FloatArray:
    """Return r of one rater with some later ones (pairs × draws), NaN where it is undefined."""
    added = np.asarray(sums.entries @ by_unit, dtype=np.float64)
    return r_of_sums(np.moveaxis(added.reshape(6, sums.later.size, by_unit.shape[1]), 0, -1))


def _centred(side: FloatArray, both: BoolArray, counts: IntArray) -> FloatArray:
    """Return one side's ratings less its mean over each pair's units, by their largest size."""
    centred = (side - side.sum(axis=0) / counts) * both
    largest = np.abs(centred).max(axis=0)
    constant = largest <= CONSTANT * np.abs(side).max(axis=0)
    return np.asarray(centred / np.where(constant, np.inf, largest), dtype=np.float64)
