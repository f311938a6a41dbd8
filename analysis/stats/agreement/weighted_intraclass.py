"""Intraclass correlation under weights of annotators and of units, as resampling needs it.

The plain forms (`agreement.intraclass`) stay by themselves: their tests and intervals need the
mean squares of complete tables.
"""

from __future__ import annotations

import numpy as np

from analysis.stats.agreement.weighted_ratings import WeightedAgreement, WeightedRatings
from analysis.stats.arrays import FloatArray, ratio

FLAT = 1e-12


def weighted_icc_one_way(k: float | None = None) -> WeightedAgreement:
    """ICC(1,1), or ICC(1,k), by moments of the weighted one-way analysis of variance.

    Expected sums of squares with weights w: within, σ²_w Σ_u (M − Q/M); between,
    σ²_b (N − Σ M²/N) + σ²_w (Σ Q/M − Σ Q/N), with M and Q the sums of w and w² in a unit. A unit
    with several raters, of whom only one was drawn, is left out of the draw.
    """

    def icc(drawn: WeightedRatings) -> FloatArray:
        centred = np.nan_to_num(drawn.values - np.nanmean(drawn.values))
        m, q = drawn.totals(), drawn.squared_totals()
        total = (drawn.weights * centred).sum(axis=2)
        squares = (drawn.weights * centred**2).sum(axis=2)
        several = np.isfinite(drawn.values).sum(axis=1) > 1
        s = (m > 0) * ((drawn.pair_weights() > 0) | ~several)
        per_rating = s / np.where(m > 0, m, 1.0)
        by_mean = total**2 * per_rating
        n, own, within_sum, between_sum, grand, of_q, of_m = (
            drawn.over_units(side)
            for side in (
                *(s * m, q * per_rating, s * squares - by_mean),
                *(by_mean, s * total, s * q, s * m**2),
            )
        )
        within = ratio(within_sum, n - own)
        n = np.maximum(n, FLAT)
        noise = within * (own - of_q / n)
        between = ratio(between_sum - grand**2 / n - noise, n - of_m / n)
        return _of_mean(ratio(between, between + within), k)

    return icc


def _of_mean(single: FloatArray, k: float | None) -> FloatArray:
    if k is None:
        return single
    return ratio(k * single, 1 + (k - 1) * single)


def weighted_icc_two_way(*, absolute: bool, mean: bool) -> WeightedAgreement:
    """ICC(2) (absolute) or ICC(3) of crossed raters, from covariances of pairs of raters.

    With v̄ the mean variance of a rater, c̄ the mean covariance of two and ρ² the variance between
    raters: c̄ / (v̄ + ρ²) and c̄ / v̄. Slots are raters.
    """

    def icc(drawn: WeightedRatings) -> FloatArray:
        k = drawn.values.shape[1]
        x = drawn.values - drawn.values.mean(axis=0).mean()
        n = drawn.units.sum(axis=1)
        means = (drawn.units @ x) / n[:, None]
        products = (drawn.units @ (x[:, :, None] * x[:, None, :]).reshape(len(x), -1)).reshape(
            -1, k, k
        )
        covariance = products - n[:, None, None] * means[:, :, None] * means[:, None, :]
        covariance /= np.maximum(n - 1, FLAT)[:, None, None]
        own = drawn.weights[:, 0, :]
        pairs = own[:, :, None] * own[:, None, :]
        pairs[:, np.arange(k), np.arange(k)] = 0.0
        total = pairs.sum(axis=(1, 2))
        gaps = (means[:, :, None] - means[:, None, :]) ** 2 / 2
        shared = ratio((pairs * covariance).sum(axis=(1, 2)), total)
        diagonal = covariance[:, np.arange(k), np.arange(k)]
        single = ratio((own * diagonal).sum(axis=1), own.sum(axis=1))
        severity = ratio((pairs * gaps).sum(axis=(1, 2)), total) - (single - shared) / n
        extra = severity if absolute else np.zeros(severity.shape)
        if mean:
            return ratio(k * shared, single + (k - 1) * shared + extra)
        return ratio(shared, single + extra)

    return icc
