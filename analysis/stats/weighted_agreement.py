"""Agreement of raters under weights of annotators and of segments, as resampling needs it.

A weight says how often an annotator, or a segment, was drawn. Copies of a segment are segments
like any other; copies of one annotator are not two raters: a pair of ratings counts as often as
its two different annotators were drawn together, and a rating never forms a pair with its own
copy. With all weights one, each value is that of the plain statistic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import TypeAlias

import numpy as np
import scipy

from analysis.stats.alpha_disagreement import Scale
from analysis.stats.arrays import BoolArray, FloatArray, IntArray, ratio
from analysis.stats.coded_ratings import Weights, agreement_weight
from analysis.stats.pearson import r_of_sums
from analysis.stats.rater_correlations import mean_of_drawn_pairs

FLAT = 1e-12
LEAST_COMMON = 3
"""Units that two raters must share for a correlation between them."""


@dataclass(frozen=True)
class DrawnRatings:
    """Ratings laid out in slots, with the weight of each rating and unit in each draw.

    Parameters
    ----------
    values : ndarray, shape (units, slots)
        In file order, NaN after the last one.
    weights : ndarray, shape (draws, units, slots)
        How often the annotator of each rating was drawn; 0 where there is no rating.
    units : ndarray, shape (draws, units)
        How often each unit was drawn.

    Where only units, or only annotators, are drawn, the other has a single row for all draws.
    """

    values: FloatArray
    weights: FloatArray
    units: FloatArray

    def pairs(self) -> Iterator[tuple[FloatArray, FloatArray, FloatArray]]:
        """Yield first values, second values (units) and weights (draws × units) of slot pairs."""
        filled = np.nan_to_num(self.values)
        for first, second in combinations(range(self.values.shape[1]), 2):
            weight = self.weights[:, :, first] * self.weights[:, :, second]
            yield filled[:, first], filled[:, second], weight

    def totals(self) -> FloatArray:
        """Return each unit's weight of ratings (draws × units)."""
        return np.asarray(self.weights.sum(axis=2), dtype=np.float64)

    def pair_weights(self) -> FloatArray:
        """Return each unit's weight of pairs (draws × units)."""
        total = np.zeros(self.weights.shape[:2])
        for _, _, weight in self.pairs():
            total += weight
        return total

    def mean_over_pairs(
        self, of_pair: Callable[[FloatArray, FloatArray], FloatArray]
    ) -> tuple[FloatArray, BoolArray]:
        """Return each unit's mean of a quantity over its pairs, and which units have a pair."""
        total = np.zeros(1)
        for first, second, weight in self.pairs():
            total = total + weight * of_pair(first, second)
        pairs = self.pair_weights()
        mean = np.where(pairs > 0, total / np.where(pairs > 0, pairs, 1.0), 0.0)
        return mean, pairs > 0

    def category_totals(self, categories: FloatArray, weights: FloatArray) -> FloatArray:
        """Add up weights (draws × units × slots) by category (draws × categories)."""
        present = np.isfinite(self.values)
        codes = np.searchsorted(categories, self.values[present])
        shape = (categories.size, codes.size)
        member = scipy.sparse.csr_array(
            (np.ones(codes.size), (codes, np.arange(codes.size))), shape=shape
        )
        return np.asarray((member @ weights[:, present].T).T, dtype=np.float64)


WeightedAgreement: TypeAlias = Callable[[DrawnRatings], FloatArray]


def _observed(drawn: DrawnRatings, weights: Weights, categories: FloatArray) -> FloatArray:
    """Mean over units with a pair of the mean agreement of their pairs."""
    mean, has_pair = drawn.mean_over_pairs(lambda a, b: agreement_weight(a, b, weights, categories))
    units = drawn.units * has_pair
    return ratio((units * mean).sum(axis=1), units.sum(axis=1))


def _shares(drawn: DrawnRatings, categories: FloatArray) -> FloatArray:
    """Mean over rated units of each unit's shares of the categories (draws × categories)."""
    totals = drawn.totals()
    rated = drawn.units * (totals > 0)
    scale = rated / np.where(totals > 0, totals, 1.0)
    shares = drawn.category_totals(categories, drawn.weights * scale[:, :, None])
    return ratio(shares, rated.sum(axis=1, keepdims=True))


def weighted_percent_agreement(drawn: DrawnRatings) -> FloatArray:
    """Percent agreement, see `analysis.stats.rater_pairs.percent_agreement`."""
    return _observed(drawn, "unweighted", np.zeros(1))


