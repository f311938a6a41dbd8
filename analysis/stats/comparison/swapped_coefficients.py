"""Correlations within groups after swapping scores of two metrics, of many swaps at once.

Write σ = 1 − 2b for the coin of a member. Sums of products with human scores are linear in σ. So is
the *difference* of the two swapped metrics' Σ_{p<q} a_pq · s(v_p − v_q), with s the sign and a the
sign of the human difference (Kendall) or the difference of human ranks (Spearman). In a group
without any tie among the scores of both metrics the denominators of both are always the same, and
the difference of the two coefficients is one linear form: one matrix product for all groups.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import BoolArray, FloatArray, Grouping, IntArray, ratio
from analysis.stats.correlation.concordance import signed_concordance
from analysis.stats.correlation.weighted_correlation import (
    WeightedCoefficient,
    WeightedStatistic,
    rank_correlation,
)
from analysis.stats.resampling.permutation import BITS_IN_BLOCK, Bits, random_bytes

Swap = Literal["cells", "segments", "systems", "both"]
SWAPS: tuple[Swap, ...] = ("cells", "segments", "systems", "both")


def by_group(matrices: npt.NDArray[np.generic], grouping: Grouping) -> npt.NDArray[np.generic]:
    """Lay (…, segments, systems) out as (…, groups, members); pooled is one group of all cells."""
    if grouping == "segment":
        return matrices
    if grouping == "system":
        return matrices.swapaxes(-1, -2)
    return matrices.reshape(*matrices.shape[:-2], 1, -1)


@dataclass(frozen=True, slots=True)
class SwapBits:
    """Which cells are swapped in which draw.

    * ``cells``: every cell by a coin of its own (the WMT metrics tools).
    * ``segments``, ``systems``: whole rows or whole columns (PERM-INPUT, PERM-SYS).
    * ``both``: a cell is swapped if its row's coin or its column's, but not both, says so
      (PERM-BOTH). Deutsch, Dror and Roth (2021).

    Parameters
    ----------
    swap : {"cells", "segments", "systems", "both"}
    grouping : {"none", "segment", "system"}
    segments, systems : int
        Shape of the score matrices.
    kept : ndarray of int
        Groups that are asked for.
    draws, seed : int
    """

    swap: Swap
    grouping: Grouping
    segments: int
    systems: int
    kept: IntArray
    draws: int
    seed: int

    @property
    def members(self) -> int:
        """Return the number of cells of a group."""
        sizes = {"segment": self.systems, "system": self.segments}
        return sizes.get(self.grouping, self.segments * self.systems)

    def blocks(self) -> Iterator[tuple[slice, slice, Bits]]:
        """Yield blocks of bits: all draws of some groups before those of the next.

        Yields
        ------
        groups : slice
            Into `kept`.
        draws : slice
        bits : ndarray of 0 and 1, shape (groups, members, draws)
        """
        generator = np.random.default_rng(self.seed)
        lines = self._lines(generator)
        n_groups = max(1, BITS_IN_BLOCK // (self.members * self.draws))
        for first in range(0, self.kept.size, n_groups):
            groups = slice(first, min(first + n_groups, self.kept.size))
            cells = (groups.stop - first, self.members)
            # Draws come in whole bytes.
            block = max(8, BITS_IN_BLOCK // (cells[0] * cells[1]) // 8 * 8)
            for start in range(0, self.draws, block):
                size = min(block, self.draws - start)
                n_bytes = -(-size // 8)
                if lines:
                    part = slice(start // 8, start // 8 + n_bytes)
                    packed = self._of_lines(lines[0][:, part], lines[1][:, part], groups)
                else:
                    packed = random_bytes(generator, (*cells, n_bytes))
                bits = np.unpackbits(packed, axis=-1, count=size)
                yield groups, slice(start, start + size), bits

    def _lines(self, generator: np.random.Generator) -> tuple[Bits, Bits] | None:
        """Return packed bits of rows and columns; None where each cell has its own."""
        if self.swap == "cells":
            return None
        n_bytes = -(-self.draws // 8)
        rows = random_bytes(generator, (self.segments, n_bytes))
        columns = random_bytes(generator, (self.systems, n_bytes))
        if self.swap == "segments":
            columns[:] = 0
        elif self.swap == "systems":
            rows[:] = 0
        return rows, columns

    def _of_lines(self, rows: Bits, columns: Bits, groups: slice) -> Bits:
        if self.grouping == "segment":
            return rows[self.kept[groups], None] ^ columns[None]
        if self.grouping == "system":
            return columns[self.kept[groups], None] ^ rows[None]
        return (rows[:, None] ^ columns[None]).reshape(1, self.members, -1)


ROUNDING = 1e-13
MEMBERS_AT_ONCE = 200_000
"""Members of a group whose bits are turned into numbers at once."""
COINS_AT_ONCE = 50_000
"""Bits that are turned into numbers at once: few enough to stay in a processor's cache."""
RankCoefficient = Literal["spearman", "kendall-tau-b"]


