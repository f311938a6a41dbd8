"""Accuracy with calibrated ties of many metrics over the same pairs of outputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.stats.arrays import BoolArray, FloatArray, ratio

HumanTies = Literal["exact", "rounded"]
HUMAN_TIES: dict[HumanTies, float] = {"exact": 0.0, "rounded": 1e-9}
"""Human scores are tied if they are equal, as in the shared tasks, or up to rounding noise."""
BINS = 1 << 13


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


class TieAccuracy:
    """Calibrates metrics one after the other beside the same human scores.

    A metric ties a pair of outputs of a segment if their gap is at most a threshold; the threshold
    is the one with the highest mean over segments of the share of pairs that are right (Deutsch,
    Foster and Freitag 2023). The share changes only at gaps of pairs that people tie or that the
    metric orders as people do, and rises only at the former. Where all segments have as many pairs,
    what is right between two thresholds is bounded by counting gaps in bins, so that only the gaps
    in a few bins are sorted.

    Parameters
    ----------
    human : ndarray, shape (segments, systems)
        NaN where missing.
    human_ties : {"exact", "rounded"}
    """

    def __init__(self, human: FloatArray, human_ties: HumanTies = "exact") -> None:
        self.first, self.second = np.triu_indices(human.shape[1], k=1)
        by_system = np.ascontiguousarray(human.T)
        gap = by_system[self.first] - by_system[self.second]
        self.rated: BoolArray = np.isfinite(gap)
        sizes = np.where(self.rated, np.abs(gap), np.inf)
        self.tied: BoolArray = sizes <= HUMAN_TIES[human_ties]
        self.sign = np.where(self.tied | ~self.rated, 0.0, np.sign(gap))

    def calibrate(self, metric: FloatArray) -> CalibratedTies:
        """Return the accuracy of a metric (segments × systems, NaN where missing)."""
        by_system = np.ascontiguousarray(metric.T)
        gap = by_system[self.first] - by_system[self.second]
        present = np.isfinite(gap) & self.rated
        pairs = present.sum(axis=0).astype(np.float64)
        ordered = gap * self.sign > 0
        tied = self.tied if present.all() else self.tied & present
        np.abs(gap, out=gap)
        with_pair = pairs[pairs > 0]
        if not with_pair.size:
            return CalibratedTies(0.0, pairs, pairs)
        if (with_pair == with_pair[0]).all():
            threshold = _best_of_equal(gap[tied], gap[ordered])
        else:
            threshold = _best_of_weighted(gap, tied, ordered, pairs)
        passed = gap <= threshold
        right = ((tied & passed) | (ordered & ~passed)).sum(axis=0).astype(np.float64)
        return CalibratedTies(threshold, right, pairs)


def _best_of_equal(tied: FloatArray, ordered: FloatArray) -> float:
    """Return the smallest threshold with most right pairs, all counting alike.

    Right at a threshold are the tied pairs up to it and the ordered ones beyond.
    """
    if not tied.size:
        return 0.0
    # Gaps of metrics crowd near zero.
    scale = (BINS - 1) / np.sqrt(max(tied.max(), ordered.max(initial=0.0), 1e-300))
    of_tied, of_ordered = ((np.sqrt(side) * scale).astype(np.int32) for side in (tied, ordered))
    gained = np.bincount(of_tied, minlength=BINS)
    lost = np.bincount(of_ordered, minlength=BINS)
    after = np.cumsum(gained - lost)
    before = after - gained + lost
    # 0 is a threshold too: it ties pairs whose gap is 0.
    at_least = max(int(after.max()), int((tied == 0).sum()))
    open_bins = before + gained >= at_least
    some_tied = np.sort(tied[open_bins[of_tied]])
    some_ordered = np.sort(ordered[open_bins[of_ordered]])
    offset = np.cumsum(np.where(open_bins, 0, gained - lost))
    thresholds, counts = np.unique(some_tied, return_counts=True)
    if thresholds.size == 0 or thresholds[0] > 0:
        thresholds, counts = np.append(0.0, thresholds), np.append(0, counts)
    skipped = offset[(np.sqrt(thresholds) * scale).astype(np.int32)]
    right = np.cumsum(counts) - np.searchsorted(some_ordered, thresholds, side="right") + skipped
    return float(thresholds[np.argmax(right)])


def _best_of_weighted(
    gap: FloatArray, tied: BoolArray, ordered: BoolArray, pairs: FloatArray
) -> float:
    """Return the same where segments count alike and pairs do not."""
    weights = np.divide(1.0, pairs, out=np.zeros(pairs.size), where=pairs > 0)
    matters = tied | ordered
    gains = np.where(tied, weights, -weights)[matters]
    gaps = gap[matters]
    order = np.argsort(gaps, kind="stable")
    gaps, running = gaps[order], np.cumsum(gains[order])
    last = np.append(gaps[1:] != gaps[:-1], True)[: gaps.size]
    thresholds, values = _from_zero(gaps[last], running[last])
    # Sums in another order differ by rounding; a threshold must not depend on that.
    return float(thresholds[np.argmax(values >= values.max() - 1e-9 * weights.sum())])


def _from_zero(thresholds: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    if thresholds.size and thresholds[0] == 0:
        return thresholds, values
    return np.append(0.0, thresholds), np.append(0.0, values)
