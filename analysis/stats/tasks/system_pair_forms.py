"""Statistics that are means over pairs of systems: swapped between metrics as linear forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.stats.arrays import CELLS_IN_MEMORY, FloatArray
from analysis.stats.resampling.permutation import SLACK, random_bytes


@dataclass(frozen=True)
class SystemPairForms:
    """For each metric the mean, over pairs of systems, of how well it decides the pair.

    Two metrics change places system by system. A pair's value then depends on the coins of its two
    systems, σ = 1 where a system keeps its place and −1 where not. Of the two swapped metrics'
    means, what depends on products of coins is the same; their difference is a linear form in the
    coins, exactly.

    Parameters
    ----------
    between : callable
        Of two metrics, values of every pair of systems (i, j), the first metric scoring i and the
        second j; only i < j counts.
    own : ndarray, shape (metrics, systems, systems)
        The same of each metric with itself.
    """

    between: Callable[[int, int], FloatArray]
    own: FloatArray

    @property
    def pairs_of_systems(self) -> int:
        """How many pairs of systems there are."""
        n = int(self.own.shape[1])
        return n * (n - 1) // 2

    @property
    def values(self) -> FloatArray:
        """Value of each metric."""
        return np.asarray(np.triu(self.own, k=1).sum(axis=(1, 2)) / self.pairs_of_systems)

    def differences(self, pairs: Sequence[tuple[int, int]], bits: FloatArray) -> FloatArray:
        """Return the first metric's value less the second's after each swap (pairs × draws)."""
        forms = np.array([self._form(first, second) for first, second in pairs])
        return np.asarray(forms.reshape(len(pairs), -1) @ (1 - 2 * bits))

    def _form(self, first: int, second: int) -> FloatArray:
        kept, changed = self.own[first], self.own[second]
        one, other = self.between(first, second), self.between(second, first)
        of_rows = np.triu(kept + one - other - changed, k=1).sum(axis=1)
        of_columns = np.triu(kept - one + other - changed, k=1).sum(axis=0)
        return np.asarray((of_rows + of_columns) / (2 * self.pairs_of_systems))

    def resampled(self, counts: FloatArray) -> FloatArray:
        """Return the values (metrics × draws) where systems occur as often as `counts` says.

        Copies of one system are no pair.
        """
        upper = np.triu(self.own, k=1)
        above = np.stack([((one @ counts) * counts).sum(axis=0) for one in upper])
        ones = np.triu(np.ones(upper.shape[1:]), k=1)
        pairs = ((ones @ counts) * counts).sum(axis=0)
        return np.asarray(above / np.where(pairs > 0, pairs, np.nan))


def system_pair_accuracy(
    metrics: FloatArray, human: FloatArray, tie: float = 0.0
) -> SystemPairForms:
    """Return the share of pairs of systems that metric and human raters put in the same order.

    A pair that both sides tie agrees, one that a single side ties does not. Kocmi et al. (2021).

    Parameters
    ----------
    metrics : ndarray, shape (metrics, systems)
        System values; standardised, since only their order counts, so that they can be swapped.
    human : ndarray, shape (systems,)
    tie : float
        Human values that are as close as this are tied.
    """
    gap = human[:, None] - human
    by_human = np.sign(np.where(np.abs(gap) <= tie, 0.0, gap))
    deviations = metrics.std(axis=1, keepdims=True)
    centred = metrics - metrics.mean(axis=1, keepdims=True)
    scaled = centred / np.where(deviations > 0, deviations, 1.0)

    def between(first: int, second: int) -> FloatArray:
        # A metric's own ties are those of its values as they are given.
        sides = metrics if first == second else scaled
        order = np.sign(sides[first][:, None] - sides[second][None, :])
        return np.asarray(order == by_human, dtype=np.float64)

    own = np.stack([between(place, place) for place in range(len(metrics))])
    return SystemPairForms(between, own)


def soft_system_pairs(
    metrics: FloatArray, human: FloatArray, *, draws: int, seed: int
) -> SystemPairForms:
    """Return 1 − |p by human raters − p by the metric| of pairs of systems (Thompson et al. 2024).

    Parameters
    ----------
    metrics : ndarray, shape (metrics, segments, systems)
        No cell is missing.
    human : ndarray, shape (segments, systems)
    draws, seed : int
        Of the flips of segments behind each p, the same for human raters and all metrics.
    """
    sums = FlippedSums(_scaled(metrics), draws, seed)
    by_human = FlippedSums(human[None], draws, seed).p_values(0, 0)

    def between(first: int, second: int) -> FloatArray:
        return np.asarray(1 - np.abs(by_human - sums.p_values(first, second)))

    own = np.stack([between(place, place) for place in range(len(metrics))])
    return SystemPairForms(between, own)


def _scaled(metrics: FloatArray) -> FloatArray:
    deviations = metrics.std(axis=(1, 2), keepdims=True)
    return np.asarray(
        (metrics - metrics.mean(axis=(1, 2), keepdims=True))
        / np.where(deviations > 0, deviations, 1)
    )


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
