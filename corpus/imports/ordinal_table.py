"""Ordinals of outputs by row and column: a table, or a dictionary where few of many are there."""

from itertools import repeat

import numpy as np
from numpy.typing import NDArray

UNKNOWN = -1
CELLS_ALWAYS_LAID_OUT = 4_000_000
"""A table of so many cells takes 16 MB, however few of them are taken."""
CELLS_OF_AN_OUTPUT = 16
"""Cells for each output from which on a dictionary is smaller."""


class OrdinalTable:
    """One integer a cell while most segments have outputs of most systems.

    Pairwise votes have two outputs a segment, of hundreds of systems: these are kept by themselves.
    """

    def __init__(self) -> None:
        self._cells = np.empty((0, 0), dtype=np.int32)
        self._few: dict[int, int] | None = None
        self._count = 0

    def put(self, row: int, column: int, ordinal: int) -> None:
        """Keep the ordinal of a cell."""
        self._count += 1
        if self._few is None:
            rows, columns = self._cells.shape
            if row >= rows or column >= columns:
                self._grow(row, column)
        if self._few is not None:
            self._few[row << 32 | column] = ordinal
        else:
            self._cells[row, column] = ordinal

    def get(self, row: int, column: int) -> int:
        """Return the ordinal of a cell, or `UNKNOWN`."""
        if self._few is not None:
            return self._few.get(row << 32 | column, UNKNOWN)
        rows, columns = self._cells.shape
        return int(self._cells[row, column]) if row < rows and column < columns else UNKNOWN

    def get_all(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return what `get` returns for each; rows and columns below zero are known to be none."""
        if self._few is not None:
            keys = (rows << 32 | columns).tolist()
            found = np.fromiter(map(self._few.get, keys, repeat(UNKNOWN)), np.int32, len(keys))
            found[(rows < 0) | (columns < 0)] = UNKNOWN
            return found
        found = np.full(len(rows), UNKNOWN, dtype=np.int32)
        known = (rows >= 0) & (rows < self._cells.shape[0])
        known &= (columns >= 0) & (columns < self._cells.shape[1])
        found[known] = self._cells[rows[known], columns[known]]
        return found

    def cell_of(self, ordinal: int) -> tuple[int, int] | None:
        """Return row and column of an ordinal, going through all; None if it is not here."""
        if self._few is not None:
            key = next((key for key, value in self._few.items() if value == ordinal), None)
            return None if key is None else divmod(key, 1 << 32)
        found = np.argwhere(self._cells == ordinal)
        return (int(found[0][0]), int(found[0][1])) if len(found) else None

    def _grow(self, row: int, column: int) -> None:
        known = self._cells
        rows = max(known.shape[0], 2 * row + 64 if row >= known.shape[0] else 0)
        columns = max(known.shape[1], 2 * column + 4 if column >= known.shape[1] else 0)
        if rows * columns > max(CELLS_ALWAYS_LAID_OUT, CELLS_OF_AN_OUTPUT * self._count):
            places = np.argwhere(known != UNKNOWN).tolist()
            self._few = {at << 32 | of: int(known[at, of]) for at, of in places}
            self._cells = np.empty((0, 0), dtype=np.int32)
            return
        grown = np.full((rows, columns), UNKNOWN, dtype=np.int32)
        grown[: known.shape[0], : known.shape[1]] = known
        self._cells = grown
