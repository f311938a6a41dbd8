"""Records of a file some thousand at a time, as columns: few objects, and little to send.

A table that spreads numbers over columns keeps its form: the fields that a row's records share are
held once, beside the row of numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from corpus.tabular.conversion import Converter, UnconvertibleError
from corpus.tabular.fields import TableSpec
from corpus.tabular.files import SourceFile
from corpus.tabular.json_paths import characters_of
from corpus.tabular.limits import DEFAULT_LIMITS, Limits
from corpus.tabular.mapping import Mapping
from corpus.tabular.opening import open_records
from corpus.tabular.plan import Plan
from corpus.tabular.problems import ProblemLog, TableError
from corpus.tabular.readers import Reader
from corpus.tabular.records import Checked, Record, checked_rows, records

ROWS_AT_ONCE = 4000
CELLS_AT_ONCE = 20_000
CHARACTERS_AT_ONCE = 1 << 18
LEFT_OUT = ""
"""In place of a number: this cell makes no record."""


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
    cells
        Per row the number under each label: None if missing, or `LEFT_OUT`.
    spread
        Index of the fields that take label and number.
    """

    lines: list[int]
    columns: list[list[Any]]
    labels: list[str] = field(default_factory=list)
    cells: list[list[Any]] = field(default_factory=list)
    spread: tuple[int, int] = (0, 0)

    def __len__(self) -> int:
        """Return the number of records."""
        return self._count if self.labels else len(self.lines)

    @cached_property
    def _count(self) -> int:
        return sum(len(row) - row.count(LEFT_OUT) for row in self.cells)

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

    def unfolded(self) -> Block:
        """Return the same records, each a row."""
        found = list(self.records())
        columns = zip(*(values for _, values in found), strict=True)
        return Block([line for line, _ in found], list(map(list, columns)))

    def to_plain(self) -> list[Any]:
        """Return what JSON can hold; of a column of nothing, what stands in it once."""
        columns = [_once(column) or column for column in self.columns]
        return [self.lines, columns, self.labels, self.cells, self.spread]

    @classmethod
    def from_plain(cls, plain: list[Any], lists: Sequence[int]) -> Block:
        """Return the block again; `lists` are the fields that hold tuples, which JSON has not."""
        lines, columns, labels, cells, (name, value) = plain
        held = [c if isinstance(c, list) else [_NOTHING[c]] * len(lines) for c in columns]
        for number in lists:
            held[number] = list(map(tuple, held[number]))
        return cls(lines, held, labels, cells, (name, value))


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


def blocks(
    source: SourceFile,
    mapping: Mapping,
    spec: TableSpec,
    log: ProblemLog,
    *,
    limits: Limits = DEFAULT_LIMITS,
) -> Iterator[Block]:
    """Yield what `corpus.tabular.records.records` yields, in blocks."""
    wide = mapping.wide
    if (
        wide is None
        or mapping.distinct
        or mapping.is_transformed
        or {wide.name, wide.value} & (mapping.values.keys() | mapping.take.keys())
        or wide.value not in spec.names
        or spec.field(wide.value).kind != "number"
    ):
        yield from in_columns(records(source, mapping, spec, log, limits=limits), spec)
        return
    try:
        with open_records(source, mapping, spec, log, limits) as opened:
            checked = checked_rows(source, opened, spec, log)
            reader, plan, _, typed = opened
            if plan.wide is None or spec.keep_other_columns_as_attributes:
                yield from in_columns(checked(reader), spec)
            else:
                missing = frozenset(mapping.missing)
                names = (wide.name, wide.value)
                rows = _Spread(plan, plan.wide, names, missing, reader, typed)
                yield from rows.blocks(checked)
    except TableError as error:
        log.extend(error.problems)


