"""One-sided sign-flip p-values of every two columns of scores, over the same flips."""

from __future__ import annotations

import numpy as np

from analysis.stats.arrays import CELLS_IN_MEMORY, FloatArray
from analysis.stats.comparison.swap_bits import random_bytes
from analysis.stats.resampling.permutation import SLACK


class FlippedSums:
    """Sums of scores over segments whose signs are flipped at random, for each metric and system.

    p of "i better than j" is the share of draws with Σ s (xᵢ − xⱼ) ≥ Σ (xᵢ − xⱼ). Flipped sums less
    the sums themselves are kept, z; the draw counts where zᵢ ≥ zⱼ. So any two columns, of one
    metric or of two, are compared without reading scores again.

    Parameters
    ----------
    scores : ndarray, shape (metrics, segments, systems)
        No cell is missing; metrics on one scale if they are compared with each other.
    draws, seed : int
    """

    def __init__(self, scores: FloatArray, draws: int, seed: int) -> None:
        n_metrics, n_segments, n_systems = scores.shape
        columns = scores.transpose(1, 0, 2).reshape(n_segments, -1)
        generator = np.random.default_rng(seed)
        self.draws = draws
        self.gaps = np.empty((n_metrics, n_systems, draws))
        flat = self.gaps.reshape(-1, draws)
        block = max(8, CELLS_IN_MEMORY // max(1, n_segments) // 8 * 8)
        for start in range(0, draws, block):
            size = min(block, draws - start)
            packed = random_bytes(generator, (-(-size // 8), n_segments))
            flips = np.unpackbits(packed, axis=0, count=size).astype(np.float64)
            # The flipped sum less the sum itself is minus twice what is flipped.
            flat[:, start : start + size] = -2 * (flips @ columns).T
        self.slack = SLACK * np.abs(scores).sum(axis=1)

    def p_values(self, first: int, second: int) -> FloatArray:
        """Return p of "system i by one metric is better than system j by another" (i × j).

        p = (c + 1) / (k + 1). Below the diagonal and on it there is nothing to read.
        """
        n = self.gaps.shape[1]
        found = np.ones((n, n))
        for place in range(n - 1):
            others = slice(place + 1, n)
            slack = self.slack[first, place] + self.slack[second, others]
            least = self.gaps[second, others] - slack[:, None]
            counted = (self.gaps[first, place] >= least).sum(axis=1)
            found[place, others] = (counted + 1) / (self.draws + 1)
        return found
