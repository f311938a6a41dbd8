"""Agreement beyond chance of coded ratings, with its linearised standard error."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.stats.agreement.coded_ratings import CodedRatings, Weights
from analysis.stats.agreement.weighted_ratings import WeightedRatings
from analysis.stats.arrays import FloatArray
from analysis.stats.results import Estimate, Interval


def why_undefined(coded: CodedRatings) -> str:
    """Say why no agreement beyond chance can be computed; empty if it can."""
    if not (coded.counts >= 2).any():
        return "no unit was rated twice"
    return "all ratings are in one category" if coded.categories.size < 2 else ""


@dataclass(frozen=True, slots=True)
class ChanceCorrected:
    """(observed − expected) / (1 − expected); the error is None for a single unit."""

    coded: CodedRatings
    observed: float
    expected: float
    value: float
    error: float | None

    @classmethod
    def of(
        cls, coded: CodedRatings, weights: Weights, expected: float, chance: FloatArray
    ) -> ChanceCorrected:
        """Compute it, with its error by linearisation (Gwet 2014).

        Parameters
        ----------
        coded : CodedRatings
        weights : {"unweighted", "linear", "quadratic"}
            How far two categories agree.
        expected : float
            Agreement by chance.
        chance : ndarray, shape (units,)
            Mean over a unit's ratings of their agreement by chance.
        """
        agreement = WeightedRatings.once(coded.values).pair_agreement(weights, coded.categories)[0]
        observed = float(np.nanmean(agreement))
        value = (observed - expected) / (1 - expected)
        n_units, pairable = coded.counts.size, coded.counts >= 2
        if n_units < 2:
            return cls(coded, observed, expected, value, None)
        above = n_units / pairable.sum() * (np.nan_to_num(agreement) - expected)
        own = np.where(pairable, above, 0.0) / (1 - expected)
        influence = own - 2 * (1 - value) * (chance - expected) / (1 - expected)
        squares = float(((influence - value) ** 2).sum())
        return cls(coded, observed, expected, value, math.sqrt(squares / (n_units * (n_units - 1))))

    def estimate(
        self, name: str, level: float, method: str, p_value: float | None, **test: object
    ) -> Estimate:
        """Return the value with Student's t interval, a test's p-value and facts of the test."""
        counts, interval = self.coded.counts, None
        pairable = int((counts >= 2).sum())
        if self.error is not None:
            half = float(scipy.stats.t.ppf((1 + level) / 2, counts.size - 1)) * self.error
            low, high = self.value - half, min(1.0, self.value + half)
            interval = Interval(low, high, level, f"{method}, Student's t")
        return Estimate(
            self.value,
            n=pairable,
            unit="units",
            signature=name,
            raters=int(counts.max()),
            pairs=self.coded.pairs,
            p_value=p_value,
            interval=interval,
            details={
                "observed_agreement": self.observed,
                "expected_agreement": self.expected,
                "standard_error": self.error,
                **test,
                "categories": int(self.coded.categories.size),
                "units_rated_once": counts.size - pairable,
            },
        )
