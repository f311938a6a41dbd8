"""Concordant less discordant pairs of many weightings at once, from tables and small blocks."""

from __future__ import annotations

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
