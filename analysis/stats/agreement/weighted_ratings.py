"""Ratings as categories, and under the weights of annotators and units that resampling draws.

A weight says how often an annotator, or a unit, was drawn. Copies of a unit are units like any
other; copies of one annotator are not two raters: a pair of ratings counts as often as its two
different annotators were drawn together, and a rating never forms a pair with its own copy. With
all weights one, each statistic is the plain one.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import CELLS_IN_MEMORY, FloatArray, IntArray, as_matrix, as_vector, ratio

Weights = Literal["unweighted", "linear", "quadratic"]


@dataclass(frozen=True, slots=True)
class CodedRatings:
    """Ratings of units without regard to who gave them.

    Parameters
    ----------
    values : ndarray, shape (units, most ratings of a unit)
        Ratings in file order, NaN after the last one.
    codes : ndarray of int, same shape
        Position of each value in `categories`, -1 where missing.
    counts : ndarray of int, shape (units,)
    categories : ndarray, ascending
    """

    values: FloatArray
    codes: IntArray
    counts: IntArray
    categories: FloatArray

    @property
    def pairs(self) -> int:
        """Number of pairs of ratings of one unit."""
        return int((self.counts * (self.counts - 1) // 2).sum())


def code_ratings(ratings: npt.ArrayLike, categories: npt.ArrayLike | None = None) -> CodedRatings:
    """Pack and code a units × raters matrix; units without a rating are left out.

    Raises
    ------
    ValueError
        If a rating is not among the given `categories`.
    """
    matrix = as_matrix(ratings)
    matrix = matrix[np.isfinite(matrix).any(axis=1)] if matrix.size else np.empty((0, 0))
    missing = np.isnan(matrix)
    order = np.argsort(missing, axis=1, kind="stable")
    counts = np.asarray((~missing).sum(axis=1), dtype=np.int64)
    values = np.take_along_axis(matrix, order, axis=1)[:, : int(counts.max(initial=0))]
    present = np.isfinite(values)
    observed = np.unique(values[present])
    domain = observed if categories is None else np.unique(as_vector(categories, "categories"))
    if not np.isin(observed, domain).all():
        raise ValueError("a rating is not among the categories")
    codes = np.full(values.shape, -1, dtype=np.int64)
    codes[present] = np.searchsorted(domain, values[present])
    return CodedRatings(values, codes, counts, domain)


def category_shares(coded: CodedRatings) -> FloatArray:
    """Return the mean over units of each unit's shares of the categories (Gwet 2014).

    As `WeightedRatings.category_shares` with weights of one, but faster: the codes are known.
    """
    present = coded.codes >= 0
    shares = np.broadcast_to((1 / np.maximum(coded.counts, 1))[:, None], coded.codes.shape)
    total = np.bincount(
        coded.codes[present], weights=shares[present], minlength=coded.categories.size
    )
    return np.asarray(total / max(1, coded.counts.size), dtype=np.float64)


def mean_over_ratings(coded: CodedRatings, per_category: FloatArray) -> FloatArray:
    """Return per unit the mean of a quantity that depends on the category of each rating."""
    looked_up = np.where(coded.codes >= 0, per_category[np.maximum(coded.codes, 0)], 0.0)
    return np.asarray(looked_up.sum(axis=1) / np.maximum(coded.counts, 1), dtype=np.float64)


def agreement_weight(
    left: FloatArray, right: FloatArray, weights: Weights, categories: FloatArray
) -> FloatArray:
    """Return how far two categories agree, from 1 (same) to 0 (the ends of the scale).

    Linear: 1 − |a − b| / range; quadratic: 1 − (a − b)² / range², on the category values.

    Raises
    ------
    ValueError
        If `weights` is not one of "unweighted", "linear", "quadratic".
    """
    if weights == "unweighted":
        return np.asarray(left == right, dtype=np.float64)
    if weights not in ("linear", "quadratic"):
        raise ValueError(f"unknown weights: {weights}")
    span = float(categories[-1] - categories[0]) if categories.size > 1 else 1.0
    distance = np.abs(left - right) / span
    return 1 - (distance if weights == "linear" else distance**2)


@dataclass(frozen=True)
class WeightedRatings:
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

    @classmethod
    def once(cls, values: FloatArray, units: FloatArray | None = None) -> "WeightedRatings":
        """Return ratings whose annotators are all drawn once; units too, unless weights are given.

        Slots may be empty anywhere.
        """
        weights = np.isfinite(values)[None].astype(np.float64)
        return cls(values, weights, np.ones((1, len(values))) if units is None else units)

    def over_units(self, quantity: FloatArray) -> FloatArray:
        """Add up a quantity (draws × units, or a single row for all draws) over the units drawn."""
        if len(quantity) == 1:
            total = self.units @ quantity[0]
        elif len(self.units) == 1:
            total = quantity @ self.units[0]
        else:
            total = np.einsum("du,du->d", self.units, quantity)
        return np.asarray(total, dtype=np.float64)

    def totals(self) -> FloatArray:
        """Return each unit's weight of ratings (draws × units)."""
        return np.asarray(self.weights.sum(axis=2), dtype=np.float64)

    def squared_totals(self) -> FloatArray:
        """Return each unit's sum of squared weights of ratings (draws × units)."""
        return np.asarray(np.einsum("dus,dus->du", self.weights, self.weights), dtype=np.float64)

    def pair_weights(self) -> FloatArray:
        """Return each unit's weight of pairs of different ratings (draws × units)."""
        return np.asarray((self.totals() ** 2 - self.squared_totals()) / 2, dtype=np.float64)

    def pairs(self) -> Iterator[tuple[FloatArray, FloatArray, FloatArray]]:
        """Yield first values, second values (units) and weights (draws × units) of slot pairs."""
        filled = np.nan_to_num(self.values)
        for first, second in combinations(range(self.values.shape[1]), 2):
            weight = self.weights[:, :, first] * self.weights[:, :, second]
            yield filled[:, first], filled[:, second], weight

    def mean_over_pairs(
        self, of_pair: Callable[[FloatArray, FloatArray], FloatArray]
    ) -> FloatArray:
        """Return each unit's mean of a quantity over its pairs, NaN without any (draws × units)."""
        total = np.zeros((1, len(self.values)))
        for first, second, weight in self.pairs():
            total = total + weight * of_pair(first, second)
        return ratio(total, self.pair_weights())

    def pair_agreement(self, weights: Weights, categories: FloatArray) -> FloatArray:
        """Return each unit's mean agreement of its pairs of ratings, NaN without any."""
        return self.mean_over_pairs(lambda a, b: agreement_weight(a, b, weights, categories))

    def mean_agreement(self, weights: Weights, categories: FloatArray) -> FloatArray:
        """Return the mean over units with a pair of the mean agreement of their pairs (draws,)."""
        agreement = self.pair_agreement(weights, categories)
        known = np.isfinite(agreement)
        return ratio(self.over_units(np.where(known, agreement, 0.0)), self.over_units(known * 1.0))

    def category_counts(
        self, categories: FloatArray, of_units: FloatArray
    ) -> Callable[[FloatArray], FloatArray]:
        """Return a function of weights of units that adds up weights of ratings by category.

        Each is multiplied by a factor of its unit; the sums are draws × categories.
        """
        rows, slots = np.nonzero(np.isfinite(self.values))
        codes = np.searchsorted(categories, self.values[rows, slots])
        if len(self.weights) == 1:
            ends = np.searchsorted(rows, np.arange(len(self.values) + 1))
            entries = self.weights[0, rows, slots] * of_units[0, rows], codes, ends
            shape = len(self.values), categories.size
            table = scipy.sparse.csr_array(entries, shape=shape)
            few = len(self.values) * categories.size <= CELLS_IN_MEMORY
            by_unit = table.toarray() if few else table
            return lambda units: np.asarray(units @ by_unit, dtype=np.float64)
        places = np.arange(codes.size)
        member = scipy.sparse.csr_array(
            (np.ones(codes.size), (codes, places)), shape=(categories.size, codes.size)
        )

        def counts(units: FloatArray) -> FloatArray:
            weights = self.weights[:, rows, slots] * (units * of_units)[:, rows]
            return np.asarray((member @ weights.T).T, dtype=np.float64)

        return counts

    def category_shares(self, categories: FloatArray) -> FloatArray:
        """Return the mean over rated units of each unit's shares of the categories.

        Draws × categories (Gwet 2014); NaN where no unit is rated.
        """
        totals = self.totals()
        rated = (totals > 0).astype(np.float64)
        shares = self.category_counts(categories, rated / np.maximum(totals, 1.0))(self.units)
        return ratio(shares, self.over_units(rated)[:, None])


WeightedAgreement: TypeAlias = Callable[[WeightedRatings], FloatArray]
"""A coefficient of agreement as a function of weights: one value a draw, NaN where undefined."""


def chance_corrected(observed: FloatArray, expected: FloatArray) -> FloatArray:
    """Return (observed − expected) / (1 − expected), NaN where chance gives full agreement."""
    return ratio(observed - expected, 1 - expected)
