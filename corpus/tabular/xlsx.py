"""The rows of Excel workbooks (Office Open XML, ECMA-376), streamed."""

from __future__ import annotations

import datetime as dt
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from corpus.tabular.cells import (
    CellError,
    cell_name,
    cell_place,
    kind_of_format,
    moment,
    number,
    unescaped,
)
from corpus.tabular.workbooks import PartParser, Parts, Row, damaged, elements, local

WORKBOOK = "xl/workbook.xml"
BOOK = "book"
NO_VALUE = CellError("a formula without its value")
_DATES = {*range(14, 18), 22, *range(27, 32), 34, 35, 36, *range(50, 59)}
_TIMES = {18, 19, 20, 21, 32, 33, 45, 47}
_KINDS = dict.fromkeys(_DATES, "date") | dict.fromkeys(_TIMES, "time") | {46: "elapsed"}
_FIRST = {False: dt.datetime(1899, 12, 30), True: dt.datetime(1904, 1, 1)}


@dataclass(frozen=True)
class Workbook:
    """What a workbook says of its sheets.

    Attributes
    ----------
    sheets
        Name of each sheet with cells, and the part in which it lies.
    texts
        The part of the texts that cells share.
    styles
        The part of the formats.
    first
        The day 0 of its dates.
    """

    sheets: dict[str, str]
    texts: str | None
    styles: str | None
    first: dt.datetime


def workbook(parts: Parts) -> Workbook:
    """Return what a workbook says of its sheets."""
    if BOOK not in parts.kept:
        parts.kept[BOOK] = _workbook(parts)
    found: Workbook = parts.kept[BOOK]
    return found


def _workbook(parts: Parts) -> Workbook:
    place = _main_part(parts)
    folder, file = posixpath.split(place)
    related = _relations(parts, f"{folder}/_rels/{file}.rels" if folder else f"_rels/{file}.rels")
    kinds = dict(related.values())
    sheets, is_1904 = {}, False
    for name, attributes in elements(parts, place):
        if name == "workbookPr":
            is_1904 = attributes.get("date1904") in ("1", "true")
        if name == "sheet":
            kind, target = related.get(attributes.get("id", ""), ("", ""))
            if kind == "worksheet":
                sheets[attributes.get("name", "")] = posixpath.normpath(
                    target[1:] if target.startswith("/") else posixpath.join(folder, target)
                )
    parts.check_sheets(len(sheets))
    whole = {
        kind: posixpath.normpath(t[1:] if t.startswith("/") else posixpath.join(folder, t))
        for kind, t in kinds.items()
    }
    return Workbook(sheets, whole.get("sharedStrings"), whole.get("styles"), _FIRST[is_1904])


def _main_part(parts: Parts) -> str:
    for kind, target in _relations(parts, "_rels/.rels").values():
        if kind == "officeDocument":
            return target.lstrip("/")
    return WORKBOOK


def _relations(parts: Parts, part: str) -> dict[str, tuple[str, str]]:
    """Return kind and target of what a part refers to, by id."""
    if part not in parts:
        return {}
    return {
        attributes.get("Id", ""): (
            attributes.get("Type", "").rpartition("/")[2],
            attributes.get("Target", ""),
        )
        for name, attributes in elements(parts, part)
        if name == "Relationship"
    }


def xlsx_sheets(parts: Parts) -> list[str]:
    """Return the names of the sheets, without those of charts alone."""
    return list(workbook(parts).sheets)


def xlsx_rows(parts: Parts, sheet: str) -> Iterator[Row]:
    """Yield the rows of a sheet; its first one if it is not named."""
    book = workbook(parts)
    place = book.sheets.get(sheet) if sheet else next(iter(book.sheets.values()), None)
    if place is None:
        raise damaged(parts.name, "no such sheet")
    cells = _Cells(parts, book)
    with parts.open(place) as stream:
        for _ in cells.feed(stream):
            yield from cells.rows
            cells.rows = []