def weighted_fleiss_kappa(categories: FloatArray) -> WeightedAgreement:
    """Fleiss' kappa, see `analysis.stats.fleiss.fleiss_kappa`."""

    def kappa(drawn: DrawnRatings) -> FloatArray:
        expected = (_shares(drawn, categories) ** 2).sum(axis=1)
        observed = _observed(drawn, "unweighted", categories)
        return ratio(observed - expected, 1 - expected)

    return kappa


def weighted_gwet_ac(categories: FloatArray, weights: Weights) -> WeightedAgreement:
    """Gwet's AC1 or AC2 with the categories of all ratings, see `analysis.stats.gwet.gwet_ac`."""
    table = agreement_weight(categories[:, None], categories[None, :], weights, categories)
    factor = float(table.sum()) / max(1, categories.size * (categories.size - 1))

    def coefficient(drawn: DrawnRatings) -> FloatArray:
        shares = _shares(drawn, categories)
        expected = factor * (shares * (1 - shares)).sum(axis=1)
        observed = _observed(drawn, weights, categories)
        return ratio(observed - expected, 1 - expected)

    return coefficient


def weighted_alpha(categories: FloatArray, scale: Scale) -> WeightedAgreement:
    """Krippendorff's alpha, its expected disagreement (and ranks) anew in each draw.

    α = 1 − (n² − Q) / n · Σ_u m_u d_u / Σ_{c,k} n_c n_k δ²(c, k), with m_u the weight of the
    ratings of unit u, d_u the mean disagreement of its pairs, n = Σ m_u and n² − Q the weight of
    ordered pairs of different ratings (n (n − 1) with weights of one).
    """

    def alpha(drawn: DrawnRatings) -> FloatArray:
        has_pair = drawn.pair_weights() > 0
        units = drawn.units * has_pair
        weights = drawn.weights * units[:, :, None]
        n = weights.sum(axis=(1, 2))
        own = (weights * drawn.weights).sum(axis=(1, 2))
        if scale == "interval":
            expected, disagreement = _interval_disagreement(drawn, weights, categories)
        else:
            totals = drawn.category_totals(categories, weights)
            expected, disagreement = _table_disagreement(drawn, totals, categories, scale)
        observed = (units * drawn.totals() * disagreement).sum(axis=1)
        return 1 - ratio((n**2 - own) * observed, n * expected)

    return alpha


def _interval_disagreement(
    drawn: DrawnRatings, weights: FloatArray, categories: FloatArray
) -> tuple[FloatArray, FloatArray]:
    low, span = categories[0], max(float(np.ptp(categories)), FLAT)
    values = np.nan_to_num((drawn.values - low) / span)
    n, total, squares = (
        (weights * part).sum(axis=(1, 2)) for part in (np.ones(values.shape), values, values**2)
    )
    disagreement, _ = drawn.mean_over_pairs(lambda a, b: ((a - b) / span) ** 2)
    return 2 * (n * squares - total**2), disagreement


def _table_disagreement(
    drawn: DrawnRatings, totals: FloatArray, categories: FloatArray, scale: Scale
) -> tuple[FloatArray, FloatArray]:
    if scale == "ordinal":
        n = totals.sum(axis=1, keepdims=True)
        ranks = ratio(np.cumsum(totals, axis=1) - totals / 2, n)
        ranks = np.nan_to_num(ranks)

        def between(first: FloatArray, second: FloatArray) -> FloatArray:
            places = [np.searchsorted(categories, side) for side in (first, second)]
            places = [np.minimum(place, categories.size - 1) for place in places]
            return np.asarray((ranks[:, places[0]] - ranks[:, places[1]]) ** 2, dtype=np.float64)

        mean = (totals * ranks).sum(axis=1)
        spread = n[:, 0] * (totals * ranks**2).sum(axis=1) - mean**2
        return 2 * spread, drawn.mean_over_pairs(between)[0]
    distance = _nominal if scale == "nominal" else _relative
    table = distance(categories[:, None], categories[None, :])
    return ((totals @ table) * totals).sum(axis=1), drawn.mean_over_pairs(distance)[0]


def _nominal(first: FloatArray, second: FloatArray) -> FloatArray:
    return np.asarray(first != second, dtype=np.float64)


def _relative(first: FloatArray, second: FloatArray) -> FloatArray:
    total = first + second
    ratio = np.divide(first - second, total, out=np.zeros(total.shape), where=total != 0)
    return np.asarray(ratio**2, dtype=np.float64)


