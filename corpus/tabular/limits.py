"""How much a study's files may hold before they are refused, and how much they hold so far."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.tabular.problems import too_many_rows, too_much
from corpus.tabular.shaping.blocks import Block

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Bounds on what is read, so that no file can fill the memory or the disk.

    Those from `rows` on are those of one import; `ConfinedReading` holds them, whatever the format.

    Attributes
    ----------
    total_bytes
        Unpacked size of an archive, or of one compressed file.
    members
        Files in an archive or folder.
    name_characters
        The name of a file in an archive or folder.
    ratio
        Unpacked to packed size. Deflate reaches 1032 to 1 at most; tables stay below 100.
    ratio_grace
        Unpacked bytes below which the ratio is not looked at.
    columns
        Columns of one table.
    field_characters
        One field.
    record_characters
        One record, and one physical line.
    rows
        Rows of all tables together.
    cells
        Values of all rows together.
    text_bytes
        What all rows hold together, written as JSON.
    memory_bytes
        Memory of the process that reads, beyond programs and libraries.
    seconds
        Time for reading: of the processor, and of waiting for it.
    table_rows
        Rows of each table that are looked at, where not all are: somebody waits for a page.
    """

    total_bytes: int = 2048 * MEBIBYTE
    members: int = 10_000
    name_characters: int = 1000
    ratio: int = 200
    ratio_grace: int = MEBIBYTE
    columns: int = 2000
    field_characters: int = MEBIBYTE
    record_characters: int = 8 * MEBIBYTE
    rows: int = 10_000_000
    cells: int = 100_000_000
    text_bytes: int = 2048 * MEBIBYTE
    memory_bytes: int = 1024 * MEBIBYTE
    seconds: int = 1800
    table_rows: int | None = None


DEFAULT_LIMITS = Limits()


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
