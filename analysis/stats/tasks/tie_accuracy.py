"""Accuracy with calibrated ties of many metrics over the same pairs of outputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.stats.arrays import FloatArray, ratio
from analysis.stats.correlation.tie_calibration import best_threshold, crossings_of, right_at

HumanTies = Literal["exact", "rounded"]
HUMAN_TIES: dict[HumanTies, float] = {"exact": 0.0, "rounded": 1e-9}
"""Human scores are tied if they are equal, as in the shared tasks, or up to rounding noise."""


@dataclass(frozen=True, slots=True)
class CalibratedTies:
    """Accuracy of one metric at its best threshold.

    Parameters
    ----------
    threshold : float
        The smallest that reaches the highest accuracy.
    right, pairs : ndarray, shape (segments,)
        Pairs decided right, and all pairs.
    """

    threshold: float
    right: FloatArray
    pairs: FloatArray

    @property
    def shares(self) -> FloatArray:
        """Share decided right of each segment, NaN without a pair."""
        return ratio(self.right, self.pairs)


def calibrate(
    metric: FloatArray, human: FloatArray, human_ties: HumanTies = "exact"
) -> CalibratedTies:
    """Return the accuracy of a metric at its best threshold (Deutsch, Foster and Freitag 2023).

    A metric ties a pair of outputs of a segment if their gap is at most a threshold; the best one
    has the highest mean over segments of the share of pairs that are right.

    Parameters
    ----------
    metric, human : ndarray, shape (segments, systems)
        NaN where missing.
    human_ties : {"exact", "rounded"}
    """
    crossings = crossings_of(metric, human, human_tie=HUMAN_TIES[human_ties])
    threshold = best_threshold(crossings, np.nan_to_num(ratio(1.0, crossings.pairs)))
    return CalibratedTies(threshold, right_at(crossings, threshold), crossings.pairs)
