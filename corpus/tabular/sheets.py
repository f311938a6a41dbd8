"""The tables in the sheets of a workbook: which row names the columns, and the rows below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from corpus.storable import unstorable
from corpus.tabular.cells import cell_name, is_empty
from corpus.tabular.files import SourceFile, check_columns
from corpus.tabular.limits import MEBIBYTE, Limits
from corpus.tabular.ods import ods_rows, ods_sheets
from corpus.tabular.problems import Problem, ProblemLog, TableError, shorten
from corpus.tabular.readers import Dialect, Spot
from corpus.tabular.workbooks import Row, open_workbook
from corpus.tabular.xlsx import xlsx_rows, xlsx_sheets

LOOKED_AT = 20
ABOVE = "rows above the names of the columns passed over"
_SHEETS = {"xlsx": xlsx_sheets, "ods": ods_sheets}
_ROWS = {"xlsx": xlsx_rows, "ods": ods_rows}


def sheet_names(source: SourceFile, limits: Limits) -> list[str]:
    """Return the names of a workbook's sheets in which something stands."""
    with open_workbook(source, limits) as parts:
        return [
            name
            for name in _SHEETS[source.format](parts)
            if next(_ROWS[source.format](parts, name), None) is not None
        ]


class SheetReader:
    """Records of one sheet; a place in it is a cell.

    The names of the columns stand in the first row that has several filled cells (or one, if no
    row has more); rows above it are passed over and counted. Rows without a filled cell are no
    rows. Cells to the right of the last name are errors, if something stands in them.

    Parameters
    ----------
    source, limits, log
        As for `DelimitedReader`.
    dialect
        Of it only the header matters.
    """

    encoding: str | None = None
    delimiter: str | None = None

    def __init__(
        self, source: SourceFile, dialect: Dialect, limits: Limits, log: ProblemLog
    ) -> None:
        self._source = source
        self._name = source.name
        self._limits = limits
        self._log = log
        self._row = self._characters = 0
        rows = self._stored()
        first: list[Row] = []
        for row in rows:
            first.append(row)
            if len(row[1]) > 1 or len(first) == LOOKED_AT:
                break
        if not first:
            raise TableError(self._problem(1, 1, "an empty sheet", "a table", "empty-file"))
        above = len(first) - 1 if len(first[-1][1]) > 1 else 0
        self._log.counts[ABOVE] += above
        top, *rest = first[above:]
        self._rows: Iterator[Row] = chain(rest, rows)
        self._row = top[0]
        self.columns = self._columns(top, dialect.header)
        if dialect.header is not None and dialect.header is not True:
            self._rows = chain([top], self._rows)

    def _stored(self) -> Iterator[Row]:
        with open_workbook(self._source, self._limits) as parts:
            for row, cells in _ROWS[self._source.format](parts, self._source.sheet):
                filled = {n: value for n, value in cells.items() if not is_empty(value)}
                if filled:
                    yield row, filled

    def _columns(self, top: Row, said: tuple[str, ...] | bool | None) -> tuple[str, ...]:
        _, cells = top
        width = max(cells)
        if isinstance(said, tuple):
            names: Sequence[str] = said
        elif said is False:
            names = [""] * width
        else:
            names = [_shown(cells.get(n, "")) for n in range(1, width + 1)]
        check_columns(self._name, names, self._limits)
        for index, name in enumerate(names):
            if name and name in names[:index]:
                raise TableError(
                    self._problem(
                        self._row,
                        index + 1,
                        name,
                        "a name that no other column has",
                        "duplicate-column",
                        "Rename or remove one of the two columns.",
                    )
                )
        return tuple(name or f"column {n}" for n, name in enumerate(names, 1))

    def __iter__(self) -> Iterator[tuple[int, list[Any]]]:
        width = len(self.columns)
        for row, cells in self._rows:
            self._row = row
            if self._is_sound(cells, width):
                yield self._row, [cells.get(n, "") for n in range(1, width + 1)]

    def _is_sound(self, cells: dict[int, Any], width: int) -> bool:
        """Log a cell without a column, or with a text that is too long or that nobody can store.

        Cells share texts, so what is handed out may be far more than the file holds.
        """
        limit, total = self._limits.field_characters, 0
        for column, value in cells.items():
            found = advice = ""
            if column > width:
                found, expected, code = _shown(value), f"nothing right of column {width}", "fields"
                advice = "Give the column a name in the header row, or clear the cell."
            elif isinstance(value, str):
                total += len(value)
                if total > self._limits.record_characters:
                    found, expected = f"a record of {total} characters or more", "a shorter one"
                    code = "field-size"
                elif len(value) > limit:
                    found, expected = f"{len(value)} characters", f"at most {limit}"
                    code, advice = "field-size", "Shorten the text."
                elif found := unstorable(value):
                    expected, code, advice = "text", "nul", "Remove it."
            if found:
                self._log.add(self._problem(self._row, column, found, expected, code, advice))
                self._log.refuse_row(self._name, list(cells.values()))
                return False
        self._characters += total
        if self._characters > self._limits.text_bytes:
            found = f"more than {self._limits.text_bytes // MEBIBYTE:,} MiB of text in all cells"
            advice = "Split the sheet, or ask the administrator to raise IMPORT_TEXT_MB."
            raise TableError(self._problem(self._row, 1, found, "less", "too-much", advice))
        return True

    def spot(self, index: int, label: str | None = None) -> Spot:
        """Say in which row and column, both counted from 1, a value stands."""
        return Spot(self._row, index + 1)

    def _problem(
        self, row: int, column: int, found: str, expected: str, code: str, advice: str = ""
    ) -> Problem:
        columns = getattr(self, "columns", ())
        return Problem(
            self._name,
            line=row,
            column=columns[column - 1] if column <= len(columns) else None,
            position=column,
            found=shorten(found),
            expected=expected,
            message=advice or "Correct the sheet, or leave it out.",
            code=code,
            cell=cell_name(row, column),
        )


def _shown(value: Any) -> str:
    """Return what a cell says, as a name or in a message."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
