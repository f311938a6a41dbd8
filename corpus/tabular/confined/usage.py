"""What the rows of an import hold together, counted where they arrive."""

from __future__ import annotations

from collections.abc import Sequence

from corpus.tabular.limits import MEBIBYTE, Limits
from corpus.tabular.problems import too_many_rows, too_much
from corpus.tabular.shaping.blocks import Block


class Usage:
    """Rows, cells and text so far.

    Parameters
    ----------
    limits
        How much of each there may be.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.rows = 0
        self.cells = 0
        self.text_bytes = 0

    def add(self, file: str, length: int, block: Block, several: Sequence[int]) -> None:
        """Count a block that was `length` bytes; `TableError` if there is too much by now.

        `several` are the fields that hold several values. What the records of a row share is
        counted for each of them, as if it were written so often.
        """
        rows = len(block)
        self.rows += rows
        self.cells += rows * len(block.columns)
        for place in several:
            self.cells += sum(map(len, block.columns[place]))
        self.text_bytes += length + block.shared_characters
        limits = self._limits
        if self.rows > limits.rows:
            raise too_many_rows(file, limits.rows)
        if self.cells > limits.cells:
            found, setting = f"{limits.cells:,} values", "IMPORT_CELLS"
        elif self.text_bytes > limits.text_bytes:
            found, setting = f"{limits.text_bytes // MEBIBYTE:,} MiB of text", "IMPORT_TEXT_MB"
        else:
            return
        raise too_much(file, found, setting)
