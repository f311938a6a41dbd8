"""The rows of OpenDocument spreadsheets (ISO/IEC 26300), streamed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from corpus.tabular.cells import CellError, cell_name, is_empty, number
from corpus.tabular.workbooks import PartParser, Parts, Row, damaged

CONTENT = "content.xml"
_URN = "urn:oasis:names:tc:opendocument:xmlns:"
_TABLE, _OFFICE, _TEXT = f"{_URN}table:1.0 ", f"{_URN}office:1.0 ", f"{_URN}text:1.0 "
_CALC = "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0 "
_CELLS = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")


def ods_sheets(parts: Parts) -> list[str]:
    """Return the names of the sheets."""
    with parts.open(CONTENT) as stream:
        cells = _Cells(parts, None)
        for _ in cells.feed(stream):
            cells.rows = []
    return cells.names


def ods_rows(parts: Parts, sheet: str) -> Iterator[Row]:
    """Yield the rows of a sheet; its first one if it is not named."""
    cells = _Cells(parts, sheet)
    with parts.open(CONTENT) as stream:
        for _ in cells.feed(stream):
            yield from cells.rows
            cells.rows = []
    if sheet and sheet not in cells.names:
        raise damaged(parts.name, "no such sheet")


class _Cells(PartParser):
    """The rows of one sheet, collected until they are taken; names of all sheets."""

    def __init__(self, parts: Parts, sheet: str | None) -> None:
        super().__init__(parts.name, parts.limits)
        self._parts = parts
        self.rows: list[Row] = []
        self.names: list[str] = []
        self._sheet = sheet
        self._tables = 0
        self._is_wanted = False
        self._row, self._row_repeats = 1, 1
        self._column, self._column_repeats = 1, 1
        self._cells: dict[int, Any] = {}
        self._attributes: dict[str, str] = {}
        self._paragraphs: list[list[str]] = []
        self._length = self._notes = 0
        self._is_in_cell = False

    def at_hand(self) -> tuple[str | None, str]:
        held = self._attributes.get(f"{_OFFICE}value", "")
        return (cell_name(self._row, self._column) if self._is_wanted else None), held

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == f"{_TABLE}table":
            self._start_table(attributes)
        elif not self._is_wanted or self._tables > 1:
            return
        elif name == f"{_TABLE}table-row":
            self._row_repeats = _repeats(attributes, "rows")
            self._column, self._cells = 1, {}
        elif name in _CELLS:
            self._attributes, self._is_in_cell = attributes, True
            self._column_repeats = _repeats(attributes, "columns")
            self._paragraphs, self._length = [], 0
        elif name == f"{_OFFICE}annotation":
            self._notes += 1
        elif self._is_in_cell and not self._notes:
            self._start_text(name, attributes)

    def _start_table(self, attributes: dict[str, str]) -> None:
        self._tables += 1
        if self._tables == 1:
            sheet = attributes.get(f"{_TABLE}name", "")
            self._is_wanted = sheet == self._sheet or (self._sheet == "" and not self.names)
            self.names.append(sheet)
            self._parts.check_sheets(len(self.names))
            self._row = 1

    def _start_text(self, name: str, attributes: dict[str, str]) -> None:
        if name == f"{_TEXT}p":
            self._paragraphs.append([])
        elif name == f"{_TEXT}s":
            self._add(" " * min(int(attributes.get(f"{_TEXT}c", "1")), 10_000))
        elif name == f"{_TEXT}tab":
            self._add("\t")
        elif name == f"{_TEXT}line-break":
            self._add("\n")

    def text(self, text: str) -> None:
        if self._is_in_cell and not self._notes and self._tables == 1:
            self._add(text)

    def _add(self, text: str) -> None:
        self._length += len(text)
        if self._length > self._limits.record_characters:
            raise self.broken("a text that is too long", "a shorter one", "field-size")
        if self._paragraphs:
            self._paragraphs[-1].append(text)

    def end(self, name: str) -> None:
        if name == f"{_TABLE}table":
            self._tables -= 1
            self._is_wanted = self._is_wanted and self._tables > 0
        elif not self._is_wanted or self._tables > 1:
            return
        elif name == f"{_OFFICE}annotation":
            self._notes -= 1
        elif name in _CELLS:
            self._end_cell()
        elif name == f"{_TABLE}table-row":
            if self._cells:
                self._check_repeats()
                for number_ in range(self._row, self._row + self._row_repeats):
                    self.rows.append((number_, dict(self._cells)))
            self._row += self._row_repeats
            self._cells = {}

    def _end_cell(self) -> None:
        self._is_in_cell = False
        value = self._value()
        if not is_empty(value):
            if self._column + self._column_repeats - 1 > self._limits.columns:
                raise self.broken(
                    f"a value in column {self._column + self._column_repeats - 1}",
                    f"at most {self._limits.columns} columns",
                    "columns",
                )
            for column in range(self._column, self._column + self._column_repeats):
                self._cells[column] = value
        self._column += self._column_repeats

    def _check_repeats(self) -> None:
        if self._row_repeats * len(self._cells) > self._limits.ratio * 1000:
            raise self.broken("one row repeated very often", "rows of their own", "expansion")

    def _value(self) -> Any:
        attributes = self._attributes
        text = "\n".join(map("".join, self._paragraphs))
        if attributes.get(f"{_CALC}value-type") == "error":
            return CellError(text or "an error")
        kind = attributes.get(f"{_OFFICE}value-type", "string")
        if kind in ("float", "percentage", "currency"):
            return number(attributes[f"{_OFFICE}value"])
        if kind == "date":
            return attributes[f"{_OFFICE}date-value"].removesuffix("T00:00:00")
        if kind == "time":
            return attributes[f"{_OFFICE}time-value"]
        if kind == "boolean":
            return attributes[f"{_OFFICE}boolean-value"] == "true"
        return attributes.get(f"{_OFFICE}string-value", text)


def _repeats(attributes: dict[str, str], what: str) -> int:
    return max(1, int(attributes.get(f"{_TABLE}number-{what}-repeated", "1")))
