"""Observed and expected disagreement of Krippendorff's alpha, from per-unit sums."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy

from analysis.stats.arrays import FloatArray, IntArray
from analysis.stats.coded_ratings import CodedRatings

Scale = Literal["nominal", "ordinal", "interval", "ratio"]
MOST_RATIO_VALUES = 4000
"""A table of distances of this many values takes 128 MB."""


@dataclass(frozen=True, slots=True)
class RatingPatterns:
    """Distinct units: those with the same ratings are one row with a frequency.

    Parameters
    ----------
    codes : ndarray of int, shape (patterns, most ratings)
        Sorted positions in `categories`; -1 comes first where a unit has fewer ratings.
    counts : ndarray of int, shape (patterns,)
        Ratings per unit, at least two.
    frequencies : ndarray, shape (patterns,)
        How many units show the pattern.
    categories : ndarray, ascending
        Values that occur in some pair.
    """

    codes: IntArray
    counts: IntArray
    frequencies: FloatArray
    categories: FloatArray


def rating_patterns(coded: CodedRatings) -> RatingPatterns:
    """Reduce units with at least two ratings to their distinct patterns."""
    pairable = coded.codes[coded.counts >= 2]
    kept, recoded = np.unique(pairable, return_inverse=True)
    codes = recoded.reshape(pairable.shape) - int(kept[0] == -1)
    patterns, frequencies = np.unique(np.sort(codes, axis=1), axis=0, return_counts=True)
    return RatingPatterns(
        codes=patterns,
        counts=np.asarray((patterns >= 0).sum(axis=1), dtype=np.int64),
        frequencies=frequencies.astype(np.float64),
        categories=coded.categories[kept[kept >= 0]],
    )


def alpha_of_resamples(patterns: RatingPatterns, weights: FloatArray, scale: Scale) -> FloatArray:
    """Return alpha for each row of multiplicities (resamples × patterns), NaN where degenerate.

    With n ratings that have a partner, α = 1 − (n − 1) · Σ_u δ_u / Σ_{c,k} n_c n_k δ²(c, k), where
    δ_u is the sum of squared distances over ordered pairs of unit u, divided by its number of
    ratings less one.
    """
    if scale == "ordinal":
        return _alpha_ordinal(patterns, weights)
    observed: FloatArray = weights @ _unit_disagreement(patterns, scale)
    if scale == "interval":
        expected = _expected_interval(patterns, weights)
    else:
        totals = weights @ _incidence(patterns)
        expected = _expected_from_totals(patterns, totals, scale)
    return _alpha(observed, expected, weights @ patterns.counts.astype(np.float64))


def _alpha(observed: FloatArray, expected: FloatArray, n_ratings: FloatArray) -> FloatArray:
    ratio = np.full(observed.shape, np.nan)
    np.divide(observed, expected, out=ratio, where=expected > 0)
    alpha: FloatArray = 1 - (n_ratings - 1) * ratio
    return alpha


def _incidence(patterns: RatingPatterns) -> scipy.sparse.csr_array:
    """Return how often each pattern holds each value (patterns × values)."""
    rows, columns = np.nonzero(patterns.codes >= 0)
    shape = (patterns.codes.shape[0], patterns.categories.size)
    ones = np.ones(rows.size)
    return scipy.sparse.csr_array((ones, (rows, patterns.codes[rows, columns])), shape=shape)


def _scaled_values(patterns: RatingPatterns) -> FloatArray:
    """Return the values moved and stretched to [0, 1]: interval alpha does not change."""
    lowest, highest = patterns.categories[0], patterns.categories[-1]
    scaled: FloatArray = (patterns.categories - lowest) / (highest - lowest)
    return scaled


def _unit_disagreement(patterns: RatingPatterns, scale: Scale) -> FloatArray:
    """Return each pattern's squared distances over ordered pairs, over (ratings − 1)."""
    values = _scaled_values(patterns) if scale == "interval" else patterns.categories
    total = np.zeros(patterns.counts.size)
    width = patterns.codes.shape[1]
    for first in range(width):
        for second in range(first + 1, width):
            both = patterns.codes[:, first] >= 0
            left = values[patterns.codes[both, first]]
            right = values[patterns.codes[both, second]]
            total[both] += 2 * _squared_distance(left, right, scale)
    return total / (patterns.counts - 1)


def _squared_distance(left: FloatArray, right: FloatArray, scale: Scale) -> FloatArray:
    if scale == "nominal":
        return np.asarray(left != right, dtype=np.float64)
    if scale == "interval":
        return np.asarray((left - right) ** 2, dtype=np.float64)
    total = left + right
    distance = np.divide(left - right, total, out=np.zeros(total.shape), where=total != 0)
    return np.asarray(distance**2, dtype=np.float64)


def _expected_interval(patterns: RatingPatterns, weights: FloatArray) -> FloatArray:
    """Σ n_c n_k (c − k)² = 2 n Σx² − 2 (Σx)², from each pattern's count, sum and sum of squares."""
    padded = np.append(_scaled_values(patterns), 0.0)[patterns.codes]
    sums = np.column_stack([patterns.counts, padded.sum(axis=1), (padded**2).sum(axis=1)])
    n_ratings, total, squares = (weights @ sums).T
    return np.asarray(_without_rounding(n_ratings * squares, total**2), dtype=np.float64)


def _without_rounding(larger: FloatArray, smaller: FloatArray) -> FloatArray:
    """Return 2 (larger − smaller), zero where the difference is mere rounding."""
    difference = larger - smaller
    return np.where(difference > 1e-12 * larger, 2 * difference, 0.0)


def _expected_from_totals(patterns: RatingPatterns, totals: FloatArray, scale: Scale) -> FloatArray:
    if scale == "nominal":
        return np.asarray(totals.sum(axis=1) ** 2 - (totals**2).sum(axis=1), dtype=np.float64)
    distances = _squared_distance(patterns.categories[:, None], patterns.categories[None, :], scale)
    return np.asarray(((totals @ distances) * totals).sum(axis=1), dtype=np.float64)


def _alpha_ordinal(patterns: RatingPatterns, weights: FloatArray) -> FloatArray:
    """Ordinal distances are differences of mid-ranks, which each resample ranks anew."""
    totals = np.asarray(weights @ _incidence(patterns))
    n_ratings = totals.sum(axis=1)
    mid_ranks = (np.cumsum(totals, axis=1) - totals / 2) / n_ratings[:, None]
    padded = np.concatenate([mid_ranks, np.zeros((mid_ranks.shape[0], 1))], axis=1)
    per_rating = padded[:, patterns.codes]
    sums, squares = per_rating.sum(axis=2), (per_rating**2).sum(axis=2)
    per_unit = 2 * (patterns.counts * squares - sums**2) / (patterns.counts - 1)
    observed = (weights * per_unit).sum(axis=1)
    grand, grand_squares = (totals * mid_ranks).sum(axis=1), (totals * mid_ranks**2).sum(axis=1)
    expected = _without_rounding(n_ratings * grand_squares, grand**2)
    return _alpha(observed, expected, n_ratings)
