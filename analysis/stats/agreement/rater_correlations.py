"""Pearson's r of every two raters over the units that both rated: one rater with all others.

A loop over raters in the place of one over pairs: what one rater shares with all later ones is a
table of the units that this rater rated, so that the work is ratings times raters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.stats.arrays import FloatArray, IntArray
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
    first, second : ndarray of int, shape (pairs,)
        Columns of the pairs that have a correlation.
    r : ndarray, shape (pairs,)
    common : ndarray of int, shape (pairs,)
        Units that both rated.
    few, constant : int
        Pairs left out: with too few common units, with ratings that do not vary there.
    """

    first: IntArray
    second: IntArray
    r: FloatArray
    common: IntArray
    few: int
    constant: int


@dataclass(frozen=True, slots=True)
class _Shared:
    """What one rater shares with later ones: units × later raters, zero where one did not rate."""

    rows: IntArray
    later: IntArray
    both: FloatArray
    own: FloatArray
    others: FloatArray
    counts: FloatArray


def _shared(matrix: FloatArray, least: int) -> Iterator[tuple[int, _Shared]]:
    """Yield each rater and what is shared with later ones, at least so many units with each."""
    present = np.isfinite(matrix)
    by_rater = np.asfortranarray(present)
    for rater in range(matrix.shape[1] - 1):
        rows = np.flatnonzero(by_rater[:, rater])
        known = present[rows, rater + 1 :]
        counts = known.sum(axis=0)
        kept = np.flatnonzero(counts >= least)
        if not kept.size:
            continue
        both = known[:, kept]
        others = np.where(both, matrix[np.ix_(rows, rater + 1 + kept)], 0.0)
        own = np.where(both, matrix[rows, rater][:, None], 0.0)
        yield (
            rater,
            _Shared(
                rows, rater + 1 + kept, both.astype(np.float64), own, others,
                counts[kept].astype(np.float64),
            ),
        )  # fmt: skip


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
    parts = [
        (sums, _resampled_r(sums, once)[:, 0]) for sums in ResampledPairs(matrix, least).blocks()
    ]
    n = matrix.shape[1]
    few = n * (n - 1) // 2 - sum(r.size for _, r in parts)
    if not parts:
        none = np.empty(0, dtype=np.int64)
        return PairCorrelations(none, none, np.empty(0), none, few, 0)
    first, second, common, r = (
        np.concatenate(side)
        for side in zip(
            *((np.full(r.size, sums.rater), sums.later, sums.common, r) for sums, r in parts),
            strict=True,
        )
    )
    varied = np.isfinite(r)
    constant = int((~varied).sum())
    return PairCorrelations(first[varied], second[varied], r[varied], common[varied], few, constant)


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
        for rater, shared in _shared(self.matrix, self.least):
            for start in range(0, shared.later.size, PAIRS_AT_ONCE):
                part = slice(start, start + PAIRS_AT_ONCE)
                yield _sums_of(rater, shared, part, len(self.matrix))


def _sums_of(rater: int, shared: _Shared, part: slice, units: int) -> _Sums:
    both, counts = shared.both[:, part], shared.counts[part]
    x, y = (_centred(side[:, part], both, counts) for side in (shared.own, shared.others))
    pairs, rows = np.nonzero(both.T)
    x, y = x.T[pairs, rows], y.T[pairs, rows]
    entries = np.concatenate([np.ones(x.size), x, y, x * x, y * y, x * y])
    lengths = np.tile(np.bincount(pairs, minlength=len(counts)), 6)
    ends = np.concatenate([[0], np.cumsum(lengths)])
    places = np.tile(shared.rows[rows], 6)
    table = scipy.sparse.csr_array((entries, places, ends), shape=(6 * len(counts), units))
    return _Sums(rater, shared.later[part], counts.astype(np.int64), table)


def _resampled_r(sums: _Sums, by_unit: FloatArray) -> FloatArray:
    """Return r of one rater with some later ones (pairs × draws), NaN where it is undefined."""
    added = np.asarray(sums.entries @ by_unit, dtype=np.float64)
    return r_of_sums(np.moveaxis(added.reshape(6, sums.later.size, by_unit.shape[1]), 0, -1))


def _centred(side: FloatArray, both: FloatArray, counts: FloatArray) -> FloatArray:
    """Return one side's ratings less its mean over each pair's units, by their largest size."""
    centred = (side - side.sum(axis=0) / counts) * both
    largest = np.abs(centred).max(axis=0)
    constant = largest <= CONSTANT * np.abs(side).max(axis=0)
    return np.asarray(centred / np.where(constant, np.inf, largest), dtype=np.float64)
