"""Random bits that say which scores of two metrics change places, in blocks of bounded size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import BoolArray, FloatArray, Grouping, IntArray

Swap = Literal["cells", "segments", "systems", "both"]
Bits: TypeAlias = npt.NDArray[np.uint8]
SWAPS: tuple[Swap, ...] = ("cells", "segments", "systems", "both")
BITS_IN_BLOCK = 400_000
"""Small enough for a processor's cache. Part of the order of draws: a change changes p-values."""
MEMBERS_AT_ONCE = 200_000
"""Members whose bits are turned into numbers at once."""


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

    def groups(self) -> Iterator[slice]:
        """Yield blocks of the kept groups."""
        block = max(1, BITS_IN_BLOCK // (self.members * self.draws))
        for start in range(0, self.kept.size, block):
            yield slice(start, min(start + block, self.kept.size))

    def stream(
        self, wanted: slice | None = None
    ) -> Iterator[tuple[slice, Iterator[tuple[slice, Bits]]]]:
        """Yield blocks of groups, each with its blocks of draws.

        Parameters
        ----------
        wanted : slice, optional
            Some of the draws: they are the same as among all.

        Yields
        ------
        groups : slice
            Into `kept`.
        blocks : iterator of (slice, ndarray of 0 and 1, shape (groups, members, draws))
        """
        generator = np.random.default_rng(self.seed)
        lines = self._lines(generator)
        for groups in self.groups():
            yield groups, self._blocks(groups, generator, lines, wanted or slice(0, self.draws))

    def _blocks(
        self,
        groups: slice,
        generator: np.random.Generator,
        lines: tuple[Bits, Bits] | None,
        wanted: slice,
    ) -> Iterator[tuple[slice, Bits]]:
        n_groups = groups.stop - groups.start
        # Draws come in whole bytes.
        block = max(8, BITS_IN_BLOCK // (n_groups * self.members) // 8 * 8)
        for start in range(0, self.draws, block):
            size = min(block, self.draws - start)
            n_bytes = -(-size // 8)
            if lines is None:
                packed = random_bytes(generator, (n_groups, self.members, n_bytes))
            else:
                packed = self._of_lines(lines, groups, slice(start // 8, start // 8 + n_bytes))
            first, last = max(start, wanted.start), min(start + size, wanted.stop)
            if first < last:
                bits = np.unpackbits(packed, axis=-1, count=size)
                yield slice(first, last), bits[:, :, first - start : last - start]

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

    def _of_lines(self, lines: tuple[Bits, Bits], groups: slice, taken: slice) -> Bits:
        rows, columns = (side[:, taken] for side in lines)
        if self.grouping == "segment":
            return rows[self.kept[groups], None, :] ^ columns[None, :, :]
        if self.grouping == "system":
            return columns[self.kept[groups], None, :] ^ rows[None, :, :]
        cells = rows[:, None, :] ^ columns[None, :, :]
        return cells.reshape(1, self.members, -1)


def random_bytes(generator: np.random.Generator, shape: tuple[int, ...]) -> Bits:
    """Return an array of random bytes."""
    drawn = np.frombuffer(generator.bytes(int(np.prod(shape))), dtype=np.uint8)
    return drawn.reshape(shape).copy()


def enumerated_bits(members: int) -> Iterator[Bits]:
    """Yield the swaps of `members` things in which the first stays: half of all, in blocks.

    The other half are their complements, whose statistic has the opposite sign.

    Yields
    ------
    ndarray of 0 and 1, shape (1, members, swaps of this block)
    """
    block = max(1, BITS_IN_BLOCK // members)
    shifts = np.arange(members)[:, None] - 1
    for start in range(0, 2 ** (members - 1), block):
        numbers = np.arange(start, min(start + block, 2 ** (members - 1)))
        bits = (numbers[None, :] >> np.maximum(shifts, 0)) & (shifts >= 0)
        yield bits.astype(np.uint8)[None]


@dataclass(frozen=True, slots=True)
class Groups:
    """Scores of several metrics and of people, by group.

    Parameters
    ----------
    metrics : ndarray, shape (metrics, groups, members)
        Zero where missing.
    human : ndarray, shape (groups, members)
        Zero where missing.
    present : ndarray of bool, shape (groups, members)
    """

    metrics: FloatArray
    human: FloatArray
    present: BoolArray

    def __getitem__(self, groups: slice) -> Groups:
        """Return a block of groups."""
        return Groups(self.metrics[:, groups], self.human[groups], self.present[groups])


def form_of_coins(linear: FloatArray, bits: Bits) -> FloatArray:
    """Return Σ linear · (1 − 2 bit) of each draw, all groups together.

    Parameters
    ----------
    linear : ndarray, shape (forms, groups · members)
    bits : ndarray of 0 and 1, shape (groups, members, draws)

    Returns
    -------
    ndarray, shape (forms, draws)
    """
    flat = bits.reshape(-1, bits.shape[2])
    total = np.zeros((linear.shape[0], flat.shape[1]))
    for start in range(0, flat.shape[0], MEMBERS_AT_ONCE):
        part = slice(start, start + MEMBERS_AT_ONCE)
        total += linear[:, part] @ (1 - 2.0 * flat[part])
    return total


def has_ties(scores: FloatArray, present: BoolArray) -> BoolArray:
    """Say of each group whether any two of the scores of both metrics are equal."""
    both = np.where(present, scores, np.nan).swapaxes(0, 1).reshape(present.shape[0], -1)
    both.sort(axis=1)
    ties: BoolArray = (both[:, 1:] == both[:, :-1]).any(axis=1)
    return ties


def may_become_constant(groups: Groups, pair: tuple[int, int]) -> bool:
    """Say whether some swap makes all scores of a metric the same in some group."""
    one, other = (groups.metrics[metric] for metric in pair)
    first = groups.present.argmax(axis=1)[:, None]
    for side in (one, other):
        value = np.take_along_axis(side, first, axis=1)
        if ((one == value) | (other == value) | ~groups.present).all(axis=1).any():
            return True
    return False