@cache
def weighted_pearson(*, both_ways: bool) -> WeightedAgreement:
    """Pearson's r of pairs of ratings, in file order or each pair entered both ways."""

    def r(drawn: DrawnRatings) -> FloatArray:
        sums = _sums_of_pairs(drawn)
        if both_ways:
            # Counts and products are the same with first and second exchanged.
            sums = (sums + sums[:, [0, 2, 1, 4, 3, 5]]) / 2
        return r_of_sums(sums)

    return r


def _sums_of_pairs(drawn: DrawnRatings) -> FloatArray:
    """Return each draw's sums over pairs of 1, x, y, x², y² and xy (draws × 6)."""
    present = drawn.values[np.isfinite(drawn.values)]
    centre = present.mean() if present.size else 0.0
    largest = max(float(np.abs(present - centre).max(initial=0.0)), FLAT)
    # Where all draws weigh ratings alike, pairs are added up once, and only units are drawn.
    alike = len(drawn.weights) == 1
    sums = np.zeros((len(drawn.values) if alike else 1, 6))
    for first, second, weight in drawn.pairs():
        x, y = (first - centre) / largest, (second - centre) / largest
        products = np.column_stack([np.ones(x.shape), x, y, x * x, y * y, x * y])
        if alike:
            sums += weight[0][:, None] * products
        else:
            sums = sums + (weight * drawn.units) @ products
    return np.asarray(drawn.units @ sums if alike else sums, dtype=np.float64)


def weighted_icc_one_way(k: float | None = None) -> WeightedAgreement:
    """ICC(1,1), or ICC(1,k), by moments of the weighted one-way analysis of variance.

    Expected sums of squares with weights w: within, σ²_w Σ_u (M − Q/M); between,
    σ²_b (N − Σ M²/N) + σ²_w (Σ Q/M − Σ Q/N), with M and Q the sums of w and w² in a unit. A unit
    with several raters, of whom only one was drawn, is left out of the draw.
    """

    def icc(drawn: DrawnRatings) -> FloatArray:
        centred = np.nan_to_num(drawn.values - np.nanmean(drawn.values))
        m, q = drawn.totals(), (drawn.weights**2).sum(axis=2)
        total = (drawn.weights * centred).sum(axis=2)
        squares = (drawn.weights * centred**2).sum(axis=2)
        safe = np.where(m > 0, m, 1.0)
        several = np.isfinite(drawn.values).sum(axis=1) > 1
        s = drawn.units * (m > 0) * ((drawn.pair_weights() > 0) | ~several)
        n, own = (s * m).sum(axis=1), (s * q / safe).sum(axis=1)
        within_sum = (s * (squares - total**2 / safe)).sum(axis=1)
        within = ratio(within_sum, (s * m).sum(axis=1) - own)
        grand = (s * total).sum(axis=1)
        between_sum = (s * total**2 / safe).sum(axis=1) - grand**2 / np.maximum(n, FLAT)
        noise = within * (own - (s * q).sum(axis=1) / np.maximum(n, FLAT))
        between = ratio(between_sum - noise, n - (s * m**2).sum(axis=1) / np.maximum(n, FLAT))
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

    def icc(drawn: DrawnRatings) -> FloatArray:
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


def weighted_rater_pairs(drawn: DrawnRatings) -> FloatArray:
    """Mean over pairs of raters of Pearson's r over their common units; slots are raters."""
    times = drawn.weights.max(axis=1, initial=0.0)
    return mean_of_drawn_pairs(drawn.values, times, drawn.units, LEAST_COMMON)


BY_UNIT = frozenset(
    {
        weighted_rater_pairs,
        weighted_pearson(both_ways=False),
        weighted_pearson(both_ways=True),
    }
)
"""Statistics that lay out nothing of a draw but its weights of units."""


def weighted_cohen_kappa(categories: FloatArray, weights: Weights) -> WeightedAgreement:
    """Cohen's kappa of two raters under weights of units, see `analysis.stats.cohen`."""
    table = agreement_weight(categories[:, None], categories[None, :], weights, categories)

    def kappa(drawn: DrawnRatings) -> FloatArray:
        both = np.isfinite(drawn.values).all(axis=1)
        units = drawn.units[:, both] * drawn.weights[:, both].prod(axis=2)
        codes: IntArray = np.searchsorted(categories, drawn.values[both])
        n = units.sum(axis=1)
        observed = ratio((units * table[codes[:, 0], codes[:, 1]]).sum(axis=1), n)
        sides = [
            np.stack([units[:, codes[:, side] == c].sum(axis=1) for c in range(categories.size)], 1)
            for side in (0, 1)
        ]
        expected = ratio(((sides[0] @ table) * sides[1]).sum(axis=1), n**2)
        return ratio(observed - expected, 1 - expected)

    return kappa
