"""Random bits that say which scores of two metrics change places, in blocks of bounded size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import Grouping, IntArray
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
