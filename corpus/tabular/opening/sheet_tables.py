"""The sheets of workbooks, as the rows that people see: merged cells filled, numbers as texts."""

import io
import posixpath
import re
import zipfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from functools import reduce
from pathlib import Path
from typing import IO, Any

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring
from python_calamine import CalamineError, CalamineWorkbook

from corpus.tabular.limits import Limits
from corpus.tabular.opening.archives import DAMAGE
from corpus.tabular.opening.files import (
    Dialect,
    SourceFile,
    TextTable,
    check_columns,
    check_expansion,
)
from corpus.tabular.opening.headers import Header, header_of
from corpus.tabular.problems import ProblemLog, problem, refused, shorten, unstorable_text

LOOKED_AT = 60
MOST_SHEETS = 1000
ABOVE = "rows above the names of the columns passed over"
WITHOUT_VALUE = "cells taken as absent, because they hold an error or a formula without its value"
Row = list[str | None]
_TAB = re.compile(rb"<text:tab\s*/>")


def sheet_names(source: SourceFile, limits: Limits) -> list[str]:
    """Return the names of the sheets in which something stands; `TableError` if none can be."""
    with _opened(source, limits) as workbook:
        names = workbook.sheet_names
        return [name for name in names if _has_cells(workbook, name)]


def _has_cells(workbook: CalamineWorkbook, name: str) -> bool:
    try:
        top = workbook.get_sheet_by_name(name).to_python(nrows=LOOKED_AT)
    except CalamineError:
        return False  # a chart, or a sheet that reading it complains of
    return any(any(cell != "" for cell in row) for row in top)


def sheet_table(
    source: SourceFile, dialect: Dialect, limits: Limits, known: Collection[str]
) -> TextTable:
    """Return one sheet, read whole; of its dialect only the header matters.

    `known` are names of columns that are known.
    """
    log = ProblemLog()
    rows = _read(source, limits, log)
    if not any(map(any, rows)):
        raise refused("empty-sheet", source.name)
    top = [[cell or "" for cell in row] for row in rows[:LOOKED_AT]]
    header = header_of(top, known, said=dialect.header)
    check_columns(source.name, header.names, limits)
    said = dialect.header if isinstance(dialect.header, tuple) else header.rows > 0
    log.counts[ABOVE] += sum(map(any, rows[: header.skip]))
    return TextTable(
        header.names, _data(source.name, rows, header, limits, log), Dialect(header=said), log
    )


def _data(
    name: str, rows: list[Row], header: Header, limits: Limits, log: ProblemLog
) -> Iterator[tuple[int, Row]]:
    """Yield number and cells of each row of data that holds anything.

    Rows with cells beyond the table, or with too long ones, are left out and logged.
    """
    width, longest, left = len(header.names), limits.field_characters, header.rows
    for number, row in enumerate(rows[header.skip :], header.skip + 1):
        if not any(row) and None not in row:
            continue
        if left:
            left -= 1
            continue
        if beyond := next(filter(None, row[width:]), None):
            log.add(problem("beyond-columns", name, shorten(beyond), line=number, width=width))
        elif long := next((n for n, cell in enumerate(row) if len(cell or "") > longest), None):
            column, text = header.names[long], row[long] or ""
            log.add(unstorable_text(name, text, longest, line=number, column=column))
        else:
            yield number, [*row[:width], *[""] * (width - len(row))]


def _read(source: SourceFile, limits: Limits, log: ProblemLog) -> list[Row]:
    """Return every row as texts, merged cells filled with what they show."""
    with _opened(source, limits) as workbook:
        try:
            name = source.sheet or workbook.sheet_names[0]
            sheet = workbook.get_sheet_by_name(name)
            rows: list[Row] = [
                list(map(_text, row)) for row in sheet.to_python(skip_empty_area=False)
            ]
            merged = sheet.merged_cell_ranges or []
        except (CalamineError, IndexError) as error:
            raise refused("damaged-workbook", source.name, shorten(error)) from None
    for row, column in cells_without_value(source.path, name):
        if row < len(rows) and column < len(rows[row]):
            rows[row][column] = None
            log.counts[WITHOUT_VALUE] += 1
    for (top, left), (bottom, right) in merged:
        shown = rows[top][left] if top < len(rows) and left < len(rows[top]) else ""
        for cells in rows[top : bottom + 1]:
            cells[left : right + 1] = [shown] * len(cells[left : right + 1])
    return rows


