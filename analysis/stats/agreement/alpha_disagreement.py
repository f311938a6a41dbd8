"""Krippendorff's alpha as a function of weights of units, and of annotators."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import scipy

from analysis.stats.agreement.coded_ratings import CodedRatings
from analysis.stats.agreement.drawn_ratings import DrawnRatings, WeightedAgreement
from analysis.stats.arrays import FloatArray, IntArray, ratio

Scale = Literal["nominal", "ordinal", "interval", "ratio"]
AlphaOfUnits: TypeAlias = Callable[[FloatArray], FloatArray]
"""Takes how often each unit was drawn (resamples × units), gives alpha, NaN where degenerate."""


@dataclass(frozen=True, slots=True)
class PairableUnits:
    """Units with at least two ratings, and alpha of them.

    Parameters
    ----------
    counts : ndarray, shape (rows,)
        Ratings of each unit; units with the same ratings may be one row.
    frequencies : ndarray, shape (rows,)
        How many units a row stands for.
    units : int
        Units with any rating.
    values : int
        Number of distinct values among ratings that have a partner.
    lowest : float
        The lowest of them.
    alpha : callable
    """

    counts: FloatArray
    frequencies: FloatArray
    units: int
    values: int
    lowest: float
    alpha: AlphaOfUnits


def units_of_patterns(coded: CodedRatings, scale: Scale) -> PairableUnits:
    """Reduce units to their distinct patterns of ratings: few on short scales, at any size."""
    pairable = coded.codes[coded.counts >= 2]
    if not pairable.size:
        nothing = np.empty(0)
        return PairableUnits(nothing, nothing, coded.counts.size, 0, 0.0, _undefined)
    kept, recoded = np.unique(pairable, return_inverse=True)
    codes = recoded.reshape(pairable.shape) - int(kept[0] == -1)
    # Sorted, so that the same ratings in another order are the same pattern; −1 comes first.
    codes, frequencies = np.unique(np.sort(codes, axis=1), axis=0, return_counts=True)
    values = coded.categories[kept[kept >= 0]]
    counts = (codes >= 0).sum(axis=1).astype(np.float64)
    alpha = _undefined if values.size < 2 else _alpha_of_patterns(codes, counts, values, scale)
    return PairableUnits(
        counts,
        frequencies.astype(np.float64),
        coded.counts.size,
        values.size,
        float(values[0]),
        alpha,
    )


def units_of_table(ratings: FloatArray) -> PairableUnits:
    """Reduce a long table (units × raters) to what interval alpha needs, without coding it."""
    present = np.isfinite(ratings)
    counts = present.sum(axis=1)
    pairable = counts >= 2
    kept, there = (ratings, present) if pairable.all() else (ratings[pairable], present[pairable])
    units = int((counts > 0).sum())
    if not kept.size:
        nothing = np.empty(0)
        return PairableUnits(nothing, nothing, units, 0, 0.0, _undefined)
    ordered = np.sort(kept[there] if not there.all() else kept.ravel())
    lowest, span = ordered[0], ordered[-1] - ordered[0]
    scaled = np.where(there, (kept - lowest) / (span if span > 0 else 1.0), 0.0)
    counts = counts[pairable].astype(np.float64)
    sums, squares = np.einsum("ur->u", scaled), np.einsum("ur,ur->u", scaled, scaled)
    return PairableUnits(
        counts,
        np.ones(counts.size),
        units,
        1 + int((ordered[1:] != ordered[:-1]).sum()),
        float(lowest),
        _interval_alpha(counts, sums, squares),
    )


def _undefined(weights: FloatArray) -> FloatArray:
    return np.full(len(weights), np.nan)


def _interval_alpha(counts: FloatArray, sums: FloatArray, squares: FloatArray) -> AlphaOfUnits:
    columns = np.column_stack([_within(counts, sums, squares), counts, sums, squares])
    return lambda weights: _alpha_of_moments(*(weights @ columns).T)


def _alpha_of_patterns(
    codes: IntArray, counts: FloatArray, values: FloatArray, scale: Scale
) -> AlphaOfUnits:
    if scale == "interval":
        scaled = np.append((values - values[0]) / (values[-1] - values[0]), 0.0)[codes]
        return _interval_alpha(counts, scaled.sum(axis=1), (scaled**2).sum(axis=1))
    rows, columns = np.nonzero(codes >= 0)
    entries = np.ones(rows.size), (rows, codes[rows, columns])
    incidence = scipy.sparse.csr_array(entries, shape=(len(codes), values.size))

    def ordinal(weights: FloatArray) -> FloatArray:
        """Distances are differences of mid-ranks, which each resample ranks anew."""
        totals = np.asarray(weights @ incidence)
        n = totals.sum(axis=1, keepdims=True)
        ranks = (np.cumsum(totals, axis=1) - totals / 2) / n
        of_ratings = np.concatenate([ranks, np.zeros((len(ranks), 1))], axis=1)[:, codes]
        within = _within(counts, of_ratings.sum(axis=2), (of_ratings**2).sum(axis=2))
        grand = (totals * ranks).sum(axis=1), (totals * ranks**2).sum(axis=1)
        return _alpha_of_moments((weights * within).sum(axis=1), n[:, 0], *grand)

    def by_table(weights: FloatArray) -> FloatArray:
        totals = np.asarray(weights @ incidence)
        if scale == "nominal":
            expected = totals.sum(axis=1) ** 2 - (totals**2).sum(axis=1)
        else:
            table = squared_distance(values[:, None], values[None, :], scale)
            expected = ((totals @ table) * totals).sum(axis=1)
        return 1 - (weights @ counts - 1) * ratio(weights @ disagreement, expected, least=0.0)

    if scale == "ordinal":
        return ordinal
    padded = np.append(values, np.nan)[codes]
    # Σ of squared distances over ordered pairs of a unit, over its ratings less one.
    disagreement = (
        DrawnRatings.once(padded).mean_over_pairs(
            lambda left, right: squared_distance(left, right, scale)
        )[0]
        * counts
    )
    return by_table


def _within(counts: FloatArray, sums: FloatArray, squares: FloatArray) -> FloatArray:
    """Return each unit's squared differences over ordered pairs, over its ratings less one.

    They add up to 2 (n Σx² − (Σx)²), within a unit as over all ratings.
    """
    return np.asarray(2 * (counts * squares - sums**2) / (counts - 1), dtype=np.float64)


def _alpha_of_moments(
    observed: FloatArray, n: FloatArray, total: FloatArray, square: FloatArray
) -> FloatArray:
    """Return alpha of squared differences from Σ within units, and n, Σx and Σx² of all ratings."""
    spread = n * square - total**2
    spread[spread <= 1e-12 * n * square] = 0.0
    shares = ratio(np.maximum(observed, 0.0), 2 * spread, least=0.0)
    return np.asarray(1 - (n - 1) * shares, dtype=np.float64)


def squared_distance(left: FloatArray, right: FloatArray, scale: Scale) -> FloatArray:
    """Return squared distances of values on a nominal or a ratio scale."""
    if scale == "nominal":
        return np.asarray(left != right, dtype=np.float64)
    total = left + right
    shares = np.divide(left - right, total, out=np.zeros(total.shape), where=total != 0)
    return np.asarray(shares**2, dtype=np.float64)


def weighted_alpha(categories: FloatArray, scale: Scale) -> WeightedAgreement:
    """Krippendorff's alpha, its expected disagreement (and ranks) anew in each draw.

    α = 1 − (n² − Q) / n · Σ_u m_u d_u / Σ_{c,k} n_c n_k δ²(c, k), with m_u the weight of the
    ratings of unit u, d_u the mean disagreement of its pairs, n = Σ m_u and n² − Q the weight of
    ordered pairs of different ratings (n (n − 1) with weights of one).
    """

    def alpha(drawn: DrawnRatings) -> FloatArray:
        paired = (drawn.pair_weights() > 0).astype(np.float64)
        n = drawn.over_units(paired * drawn.totals())
        own = drawn.over_units(paired * drawn.squared_totals())
        if scale == "interval":
            low, span = categories[0], max(float(np.ptp(categories)), 1e-12)
            scaled = np.nan_to_num((drawn.values - low) / span)
            disagreement, total, squares = _squared_differences(drawn, scaled[None])
            total, squares = (drawn.over_units(paired * side) for side in (total, squares))
            expected = 2 * (n * squares - total**2)
        else:
            totals = drawn.category_totals(categories, paired)
            if scale == "ordinal":
                ranks = np.nan_to_num(ratio(np.cumsum(totals, axis=1) - totals / 2, n[:, None]))
                codes = np.searchsorted(categories, np.nan_to_num(drawn.values, nan=categories[0]))
                disagreement, _, _ = _squared_differences(drawn, ranks[:, codes])
                mean = (totals * ranks).sum(axis=1)
                expected = 2 * (n * (totals * ranks**2).sum(axis=1) - mean**2)
            else:
                disagreement = drawn.mean_over_pairs(
                    lambda left, right: squared_distance(left, right, scale)
                )
                table = squared_distance(categories[:, None], categories[None, :], scale)
                expected = ((totals @ table) * totals).sum(axis=1)
        observed = drawn.over_units(drawn.totals() * np.nan_to_num(disagreement))
        return 1 - ratio((n**2 - own) * observed, n * expected)

    return alpha


def _squared_differences(
    drawn: DrawnRatings, values: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return each unit's mean squared difference of pairs, Σ w x and Σ w x² (draws × units).

    Over pairs Σ w w' (x − x')² = Σ w · Σ w x² − (Σ w x)².
    """
    total = (drawn.weights * values).sum(axis=2)
    squares = (drawn.weights * values**2).sum(axis=2)
    return ratio(drawn.totals() * squares - total**2, drawn.pair_weights()), total, squares
