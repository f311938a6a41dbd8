"""Concordant pairs of many weightings at once, by sorted orders or from tables of blocks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import CELLS_IN_MEMORY, FloatArray, IntArray

MOST_LEVELS = 512
"""Distinct human scores up to which tables of values by human scores stay small."""
WIDEST_BLOCK = 128


class BlockedConcordance:
    """Elements with a value and a human score of few levels, weighted as often as wanted.

    Elements are cut, in the order of their values, into blocks of up to 128 that do not cut equal
    values apart. Pairs of two blocks are counted in a table of blocks by human levels, by running
    sums over both; pairs within a block by a product with the table of their signs.

    Parameters
    ----------
    values : ndarray, shape (n,)
    levels : ndarray of int, shape (n,)
        Human scores, numbered from 0 in rising order.
    """

    def __init__(self, values: FloatArray, levels: IntArray) -> None:
        order = np.argsort(values, kind="stable")
        values, levels = values[order], levels[order]
        self.n_levels = int(levels.max()) + 1
        starts = _block_starts(values)
        sizes = np.diff(np.append(starts, values.size))
        cells = np.repeat(np.arange(starts.size), sizes) * self.n_levels + levels
        by_cell = np.argsort(cells, kind="stable")
        self.n_blocks = starts.size
        self.places: IntArray = order[by_cell]
        self.starts = np.flatnonzero(np.append(True, np.diff(cells[by_cell]) > 0))
        self.cells = cells[by_cell][self.starts]
        # Blocks of one value hold no pair that the values tell apart.
        mixed = np.flatnonzero(values[starts] != values[starts + sizes - 1])
        width = int(sizes[mixed].max(initial=0))
        within = starts[mixed, None] + np.arange(width)
        there = np.arange(width) < sizes[mixed, None]
        within = np.where(there, within, 0)
        self.members: IntArray = np.where(there, order[within], values.size)
        self.signs = _signs_of_blocks(values[within], levels[within], there)

    def balance(self, weights: FloatArray) -> FloatArray:
        """Return Σ_{p<q} weight_p · weight_q · sign of their agreement, of each column (n × k)."""
        return self._between_blocks(weights) + self._within_blocks(weights)

    def _between_blocks(self, weights: FloatArray) -> FloatArray:
        draws = weights.shape[1]
        sums = np.add.reduceat(weights[self.places], self.starts, axis=0)
        lower = np.zeros((self.n_levels, draws))
        total = np.zeros(draws)
        # The table and running sums of it: half as many cells each.
        block = max(1, CELLS_IN_MEMORY // (2 * self.n_levels * draws))
        for start in range(0, self.n_blocks, block):
            stop = min(start + block, self.n_blocks)
            first, last = np.searchsorted(self.cells, np.array([start, stop]) * self.n_levels)
            table = np.zeros(((stop - start) * self.n_levels, draws))
            table[self.cells[first:last] - start * self.n_levels] = sums[first:last]
            table = table.reshape(stop - start, self.n_levels, draws)
            below = np.cumsum(table, axis=0)
            below += lower
            lower = below[-1].copy()
            below -= table
            # Lower values at lower levels, less those at higher levels.
            gap = np.cumsum(below, axis=1)
            above = gap[:, -1:].copy()
            gap *= 2
            gap -= below
            gap -= above
            total += np.einsum("blk,blk->k", table, gap)
        return total

    def _within_blocks(self, weights: FloatArray) -> FloatArray:
        draws = weights.shape[1]
        total = np.zeros(draws)
        padded = np.zeros((weights.shape[0] + 1, draws), dtype=np.float32)
        padded[:-1] = weights
        n_mixed, width = self.members.shape
        block = max(1, CELLS_IN_MEMORY // max(1, 2 * width * max(width, draws)))
        for start in range(0, n_mixed, block):
            part = slice(start, start + block)
            mine = padded[self.members[part]]
            # Small whole numbers: single precision is exact.
            lower = self.signs[part].astype(np.float32) @ mine
            lower *= mine
            total += lower.sum(axis=1).sum(axis=0, dtype=np.float64)
        return total


def _block_starts(ordered: FloatArray) -> IntArray:
    """Cut ordered values into blocks of at most 128, or of one value that is more frequent."""
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)) + 1
    starts, start = [], 0
    while start < ordered.size:
        starts.append(start)
        last = int(np.searchsorted(ends, start + WIDEST_BLOCK, side="right")) - 1
        if last < 0 or ends[last] <= start:
            last += 1
        start = int(ends[last])
    return np.array(starts, dtype=np.int64)


def _signs_of_blocks(
    values: FloatArray, levels: IntArray, there: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int8]:
    """Return s(level_i − level_j) where value_j < value_i, else 0, of each block's i and j."""
    n_blocks, width = there.shape
    signs = np.zeros((n_blocks, width, width), dtype=np.int8)
    block = max(1, CELLS_IN_MEMORY // max(1, 2 * width * width))
    for start in range(0, n_blocks, block):
        part = slice(start, start + block)
        mine, level = values[part], levels[part]
        both = there[part][:, :, None] & there[part][:, None, :]
        lower = both & (mine[:, None, :] < mine[:, :, None])
        signs[part] = lower * np.sign(level[:, :, None] - level[:, None, :])
    return signs


LARGEST_KEPT = 300_000
"""Elements up to which the order of every level is kept between weightings."""


class _Level(NamedTuple):
    """One bit of the human rank: whose bit is 0, whose is 1, and who of the former precede."""

    zeros: IntArray
    ones: IntArray
    until: IntArray
    since: IntArray


class ConcordanceOrder:
    """Elements with a value and a human score, sorted once, weighted as often as wanted.

    With few distinct human scores pairs are counted in tables, see `BlockedConcordance`. Else the
    sum over pairs p, q with value_q < value_p and human_q < human_p of weight_p · weight_q is
    taken bit by bit of the human rank, from the highest: elements that share the higher bits stay
    together in the order of values, and each whose bit is 1 meets those before it whose bit is 0.
    O(n log d) for d distinct human scores, as Knight (1966) but for all weightings together.

    Parameters
    ----------
    values, human : ndarray, shape (n,)
    """

    def __init__(self, values: FloatArray, human: FloatArray) -> None:
        # Of equal values the higher human score comes first: such a pair is not concordant.
        self.order: IntArray = np.lexsort((-human, values))
        distinct, ranks = np.unique(human, return_inverse=True)
        self.ranks: IntArray = ranks.astype(np.int64)
        self.codes: IntArray = self.ranks[self.order]
        ordered = values[self.order]
        self.value_starts = _starts(ordered)
        self.joint_starts = _starts(ordered, self.codes)
        self.human_order: IntArray = np.argsort(self.ranks, kind="stable")
        self.human_starts = _starts(self.ranks[self.human_order])
        self.levels = range(int(self.codes.max()).bit_length() - 1, -1, -1)
        few = distinct.size <= MOST_LEVELS
        self.blocks = BlockedConcordance(values, self.ranks) if few else None
        small = values.size <= LARGEST_KEPT and not few
        self.kept = {level: self._level(level) for level in self.levels} if small else {}

    def balance(self, weights: FloatArray) -> FloatArray:
        """Return concordant less discordant pairs of each column of weights (n × k)."""
        if self.blocks:
            return self.blocks.balance(weights)
        concordant = np.zeros(weights.shape[1])
        for level in self.levels:
            ones, before = self._before(weights, level)
            concordant += np.einsum("nk,nk->k", weights[ones], before)
        ordered = weights[self.order]
        taken = weights.sum(axis=0)
        apart = (
            taken * (taken - 1) / 2
            - pairs_within(np.add.reduceat(ordered, self.value_starts, axis=0))
            - self._human_ties(weights)
            + pairs_within(np.add.reduceat(ordered, self.joint_starts, axis=0))
        )
        difference: FloatArray = 2 * concordant - apart
        return difference

    def concordant_of_each(self) -> FloatArray:
        """Return for each element the number of elements lower in both (unweighted)."""
        counts = np.zeros(self.order.size)
        one = np.ones((self.order.size, 1))
        for level in self.levels:
            ones, before = self._before(one, level)
            counts[ones] += before[:, 0]
        return counts

    def equal_values(self, weights: FloatArray) -> FloatArray:
        """Return the weight of each run of equal values, from the lowest (runs × k)."""
        sums: FloatArray = np.add.reduceat(weights[self.order], self.value_starts, axis=0)
        return sums

    def tau_b(self, weights: FloatArray) -> FloatArray:
        """Return tau-b of the elements that each column takes; NaN where constant."""
        taken = weights.sum(axis=0)
        all_pairs = taken * (taken - 1) / 2
        value_ties = pairs_within(self.equal_values(weights))
        untied = (all_pairs - value_ties) * (all_pairs - self._human_ties(weights))
        return tau_of(self.balance(weights), untied)

    def _human_ties(self, weights: FloatArray) -> FloatArray:
        return pairs_within(np.add.reduceat(weights[self.human_order], self.human_starts, axis=0))

    def _before(self, weights: FloatArray, level: int) -> tuple[IntArray, FloatArray]:
        """Return the elements whose bit is 1 and the weight of those before them with bit 0."""
        zeros, ones, until, since = self.kept.get(level) or self._level(level)
        running = np.zeros((zeros.size + 1, weights.shape[1]))
        np.cumsum(weights[zeros], axis=0, out=running[1:])
        return ones, running[until] - running[since]

    def _level(self, level: int) -> _Level:
        prefixes = self.codes >> (level + 1)
        places = np.argsort(prefixes, kind="stable")
        bit = ((self.codes[places] >> level) & 1).astype(bool)
        zeros_before = np.cumsum(~bit)
        ones = np.flatnonzero(bit)
        starts = np.searchsorted(prefixes[places], prefixes[places[ones]], side="left")
        since = np.concatenate([[0], zeros_before])[starts]
        elements = self.order[places]
        return _Level(elements[~bit], elements[ones], zeros_before[ones], since)


def _starts(*keys: npt.NDArray[np.generic]) -> IntArray:
    """Return where runs of elements begin that are equal in all keys."""
    new = np.zeros(keys[0].size, dtype=bool)
    new[0] = True
    for key in keys:
        new[1:] |= key[1:] != key[:-1]
    return np.flatnonzero(new)


def pairs_within(sums: FloatArray) -> FloatArray:
    """Return the number of pairs within runs of the given weights (runs × k)."""
    pairs: FloatArray = (np.einsum("rk,rk->k", sums, sums) - sums.sum(axis=0)) / 2
    return pairs


def tau_of(balance: FloatArray, untied: FloatArray) -> FloatArray:
    """Return balance / √untied, with untied the product of both sides' pairs that are not tied."""
    taus = np.full(balance.shape, np.nan)
    np.divide(balance, np.sqrt(np.maximum(untied, 1.0)), out=taus, where=untied > 0.5)
    return taus


def signed_concordance(values: FloatArray, human: FloatArray) -> FloatArray:
    """Return Σ_q s(value_p − value_q) · s(human_p − human_q) for each p.

    Parameters
    ----------
    values, human : ndarray, shape (n,)

    Examples
    --------
    >>> signed_concordance(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])).tolist()
    [2.0, 0.0, 0.0]
    """
    by_value, by_human = values.argsort(kind="stable"), human.argsort(kind="stable")
    lower_value, equal_value = _lower_and_equal(by_value, values)
    lower_human, equal_human = _lower_and_equal(by_human, human)
    by_both = np.lexsort((human, values))
    lower_pair, equal_pair = _lower_and_equal(by_both, values, human)
    lower_pair_of_human, _ = _lower_and_equal(np.lexsort((values, human)), human, values)
    both_lower = ConcordanceOrder(values, human).concordant_of_each()
    # Lower in one and higher in the other: what is lower in one, less both lower and less equal.
    value_only = lower_value - both_lower - (lower_pair_of_human - lower_human)
    human_only = lower_human - both_lower - (lower_pair - lower_value)
    apart = values.size - equal_value - equal_human + equal_pair
    signed: FloatArray = (apart - 2 * (value_only + human_only)).astype(np.float64)
    return signed


def _lower_and_equal(order: IntArray, *keys: FloatArray) -> tuple[IntArray, IntArray]:
    """Return, for each element, how many come before its equals in an order, and how many these."""
    starts = _starts(*(key[order] for key in keys))
    lengths = np.diff(np.append(starts, order.size))
    lower, equal = np.empty_like(order), np.empty_like(order)
    lower[order], equal[order] = np.repeat(starts, lengths), np.repeat(lengths, lengths)
    return lower, equal
