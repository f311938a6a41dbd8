"""Records of a file some thousand at a time, as columns: few objects, and little to send.

A table that spreads numbers over columns keeps its form: the fields that a row's records share are
held once, beside the row of numbers.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

Record = tuple[int, tuple[Any, ...]]
ROWS_AT_ONCE = 4000
LEFT_OUT = ""
WRITTEN_LEFT_OUT = '""'
"""In place of a number, and as JSON: this cell makes no record."""


@dataclass(frozen=True)
class Block:
    """Some records of one table.

    Attributes
    ----------
    lines
        Where each row begins.
    columns
        The values of each field, row by row; those of the spread fields mean nothing.
    labels
        Of the spread columns; empty if nothing is spread, and a row is a record.
    numbers
        As JSON, per row the number under each label: null if missing, or `LEFT_OUT`. A database
        writes it faster than Python would, and whoever wants `cells` reads it once.
    spread
        Index of the fields that take label and number.
    """

    lines: list[int]
    columns: list[list[Any]]
    labels: list[str] = field(default_factory=list)
    numbers: str = "[]"
    spread: tuple[int, int] = (0, 0)

    def __len__(self) -> int:
        """Return the number of records."""
        left_out = self.numbers.count(WRITTEN_LEFT_OUT)
        return len(self.lines) * len(self.labels) - left_out if self.labels else len(self.lines)

    @cached_property
    def cells(self) -> list[list[Any]]:
        """Per row the number under each label: None if missing, or `LEFT_OUT`."""
        found: list[list[Any]] = json.loads(self.numbers)
        return found

    @property
    def shared_characters(self) -> int:
        """Return about how many characters the other records of rows repeat of their first."""
        if len(self.labels) < 2:
            return 0
        kept = (column for n, column in enumerate(self.columns) if n not in self.spread)
        written = sum(len(v) for column in kept for v in column if v.__class__ is str)
        return written * (len(self.labels) - 1)

    def records(self) -> Iterator[Record]:
        """Yield the records, each with its line, in the order of the file."""
        rows = zip(self.lines, zip(*self.columns, strict=True), strict=True)
        if not self.labels:
            yield from rows
            return
        name, value = self.spread
        for (line, row), cells in zip(rows, self.cells, strict=True):
            values = list(row)
            for label, cell in zip(self.labels, cells, strict=True):
                if cell != LEFT_OUT:
                    values[name], values[value] = label, cell
                    yield line, tuple(values)

    def halves(self) -> "Iterator[Block]":
        """Yield the same records in two blocks, each record a row."""
        return in_columns(self.records(), (len(self) + 1) // 2)

    def to_plain(self) -> list[Any]:
        """Return what JSON can hold; of a column of nothing, what stands in it once."""
        columns = [_once(column) or column for column in self.columns]
        return [self.lines, columns, self.labels, self.numbers, self.spread]

    @classmethod
    def from_plain(cls, plain: list[Any], lists: Sequence[int]) -> "Block":
        """Return the block again; `lists` are the fields that hold tuples, which JSON has not."""
        lines, columns, labels, numbers, (name, value) = plain
        held = [c if isinstance(c, list) else [_NOTHING[c]] * len(lines) for c in columns]
        for number in lists:
            held[number] = list(map(tuple, held[number]))
        return cls(lines, held, labels, numbers, (name, value))


_NOTHING = {"none": None, "empty": ""}


def _once(column: Sequence[Any]) -> str | None:
    """Name what a column is full of, if that is nothing."""
    for name, value in _NOTHING.items():
        first = column[0]
        if first.__class__ is value.__class__ and first == value:
            return name if column.count(value) == len(column) else None
    return None


class Records:
    """Records of one table on their way: to be iterated over once, or taken as `blocks`."""

    def __init__(self, blocks: Iterator[Block]) -> None:
        self.blocks = blocks

    def __iter__(self) -> Iterator[Record]:
        for block in self.blocks:
            yield from block.records()


def in_columns(found: Iterable[Record], at_once: int = ROWS_AT_ONCE) -> Iterator[Block]:
    """Yield records of a table in blocks."""
    rest = iter(found)
    while held := list(islice(rest, at_once)):
        columns = zip(*(values for _, values in held), strict=True)
        yield Block([line for line, _ in held], list(map(list, columns)))