def in_columns(found: Iterator[Record], spec: TableSpec) -> Iterator[Block]:
    """Yield records of a table in blocks."""
    weighty = [n for n, f in enumerate(spec.fields) if f.kind in ("text", "json")]
    weighty += [n for n, f in enumerate(spec.fields) if f.many != "one" and n not in weighty]
    weighty += [-1] if spec.keep_other_columns_as_attributes else []
    lines: list[int] = []
    held: list[tuple[Any, ...]] = []
    characters = 0
    for line, values in found:
        lines.append(line)
        held.append(values)
        for number in weighty:
            value = values[number]
            characters += len(value) if value.__class__ is str else characters_of(value)
        if len(held) >= ROWS_AT_ONCE or characters >= CHARACTERS_AT_ONCE:
            yield Block(lines, list(map(list, zip(*held, strict=True))))
            lines, held, characters = [], [], 0
    if held:
        yield Block(lines, list(map(list, zip(*held, strict=True))))


class _Spread:
    """Rows of one table whose numbers are spread over columns."""

    def __init__(
        self,
        plan: Plan,
        labelled: Sequence[tuple[str, int]],
        spread: tuple[str, str],
        missing: frozenset[str],
        reader: Reader,
        typed: bool,
    ) -> None:
        names = [slot.field.name for slot in plan.slots]
        self._spread = (names.index(spread[0]), names.index(spread[1]))
        self._reader = reader
        self._typed = typed
        self._missing = missing
        self._constants = list(plan.constants)
        self._labels = [label for label, _ in labelled]
        self._cells = [index for _, index in labelled]
        self._slots = plan.slots
        # What is more than a number beside keys is left to the general way, row by row.
        self._is_plain = not plan.groups and all(
            slot.is_single and not slot.is_digest for slot in plan.slots
        )
        try:
            convert = plan.slots[self._spread[0]].convert
            self._labels = [convert(label) if convert else label for label in self._labels]
        except UnconvertibleError:
            self._is_plain = False

    def blocks(self, checked: Checked) -> Iterator[Block]:
        """Yield blocks; `checked` makes records of rows that are not as usual."""
        lines: list[int] = []
        held: list[list[Any]] = []
        cells: list[list[Any]] = []
        for line, row in self._reader:
            usual = self._usual(row) if self._is_plain else None
            values, numbers = usual or self._unusual(line, row, checked)
            if numbers:
                lines.append(line)
                held.append(values)
                cells.append(numbers)
            if len(lines) * len(self._labels) >= CELLS_AT_ONCE:
                yield self._block(lines, held, cells)
                lines, held, cells = [], [], []
        if lines:
            yield self._block(lines, held, cells)

    def _block(self, lines: list[int], held: list[list[Any]], cells: list[list[Any]]) -> Block:
        columns = list(map(list, zip(*held, strict=True)))
        return Block(lines, columns, self._labels, cells, self._spread)

    def _usual(self, row: list[Any]) -> tuple[list[Any], list[float]] | None:
        """Return shared values and numbers of a row in which every cell is a finite number."""
        cells = [row[index] for index in self._cells]
        if self._missing and not self._missing.isdisjoint(map(str, cells)):
            return None
        if self._typed:
            if not {*map(type, cells)} <= {float, int}:
                return None
        elif "_" in "".join(cells):
            return None  # which Python reads in numbers, and tables do not mean
        full = row + self._constants
        values: list[Any] = [None] * len(self._slots)
        try:
            numbers = list(map(float, cells))
            for number, cell, convert in self._shared:
                values[number] = convert(full[cell]) if convert else full[cell]
        except (ValueError, OverflowError):
            return None
        return (values, numbers) if math.isfinite(sum(numbers)) else None

    @cached_property
    def _shared(self) -> list[tuple[int, int, Converter | None]]:
        """Place, cell and converter of the fields that all records of a row share."""
        slots = enumerate(self._slots)
        return [(n, s.cells[0], s.convert) for n, s in slots if n not in self._spread]

    def _unusual(self, line: int, row: list[Any], checked: Checked) -> tuple[list[Any], list[Any]]:
        """Return shared values and numbers of any row; no numbers if it has no records."""
        name, value = self._spread
        found = [values for _, values in checked([(line, row)])]
        if not found:
            return [], []
        numbers = {values[name]: values[value] for values in found}
        shared = list(found[0])
        shared[name] = shared[value] = None
        return shared, [numbers.get(label, LEFT_OUT) for label in self._labels]
