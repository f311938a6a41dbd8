"""Ratings under weights of annotators and of units, as resampling needs them.

A weight says how often an annotator, or a unit, was drawn. Copies of a unit are units like any
other; copies of one annotator are not two raters: a pair of ratings counts as often as its two
different annotators were drawn together, and a rating never forms a pair with its own copy. With
all weights one, each statistic is the plain one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np
import scipy

from analysis.stats.agreement.coded_ratings import Weights, agreement_weight
from analysis.stats.arrays import CELLS_IN_MEMORY, FloatArray, ratio


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
    def once(cls, values: FloatArray, units: FloatArray | None = None) -> WeightedRatings:
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

    def category_totals(self, categories: FloatArray, of_units: FloatArray) -> FloatArray:
        """Add up weights of ratings, times a factor of units, by category (draws × categories)."""
        rows, slots = np.nonzero(np.isfinite(self.values))
        codes = np.searchsorted(categories, self.values[rows, slots])
        if len(self.weights) == 1:
            ends = np.searchsorted(rows, np.arange(len(self.values) + 1))
            entries = self.weights[0, rows, slots] * of_units[0, rows], codes, ends
            shape = len(self.values), categories.size
            table = scipy.sparse.csr_array(entries, shape=shape)
            few = len(self.values) * categories.size <= CELLS_IN_MEMORY
            return np.asarray(self.units @ (table.toarray() if few else table), dtype=np.float64)
        places = np.arange(codes.size)
        member = scipy.sparse.csr_array(
            (np.ones(codes.size), (codes, places)), shape=(categories.size, codes.size)
        )
        weights = self.weights[:, rows, slots] * (self.units * of_units)[:, rows]
        return np.asarray((member @ weights.T).T, dtype=np.float64)

    def category_shares(self, categories: FloatArray) -> FloatArray:
        """Return the mean over rated units of each unit's shares of the categories.

        Draws × categories (Gwet 2014); NaN where no unit is rated.
        """
        totals = self.totals()
        rated = (totals > 0).astype(np.float64)
        shares = self.category_totals(categories, rated / np.maximum(totals, 1.0))
        return ratio(shares, self.over_units(rated)[:, None])


WeightedAgreement: TypeAlias = Callable[[WeightedRatings], FloatArray]
"""A coefficient of agreement as a function of weights: one value a draw, NaN where undefined."""


def chance_corrected(observed: FloatArray, expected: FloatArray) -> FloatArray:
    """Return (observed − expected) / (1 − expected), NaN where chance gives full agreement."""
    return ratio(observed - expected, 1 - expected)
