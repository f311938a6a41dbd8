"""Rank correlations of system values: swapped between metrics and resampled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.stats.arrays import FloatArray
from analysis.stats.comparison.swapped_coefficients import Groups, swapped_differences
from analysis.stats.correlation.grouped_correlation import rowwise_coefficients


@dataclass(frozen=True)
class SystemRanks:
    """Spearman's ρ or Kendall's τ-b of each metric's system values with human.

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
        human_scores = np.broadcast_to(self.human, self.metrics.shape)
        return rowwise_coefficients(self.metrics, human_scores, self.coefficient)[0]

    def differences(self, pairs: Sequence[tuple[int, int]], bits: FloatArray) -> FloatArray:
        """Return the first metric's value less the second's after each swap (pairs × draws)."""
        spread = self.metrics.std(axis=1, keepdims=True)
        scaled = (self.metrics - self.metrics.mean(axis=1, keepdims=True)) / spread
        everywhere = np.ones((1, self.human.size), dtype=bool)
        draws = bits.shape[1]
        swaps = [(slice(0, 1), slice(0, draws), bits.astype(np.uint8)[None])]
        return np.stack(
            [
                swapped_differences(
                    Groups(scaled[list(pair), None], self.human[None], everywhere),
                    self.coefficient,
                    draws,
                    swaps,
                )
                for pair in pairs
            ]
        )

    def resampled(self, counts: FloatArray) -> FloatArray:
        """Return the values (metrics × draws) where systems occur as often as `counts` says."""
        systems = np.arange(self.human.size)
        taken = np.stack([np.repeat(systems, draw) for draw in counts.astype(np.int64).T])
        human_scores = self.human[taken]
        return np.stack(
            [
                rowwise_coefficients(each[taken], human_scores, self.coefficient)[0]
                for each in self.metrics
            ]
        )
