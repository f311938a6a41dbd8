"""Statistics of many entries on one study, which are swapped between entries and resampled."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.stats.arrays import CELLS_IN_MEMORY, BoolArray, FloatArray, is_constant, ratio
from analysis.stats.comparison.metric_permutation import scaled
from analysis.stats.comparison.swapped_coefficients import Groups, swapped_differences
from analysis.stats.correlation.pearson import r_of_sums, rowwise_coefficients
from analysis.stats.resampling.permutation import SLACK, random_bytes


@dataclass(frozen=True)
class UnitSums:
    """A statistic of each entry (a metric, or a system) that is made of sums over units.

    Units are segments or systems. If two entries change places on some units, the sums of the
    first lose its own terms of these units and gain the other's: all swaps of all pairs of entries
    come from one matrix product.

    Parameters
    ----------
    terms : ndarray, shape (entries, sums, units)
        What each unit adds to each sum.
    of_sums : callable
        Makes values (…) of sums (sums × …), NaN where undefined.
    """

    terms: FloatArray
    of_sums: Callable[[FloatArray], FloatArray]

    @property
    def values(self) -> FloatArray:
        """Value of each entry."""
        return self.of_sums(self.terms.sum(axis=2).T)

    def differences(self, pairs: Sequence[tuple[int, int]], bits: FloatArray) -> FloatArray:
        """Return the first entry's value less the second's after each swap (pairs × draws).

        Parameters
        ----------
        pairs : sequence of (int, int)
        bits : ndarray of 0 and 1, shape (units, draws)
            1 where the two change places.
        """
        entries, sums, units = self.terms.shape
        moved = (self.terms.reshape(-1, units) @ bits).reshape(entries, sums, -1)
        totals = self.terms.sum(axis=2)[:, :, None]
        found = np.empty((len(pairs), bits.shape[1]))
        for place, (first, second) in enumerate(pairs):
            change = moved[second] - moved[first]
            found[place] = self.of_sums(totals[first] + change)
            found[place] -= self.of_sums(totals[second] - change)
        return found

    def resampled(self, counts: FloatArray) -> FloatArray:
        """Return the values (entries × draws) where units occur as often as `counts` says.

        Parameters
        ----------
        counts : ndarray, shape (units, draws)
        """
        entries, sums, units = self.terms.shape
        drawn = (self.terms.reshape(-1, units) @ counts).reshape(entries, sums, -1)
        return self.of_sums(drawn.swapaxes(0, 1))


def pearson_by_unit(metrics: FloatArray, human: FloatArray) -> UnitSums:
    """Return Pearson's r of each metric, all cells of all units pooled.

    Parameters
    ----------
    metrics : ndarray, shape (metrics, units, cells)
        NaN where missing.
    human : ndarray, shape (units, cells)

    Notes
    -----
    Both sides are standardised over the cells that they share, so that swapped scores are on one
    scale.
    """
    terms = np.empty((len(metrics), 6, metrics.shape[1]))
    for place, scores in enumerate(metrics):
        present = np.isfinite(scores) & np.isfinite(human)
        x, h = _standardised_cells(scores, present), _standardised_cells(human, present)
        parts = (present.astype(np.float64), x, h, x * x, h * h, x * h)
        terms[place] = [part.sum(axis=1) for part in parts]
    return UnitSums(terms, lambda sums: r_of_sums(np.moveaxis(sums, 0, -1)))


def ratio_by_unit(above: FloatArray, below: FloatArray) -> UnitSums:
    """Return Σ above / Σ below of each entry; both are entries × units.

    With 1 below where a unit is there, it is a mean over units.
    """
    return UnitSums(np.stack([above, below], axis=1), lambda sums: ratio(sums[0], sums[1]))


def mean_by_unit(values: FloatArray) -> UnitSums:
    """Return the mean of each entry over the units where it is not NaN (entries × units)."""
    return ratio_by_unit(np.nan_to_num(values), np.isfinite(values).astype(np.float64))


def _standardised_cells(values: FloatArray, present: BoolArray) -> FloatArray:
    if is_constant(values[present]):
        return np.zeros(values.shape)
    return np.asarray(scaled(values[None], present, "standardised")[0])


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
    scaled = _scaled(metrics, 1)

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
    sums = FlippedSums(_scaled(metrics, (1, 2)), draws, seed)
    by_human = FlippedSums(human[None], draws, seed).p_values(0, 0)

    def between(first: int, second: int) -> FloatArray:
        return np.asarray(1 - np.abs(by_human - sums.p_values(first, second)))

    own = np.stack([between(place, place) for place in range(len(metrics))])
    return SystemPairForms(between, own)


def _scaled(metrics: FloatArray, axis: int | tuple[int, ...]) -> FloatArray:
    deviations = metrics.std(axis=axis, keepdims=True)
    centred = metrics - metrics.mean(axis=axis, keepdims=True)
    return np.asarray(centred / np.where(deviations > 0, deviations, 1.0))


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