@dataclass(frozen=True, slots=True)
class Groups:
    """Scores of two metrics and of human raters, by group.

    Parameters
    ----------
    metrics : ndarray, shape (2, groups, members)
        Zero where missing.
    human : ndarray, shape (groups, members)
        Zero where missing; no group is constant.
    present : ndarray of bool, shape (groups, members)
    """

    metrics: FloatArray
    human: FloatArray
    present: BoolArray

    def __getitem__(self, groups: slice) -> "Groups":
        """Return a block of groups."""
        return Groups(self.metrics[:, groups], self.human[groups], self.present[groups])

    @property
    def sizes(self) -> FloatArray:
        """Return the number of members of each group."""
        return np.asarray(self.present.sum(axis=1), dtype=np.float64)

    def may_become_constant(self) -> bool:
        """Say whether some swap makes all scores of a metric the same in some group."""
        one, other = self.metrics
        first = self.present.argmax(axis=1)[:, None]
        values = np.take_along_axis(self.metrics, first[None], axis=2)
        alike = (one == values) | (other == values) | ~self.present
        return bool(alike.all(axis=2).any())


def swapped_differences(
    groups: Groups,
    coefficient: WeightedCoefficient,
    n_draws: int,
    blocks: Iterable[tuple[slice, slice, Bits]],
) -> FloatArray:
    """Return the first metric's mean coefficient less the second's after each swap.

    Parameters
    ----------
    groups : Groups
    coefficient : {"pearson", "spearman", "kendall-tau-b"}
    n_draws : int
    blocks : iterable of (slice of groups, slice of draws, bits)
        As `SwapBits.blocks` yields them.

    Returns
    -------
    ndarray, shape (draws,)
        A group counts where its swapped scores vary. NaN where none does.
    """
    sums, counts = np.zeros((2, 2, n_draws))
    both_sides = groups.may_become_constant()
    current, swapped = slice(0), None
    for part, draws, bits in blocks:
        if swapped is None or part != current:
            current, swapped = part, _swapped(groups[part], coefficient, both_sides)
        block_sums, block_counts = swapped.sums(bits)
        sums[:, draws] += block_sums
        counts[:, draws] += block_counts
    means = ratio(sums, counts)
    return np.asarray(means[0] - means[1])


def _swapped(
    groups: Groups, coefficient: WeightedCoefficient, both_sides: bool
) -> "_SwappedPearson | _SwappedRanks":
    if coefficient == "pearson":
        return _SwappedPearson(groups)
    return _SwappedRanks(groups, coefficient, both_sides)


class _SwappedPearson:
    """Pearson's r within each group.

    With bits b, the swapped first metric has Σx₁ + Σb·(x₂ − x₁), and so for squares and products;
    the second has what is left of Σx₁ + Σx₂.
    """

    def __init__(self, groups: Groups) -> None:
        self.sizes = groups.sizes[:, None]
        means = groups.human.sum(axis=1, keepdims=True) / self.sizes
        human = np.where(groups.present, groups.human - means, 0.0)
        human /= np.sqrt((human**2).sum(axis=1, keepdims=True))
        # One centre per group for both metrics: r does not change, and little is lost to rounding.
        centre = groups.metrics.sum(axis=(0, 2))[:, None] / (2 * self.sizes)
        scores = np.where(groups.present, groups.metrics - centre, 0.0)
        terms = np.stack([scores, scores**2, scores * human], axis=2)
        self.first, self.both = terms[0].sum(axis=2), terms.sum(axis=(0, 3))[:, :, None]
        self.gaps = terms[1] - terms[0]

    def sums(self, bits: Bits) -> tuple[FloatArray, FloatArray]:
        """Sum the coefficients of both swapped metrics over the groups.

        Parameters
        ----------
        bits : ndarray of 0 and 1, shape (groups, members, draws)

        Returns
        -------
        sums, counts : ndarray, shape (2, draws)
            Sum over the groups whose scores vary, and their number.
        """
        first = np.repeat(self.first[:, :, None], bits.shape[2], axis=2)
        for start in range(0, bits.shape[1], MEMBERS_AT_ONCE):
            part = slice(start, start + MEMBERS_AT_ONCE)
            first += self.gaps[:, :, part] @ bits[:, part].astype(np.float64)
        sums, counts = np.empty((2, 2, bits.shape[2]))
        for side, swapped in enumerate((first, self.both - first)):
            # Not `r_of_sums`: human scores have length one already.
            variation = swapped[:, 1] - swapped[:, 0] ** 2 / self.sizes
            varies = variation > ROUNDING * self.both[:, 1]
            root = np.sqrt(np.where(varies, variation, np.inf))
            sums[side], counts[side] = (swapped[:, 2] / root).sum(axis=0), varies.sum(axis=0)
        return sums, counts