class _Texts(PartParser):
    """The texts that cells share, without what says how they are pronounced."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts.name, parts.limits)
        self.found: list[str] = []
        self._pieces: list[str] = []
        self._length = 0
        self._is_text = self._is_phonetic = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        name = local(name)
        if name == "si":
            self._pieces, self._length = [], 0
        self._is_phonetic = self._is_phonetic or name == "rPh"
        self._is_text = name == "t" and not self._is_phonetic

    def end(self, name: str) -> None:
        name = local(name)
        if name == "si":
            self.found.append(unescaped("".join(self._pieces)))
        self._is_phonetic = self._is_phonetic and name != "rPh"
        self._is_text = False

    def text(self, text: str) -> None:
        if self._is_text:
            self._length += len(text)
            if self._length > self._limits.record_characters:
                raise self.broken("a text that is too long", "a shorter one", "field-size")
            self._pieces.append(text)


def _texts(parts: Parts, book: Workbook) -> list[str]:
    if book.texts is None or book.texts not in parts:
        return []
    if book.texts not in parts.kept:
        texts = _Texts(parts)
        with parts.open(book.texts) as stream:
            for _ in texts.feed(stream):
                pass
        parts.kept[book.texts] = texts.found
    found: list[str] = parts.kept[book.texts]
    return found


def _formats(parts: Parts, book: Workbook) -> list[str]:
    """Return what each style of cells shows: dates, times or numbers."""
    if book.styles is None or book.styles not in parts:
        return []
    kinds, found, is_inside = dict(_KINDS), [], False
    for name, attributes in elements(parts, book.styles):
        if name == "numFmt":
            kinds[int(attributes["numFmtId"])] = kind_of_format(attributes.get("formatCode", ""))
        elif name == "cellXfs":
            is_inside = True
        elif name in ("cellStyles", "dxfs", "cellStyleXfs"):
            is_inside = False
        elif name == "xf" and is_inside:
            found.append(kinds.get(int(attributes.get("numFmtId", "0")), "number"))
    return found


class _Cells(PartParser):
    """The rows of one sheet, collected until they are taken."""

    def __init__(self, parts: Parts, book: Workbook) -> None:
        super().__init__(parts.name, parts.limits)
        self.rows: list[Row] = []
        self._texts = _texts(parts, book)
        self._formats = _formats(parts, book)
        self._first = book.first
        self._row = self._column = self._length = 0
        self._cells: dict[int, Any] = {}
        self._kind, self._style = "n", 0
        self._value: list[str] = []
        self._takes = self._has_formula = self._is_phonetic = False

    def at_hand(self) -> tuple[str | None, str]:
        held = "".join(self._value)
        held = f"shared text {held}" if self._kind == "s" else held
        return cell_name(self._row, self._column) if self._column else None, held

    def start(self, name: str, attributes: dict[str, str]) -> None:
        name = local(name)
        if name == "c":
            self._start_cell(attributes)
        elif name == "row":
            self._row = int(attributes.get("r", self._row + 1))
            self._column, self._cells = 0, {}
        elif name == "f":
            self._has_formula = True
        elif name == "rPh":
            self._is_phonetic = True
        elif name == "v" or (name == "t" and not self._is_phonetic):
            self._takes = True

    def _start_cell(self, attributes: dict[str, str]) -> None:
        if "r" in attributes:
            self._row, self._column = cell_place(attributes["r"])
        else:
            self._column += 1
        self._kind = attributes.get("t", "n")
        self._style = int(attributes.get("s", "0"))
        self._value, self._length = [], 0
        self._has_formula = False

    def text(self, text: str) -> None:
        if self._takes:
            self._length += len(text)
            if self._length > self._limits.record_characters:
                raise self.broken("a text that is too long", "a shorter one", "field-size")
            self._value.append(text)

    def end(self, name: str) -> None:
        name = local(name)
        self._takes = False
        if name == "c":
            value = self._converted("".join(self._value))
            if value != "":
                self._cells[self._column] = value
        elif name == "rPh":
            self._is_phonetic = False
        elif name == "row" and self._cells:
            self.rows.append((self._row, self._cells))
            self._cells = {}

    def _converted(self, text: str) -> Any:
        kind = self._kind
        if self._has_formula and not text and kind != "str":
            return NO_VALUE
        if kind == "s":
            return self._texts[int(text)] if text else ""
        if kind in ("inlineStr", "str"):
            return unescaped(text)
        if kind == "e":
            return CellError(text)
        if not text or kind == "d":
            return text
        if kind == "b":
            return text.strip() in ("1", "true")
        value = number(text)
        shown = self._formats[self._style] if self._style < len(self._formats) else "number"
        if shown == "number":
            return value
        try:
            return moment(value, shown, self._first)
        except (OverflowError, ValueError):
            return CellError(f"{value} as a date")