@contextmanager
def _opened(source: SourceFile, limits: Limits) -> Iterator[CalamineWorkbook]:
    """Open a workbook, which is no bomb, by its content: one that was unpacked has no ending."""
    try:
        with zipfile.ZipFile(source.path) as archive:
            parts = archive.infolist()
        unpacked = sum(part.file_size for part in parts)
        packed = max(sum(part.compress_size for part in parts), 1)
        check_expansion(source.name, unpacked, packed, limits)
    except DAMAGE:
        pass  # an older workbook, or none
    with source.path.open("rb") as stream:
        try:
            workbook = CalamineWorkbook.from_filelike(_with_tabs(stream))
        except CalamineError as error:
            if "password" in str(error).lower() or "encrypt" in str(error).lower():
                raise refused("locked-workbook", source.name) from None
            raise refused("damaged-workbook", source.name, shorten(error)) from None
        with workbook:
            if len(workbook.sheet_names) > MOST_SHEETS:
                raise refused("too-many-sheets", source.name, most=MOST_SHEETS)
            yield workbook


def _with_tabs(stream: IO[bytes]) -> IO[bytes]:
    """Return an OpenDocument workbook with the tabs that calamine passes over as characters."""
    try:
        with zipfile.ZipFile(stream) as old:
            if b"<text:tab" not in old.read("content.xml"):
                raise KeyError
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w") as new:
                for part in old.namelist():
                    new.writestr(part, _TAB.sub(b"\t", old.read(part)))
        out.seek(0)
        return out
    except (KeyError, *DAMAGE):
        return stream
    finally:
        stream.seek(0)


def _text(cell: Any) -> str:
    """Return what a cell shows: whole numbers without a point, days without a time."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat()
    if isinstance(cell, timedelta):
        minutes, seconds = divmod(round(cell.total_seconds()), 60)
        return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
    return cell.isoformat() if isinstance(cell, date | time) else str(cell)


_CELL = re.compile(rb"<c\b([^>]*[^/>])>(.*?)</c>", re.DOTALL)
_PLACE = re.compile(rb'\br="([A-Z]{1,3})([0-9]{1,7})"')
_VALUE = re.compile(rb"<v[^>]*>[^<]")


def cells_without_value(path: Path, sheet: str) -> Iterator[tuple[int, int]]:
    """Yield row and column, from 0, of the cells of a sheet; of a workbook of another kind none."""
    try:
        with zipfile.ZipFile(path) as archive:
            data = archive.read(_part(archive, sheet))
    except (KeyError, ParseError, DefusedXmlException, *DAMAGE):
        return
    if b't="e"' not in data and b"<f" not in data:
        return
    for attributes, inner in _CELL.findall(data):
        is_lacking = b"<f" in inner and b't="str"' not in attributes and not _VALUE.search(inner)
        place = _PLACE.search(attributes)
        if place and (is_lacking or b't="e"' in attributes):
            column = reduce(lambda number, letter: 26 * number + letter - 64, place[1], 0)
            yield int(place[2]) - 1, column - 1


def _part(archive: zipfile.ZipFile, sheet: str) -> str:
    """Return which part of a workbook holds a sheet."""
    book = fromstring(archive.read("xl/workbook.xml")).iter()
    related = fromstring(archive.read("xl/_rels/workbook.xml.rels")).iter()
    (name,) = (
        value
        for element in book
        if element.get("name") == sheet
        for key, value in element.attrib.items()
        if key.endswith("}id")
    )
    targets = {element.get("Id"): element.get("Target", "") for element in related}
    return posixpath.join("xl", targets[name]).lstrip("/")
