"""Rank correlations of system values: swapped between metrics and resampled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.stats.arrays import FloatArray
from analysis.stats.comparison.swap_bits import Groups
from analysis.stats.comparison.swapped_spearman import SwappedSpearman
from analysis.stats.comparison.swapped_tau import SwappedTau
from analysis.stats.correlation.grouped_correlation import rowwise_coefficients

PAIRS_AT_ONCE = 500


@dataclass(frozen=True)
class SystemRanks:
    """Spearman's ρ or Kendall's τ-b of each metric's system values with people's.

    Parameters
    ----------
    metrics : ndarray, shape (metrics, systems)
        None is constant.
    human : ndarray, shape (systems,)
    coefficient : {"spearman", "kendall-tau-b"}
    """

    metrics: FloatArray
    human: FloatArray
    coefficient: Literal["spearman", "kendall-tau-b"]

    @property
    def values(self) -> FloatArray:
        """Value of each metric."""
        people = np.broadcast_to(self.human, self.metrics.shape)
        return rowwise_coefficients(self.metrics, people, self.coefficient)[0]

    def differences(self, pairs: Sequence[tuple[int, int]], bits: FloatArray) -> FloatArray:
        """Return the first metric's value less the second's after each swap (pairs × draws)."""
        spread = self.metrics.std(axis=1, keepdims=True)
        scaled = (self.metrics - self.metrics.mean(axis=1, keepdims=True)) / spread
        everywhere = np.ones((1, self.human.size), dtype=bool)
        groups = Groups(scaled[:, None, :], self.human[None], everywhere)
        coins = bits.astype(np.uint8)[None]
        statistic = SwappedSpearman if self.coefficient == "spearman" else SwappedTau
        found = np.empty((len(pairs), bits.shape[1]))
        for start in range(0, len(pairs), PAIRS_AT_ONCE):
            some = slice(start, start + PAIRS_AT_ONCE)
            sums, counts = statistic(groups, pairs[some], [True] * len(pairs[some])).sums(coins)
            both = np.where(counts > 0, sums, np.nan)
            found[some] = both[:, 0] - both[:, 1]
        return found

    def resampled(self, counts: FloatArray) -> FloatArray:
        """Return the values (metrics × draws) where systems occur as often as `counts` says."""
        systems = np.arange(self.human.size)
        taken = np.stack([np.repeat(systems, draw) for draw in counts.astype(np.int64).T])
        people = self.human[taken]
        return np.stack(
            [
                rowwise_coefficients(each[taken], people, self.coefficient)[0]
                for each in self.metrics
            ]
        )