class _SwappedRanks:
    """Spearman's ρ or Kendall's τ-b within each group, ranked anew after each swap.

    Where no two scores of a group are equal, the difference of both metrics is linear in the coins.
    Elsewhere each coefficient is that of the scores of both metrics, half of which are taken.
    """

    def __init__(self, groups: Groups, coefficient: RankCoefficient, both_sides: bool) -> None:
        self.linear = np.zeros(groups.human.shape)
        self.tied: list[tuple[int, BoolArray, WeightedStatistic]] = []
        for group, present in enumerate(groups.present):
            values = groups.metrics[:, group, present].ravel()
            human = np.tile(groups.human[group, present], 2)
            if both_sides or np.unique(values).size < values.size:
                taken = rank_correlation(values, human, coefficient)
                self.tied.append((group, present, taken))
            else:
                self.linear[group, present] = _linear(values, human, coefficient)

    def sums(self, bits: Bits) -> tuple[FloatArray, FloatArray]:
        """Sum the coefficients over the groups, see `_SwappedPearson.sums`.

        Of groups without ties only the difference is given: one half of it and minus one half,
        unless means over unequal numbers of groups need both values (`both_sides`).
        """
        half = _of_coins(self.linear, bits) / 2
        sums, counts = np.stack([half, -half]), np.full((2, half.size), float(bits.shape[0]))
        for group, present, coefficients in self.tied:
            coins = bits[group, present]
            weights = np.concatenate([1 - coins, coins]).astype(np.float64)
            for side, taken in enumerate((weights, 1 - weights)):
                values = coefficients(taken)
                sums[side] += np.nan_to_num(values)
                counts[side] -= np.isnan(values)
        return sums, counts


def _linear(values: FloatArray, human: FloatArray, coefficient: RankCoefficient) -> FloatArray:
    """Return what each member adds to the difference of both coefficients; a swap subtracts it.

    Parameters
    ----------
    values : ndarray, shape (2 × members,)
        Scores by the first metric, then by the second; no two are equal.
    human : ndarray, shape (2 × members,)
        Human scores, twice.
    """
    size = human.size // 2
    if coefficient == "spearman":
        ranks = scipy.stats.rankdata(human[:size])
        ranks = np.tile(ranks - ranks.mean(), 2)
        order = np.argsort(values)
        ordered = ranks[order]
        matched = np.empty(values.shape)
        # Σ s(valueₚ − value_q) (rankₚ − rank_q) / 2, with s the sign: ranks are centred.
        below = 2 * np.arange(2 * size) + 1 - 2 * size
        matched[order] = (ordered * (below + 1) - 2 * np.cumsum(ordered)) / 2
        root = np.sqrt((size**3 - size) / 12 * (ranks[:size] ** 2).sum())
    else:
        matched = signed_concordance(values, human)
        alike = np.unique(human[:size], return_counts=True)[1]
        every = size * (size - 1) / 2
        root = np.sqrt(every * (every - (alike * (alike - 1)).sum() / 2))
    return np.asarray((matched[:size] - matched[size:]) / 2 / root)


def _of_coins(linear: FloatArray, bits: Bits) -> FloatArray:
    """Return Σ linear · (1 − 2 bit) of each draw, all groups together."""
    linear, flat = linear.ravel(), bits.reshape(-1, bits.shape[-1])
    moved = np.zeros(flat.shape[1])
    step = max(1, COINS_AT_ONCE // flat.shape[1])
    for start in range(0, flat.shape[0], step):
        part = slice(start, start + step)
        moved += linear[part] @ flat[part].astype(np.float64)
    return np.asarray(linear.sum() - 2 * moved)
