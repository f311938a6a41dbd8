"""What the rows of an import hold together, counted where they arrive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corpus.tabular.limits import MEBIBYTE, Limits
from corpus.tabular.problems import Problem, TableError


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

    def add(self, file: str, length: int, rows: Sequence[Any], several: Sequence[int]) -> None:
        """Count some rows that were `length` bytes; `TableError` if they are too many.

        `several` are the places in each row that hold several values.
        """
        self.rows += len(rows)
        self.cells += sum(len(values) for _, values in rows)
        for place in several:
            self.cells += sum(len(values[place]) for _, values in rows)
        self.text_bytes += length
        limits = self._limits
        if self.rows > limits.rows:
            found, setting = f"{limits.rows:,} rows", "IMPORT_ROWS"
        elif self.cells > limits.cells:
            found, setting = f"{limits.cells:,} values", "IMPORT_CELLS"
        elif self.text_bytes > limits.text_bytes:
            found, setting = f"{limits.text_bytes // MEBIBYTE:,} MiB of text", "IMPORT_TEXT_MB"
        else:
            return
        raise TableError(
            Problem(
                file,
                found=f"more than {found} in this import",
                expected="less",
                message="Split the study into several imports, or ask the administrator to raise "
                f"{setting}.",
                code="too-much",
            )
        )
