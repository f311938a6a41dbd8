"""Correlations within groups after swapping scores of two metrics, of many swaps at once.

Write σ = 1 − 2b for the coin of a member. Sums of products with human scores are linear in σ. So is
the *difference* of the two swapped metrics' Σ_{p<q} a_pq · s(v_p − v_q), with s the sign and a the
sign of the human difference (Kendall) or the difference of human ranks (Spearman). In a group
without any tie among the scores of both metrics the denominators of both are always the same, and
the difference of the two coefficients is one linear form: one matrix product for all groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import BoolArray, FloatArray, Grouping, IntArray, ratio
from analysis.stats.correlation.concordance import (
    ConcordanceOrder,
    pairs_within,
    signed_concordance,
)
from analysis.stats.correlation.weighted_correlation import WeightedCoefficient, rank_order
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
WIDEST_TABLE = 300
"""Up to so many members all pairs of a group are compared in a table, beyond by sorting."""
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

    def __getitem__(self, groups: slice) -> Groups:
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
) -> _SwappedPearson | _SwappedRanks:
    if coefficient == "pearson":
        return _SwappedPearson(groups)
    kind = _SignTables if groups.human.shape[1] <= WIDEST_TABLE else _SortedGroups
    return kind(groups, coefficient, both_sides)


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
    """Spearman's ρ or Kendall's τ-b within each group, ranked anew after each swap."""

    linear: FloatArray

    def sums(self, bits: Bits) -> tuple[FloatArray, FloatArray]:
        """Sum the coefficients over the groups, see `_SwappedPearson.sums`.

        Of groups without ties only the difference is given: one half of it and minus one half,
        unless means over unequal numbers of groups need both values (`both_sides`).
        """
        half = _of_coins(self.linear, bits) / 2
        sums, counts = self.tied_sums(bits)
        return sums + np.stack([half, -half]), counts

    def tied_sums(self, bits: Bits) -> tuple[FloatArray, FloatArray]:
        """Sum both coefficients over the groups with ties, and count all that are defined."""
        raise NotImplementedError


class _SignTables(_SwappedRanks):
    """Small groups: signs of all differences among the scores of both metrics.

    With weights w of 0 and 1 that take a score of either metric for each member, and signs s,
    Spearman's numerator is ½ Σ w·h·(s w) and its variation ¼ Σ w·(s w)², h being human ranks that
    are centred and have length one. Kendall's are ½ wᵀ(a ∘ s)w and ½ wᵀ(s ∘ s)w.
    """

    def __init__(self, groups: Groups, coefficient: RankCoefficient, both_sides: bool) -> None:
        sizes, members = groups.sizes, groups.human.shape[1]
        present = np.tile(groups.present, 2)
        signs = _signs(np.concatenate(groups.metrics, axis=1), present)
        tied = (np.abs(signs).sum(axis=(1, 2)) < 2 * sizes * (2 * sizes - 1)) | both_sides
        self.tied, self.groups = np.flatnonzero(tied), tied.size
        # Sums of signs are twice what ranks are above their mean.
        human_signs = _signs(groups.human, groups.present)
        self.human: FloatArray | None = None
        if coefficient == "spearman":
            human = np.tile(_unit_length(human_signs.sum(axis=2, dtype=np.float64)), 2)
            matched = (human * signs.sum(axis=2) - np.einsum("gpq,gq->gp", signs, human)) / 2
            by_human, untied = np.ones(self.groups), (sizes**3 - sizes) / 12
            self.human, tables = human[self.tied], [signs]
        else:
            products = signs * np.tile(human_signs, (1, 2, 2))
            matched = products.sum(axis=2, dtype=np.float64)
            by_human = np.abs(human_signs).sum(axis=(1, 2)) / 2
            untied, tables = (sizes**2 - sizes) / 2, [products, np.abs(signs)]
        scale = np.where(tied, 0.0, 1 / np.sqrt(untied * by_human))[:, None]
        self.linear = (matched[:, :members] - matched[:, members:]) / 2 * scale
        self.tables = [table[self.tied] for table in tables]
        self.human_spread = by_human[self.tied, None]

    def tied_sums(self, bits: Bits) -> tuple[FloatArray, FloatArray]:
        """Sum both coefficients over the groups with ties, and count all that are defined."""
        sums, counts = np.zeros((2, 2, bits.shape[2]))
        counts += self.groups
        step = max(1, COINS_AT_ONCE // (bits.shape[1] * bits.shape[2]))
        for start in range(0, self.tied.size, step):
            self._add_sums(bits, slice(start, start + step), sums, counts)
        return sums, counts

    def _add_sums(self, bits: Bits, part: slice, sums: FloatArray, counts: FloatArray) -> None:
        mine = bits[self.tied[part]]
        tables = [table[part] for table in self.tables]
        # Small whole numbers: single precision is exact.
        weights = np.concatenate([1 - mine, mine], axis=1).astype(np.float32)
        moved = [table @ weights for table in tables]
        for side in range(2):
            taken = [weights * each for each in moved]
            if self.human is None:
                balance, spread = (each.sum(axis=1, dtype=np.float64) / 2 for each in taken)
            else:
                balance = np.einsum("gp,gpk->gk", self.human[part], taken[0]) / 2
                spread = np.einsum("gpk,gpk->gk", taken[0], taken[0], dtype=np.float64) / 4
            values, varies = _over_root(balance, spread, self.human_spread[part])
            sums[side] += values.sum(axis=0)
            counts[side] -= (~varies).sum(axis=0)
            weights = 1 - weights
            pairs = zip(tables, moved, strict=True)
            moved = [table.sum(axis=2, keepdims=True) - each for table, each in pairs]


class _SortedGroups(_SwappedRanks):
    """Large groups, by counting along sorted orders."""

    def __init__(self, groups: Groups, coefficient: RankCoefficient, both_sides: bool) -> None:
        self.linear = np.zeros(groups.human.shape)
        self.tied: list[tuple[int, BoolArray, _SortedGroup]] = []
        for group, present in enumerate(groups.present):
            values = groups.metrics[:, group, present].ravel()
            found = _SortedGroup(values, groups.human[group, present], coefficient)
            if both_sides or found.has_ties:
                self.tied.append((group, present, found))
            else:
                self.linear[group, present] = found.linear / found.untied_root

    def tied_sums(self, bits: Bits) -> tuple[FloatArray, FloatArray]:
        """Sum both coefficients over the groups with ties, and count all that are defined."""
        sums, counts = np.zeros((2, 2, bits.shape[2]))
        counts += bits.shape[0]
        for group, present, each in self.tied:
            values, varies = each.both(bits[group, present])
            sums += values
            counts -= ~varies
        return sums, counts


class _SortedGroup:
    """Scores of both metrics of one large group, sorted together."""

    def __init__(self, values: FloatArray, human: FloatArray, coefficient: RankCoefficient) -> None:
        size, twice = human.size, np.tile(human, 2)
        self.order, self.starts = rank_order(values)
        self.lengths = np.diff(np.append(self.starts, values.size))[:, None]
        self.has_ties = self.starts.size < values.size
        self.size, self.human_spread = float(size), 1.0
        self.pairs = None
        if coefficient == "spearman":
            ranks = scipy.stats.rankdata(human)
            twice = np.tile(_unit_length(ranks - ranks.mean()), 2)
            runs = np.add.reduceat(twice[self.order], self.starts)
            matched = np.empty(values.shape)
            # What is lower less what is higher: human ranks are centred.
            matched[self.order] = np.repeat(runs - 2 * np.cumsum(runs), self.lengths[:, 0])
            matched = (twice * (2 * scipy.stats.rankdata(values) - 2 * size - 1) + matched) / 2
        else:
            matched = signed_concordance(values, twice)
            self.pairs = ConcordanceOrder(values, twice)
            alike = np.unique(human, return_counts=True)[1].astype(np.float64)
            self.human_spread = float(size * (size - 1) / 2 - pairs_within(alike[:, None])[0])
        self.human = twice[:, None]
        self.linear: FloatArray = (matched[:size] - matched[size:]) / 2
        self.untied_root = np.sqrt(self._spread(np.ones((size, 1)))[0] * self.human_spread)

    def both(self, bits: Bits) -> tuple[FloatArray, BoolArray]:
        """Return both coefficients of each draw (2 × draws), zero where a metric is constant."""
        weights = np.concatenate([1 - bits, bits]).astype(np.float64)
        alike = np.add.reduceat(weights[self.order], self.starts, axis=0)
        if self.pairs is None:
            ranked = (weights * self.human)[self.order]
            middle = np.cumsum(alike, axis=0) - alike / 2
            first = np.einsum("rk,rk->k", np.add.reduceat(ranked, self.starts, axis=0), middle)
        else:
            first = self.pairs.balance(weights)
        second = first - _of_coins(self.linear, bits)
        spread = np.stack([self._spread(alike), self._spread(self.lengths - alike)])
        return _over_root(np.stack([first, second]), spread, self.human_spread)

    def _spread(self, alike: FloatArray) -> FloatArray:
        """Return the variation of ranks, or pairs apart, by weights of runs of equal scores."""
        if self.pairs is None:
            return np.asarray((self.size**3 - (alike**3).sum(axis=0)) / 12)
        return np.asarray(self.size * (self.size - 1) / 2 - pairs_within(alike))


def _unit_length(ranks: FloatArray) -> FloatArray:
    """Return centred ranks of each group (last axis) scaled to length one."""
    return np.asarray(ranks / np.sqrt((ranks**2).sum(axis=-1, keepdims=True)))


def _signs(values: FloatArray, present: BoolArray) -> np.ndarray:
    """Return s(valueᵢ − valueⱼ) of each group (groups × members × members), zero if missing."""
    above = values[:, :, None] > values[:, None, :]
    signs = np.subtract(above, above.swapaxes(1, 2), dtype=np.float32)
    return np.asarray(signs * (present[:, :, None] & present[:, None, :]))


def _over_root(
    balance: FloatArray, spread: FloatArray, human_spread: FloatArray | float
) -> tuple[FloatArray, BoolArray]:
    """Return balance over the root of both spreads, zero where a metric has none; and where not."""
    varies = spread > 0.25
    root = np.sqrt(np.where(varies, spread * human_spread, 1.0))
    return np.where(varies, balance / root, 0.0), varies


def _of_coins(linear: FloatArray, bits: Bits) -> FloatArray:
    """Return Σ linear · (1 − 2 bit) of each draw, all groups together."""
    linear, flat = linear.ravel(), bits.reshape(-1, bits.shape[-1])
    moved = np.zeros(flat.shape[1])
    step = max(1, COINS_AT_ONCE // flat.shape[1])
    for start in range(0, flat.shape[0], step):
        part = slice(start, start + step)
        moved += linear[part] @ flat[part].astype(np.float64)
    return np.asarray(linear.sum() - 2 * moved)
