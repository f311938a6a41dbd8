"""Interval alpha of long tables of continuous ratings, from three sums of each unit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.stats.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class UnitSums:
    """Units with at least two ratings, which are moved and stretched to [0, 1].

    Parameters
    ----------
    counts, sums, squares : ndarray, shape (pairable units,)
        Number, sum and sum of squares of each unit's ratings.
    units : int
        Units with any rating.
    values : int
        Distinct values among ratings that have a partner.
    """

    counts: FloatArray
    sums: FloatArray
    squares: FloatArray
    units: int
    values: int


def sums_of_units(ratings: FloatArray) -> UnitSums:
    """Reduce a table of units × raters (NaN where missing) to sums."""
    present = np.isfinite(ratings)
    counts = present.sum(axis=1)
    pairable = counts >= 2
    kept, there = (ratings, present) if pairable.all() else (ratings[pairable], present[pairable])
    if not kept.size:
        nothing = np.empty(0)
        return UnitSums(nothing, nothing, nothing, int((counts > 0).sum()), 0)
    ordered = np.sort(kept[there] if not there.all() else kept.ravel())
    lowest, span = ordered[0], ordered[-1] - ordered[0]
    scaled = np.where(there, (kept - lowest) / (span if span > 0 else 1.0), 0.0)
    return UnitSums(
        counts[pairable].astype(np.float64),
        np.einsum("ur->u", scaled),
        np.einsum("ur,ur->u", scaled, scaled),
        int((counts > 0).sum()),
        1 + int((ordered[1:] != ordered[:-1]).sum()),
    )


def alpha_of_sums(units: UnitSums, weights: FloatArray) -> FloatArray:
    """Return interval alpha for each row of multiplicities (resamples × pairable units).

    Squared differences over ordered pairs add up to 2 (n Σx² − (Σx)²), within a unit as over all
    ratings.
    """
    within = 2 * (units.counts * units.squares - units.sums**2) / (units.counts - 1)
    columns = np.column_stack([np.maximum(within, 0.0), units.counts, units.sums, units.squares])
    observed, n_ratings, total, squares = (weights @ columns).T
    spread = n_ratings * squares - total**2
    ratio = np.full(observed.shape, np.nan)
    varies = spread > 1e-12 * n_ratings * squares
    np.divide(observed, 2 * spread, out=ratio, where=varies)
    alpha: FloatArray = 1 - (n_ratings - 1) * ratio
    return alpha
