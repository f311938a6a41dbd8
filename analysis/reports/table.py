"""Tables to download, made from what the contents of reports declare."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Generic, TypeVar, cast

from analysis.reports.content import Content
from analysis.stats.results import Estimate, Result, Undefined
from analysis.tables.flat_table import (
    RESULT_COLUMNS,
    Cell,
    FlatTable,
    TableRow,
    as_json,
    result_cells,
)

RESULT = RESULT_COLUMNS[0]
"""Begins the columns of a result."""
C = TypeVar("C", bound=Content)


@dataclass(frozen=True)
class Table(Generic[C]):
    """A table to download, made from the content of a report.

    Without `rows`, the rows follow from the content: one for each entry of the part, and of its
    results. A column shows the attribute of its name, or of the name that `COLUMNS` of the entry
    declares: of the entry, else of the part around it, else of the report. Where an entry has
    several results, the column before them says which.

    Parameters
    ----------
    name
        Short ASCII name, fit for file names.
    title
        One line that says what the rows are.
    part
        Part of the content that it shows, such as ``rows`` or ``rows.beside``; without it there is
        no table.
    columns
        Names of the columns.
    rows
        Makes the rows, aligned with the columns, where they do not follow from the content.
    printed
        The columns that fit a printed page; empty for all.
    """

    name: str
    title: str
    part: str
    columns: tuple[str, ...]
    rows: Callable[[C], Iterable[TableRow]] | None = None
    printed: tuple[str, ...] = ()

    def of(self, content: C) -> FlatTable:
        """Return the table of a report."""
        rows = tuple(self.rows(content) if self.rows else self._rows(content))
        return FlatTable(self.name, self.title, self.columns, rows, self.printed)

    def _rows(self, content: C) -> Iterator[TableRow]:
        start = self.columns.index(RESULT) if RESULT in self.columns else len(self.columns)
        plain = (*self.columns[:start], *self.columns[start + len(RESULT_COLUMNS) :])
        for around in _entries((content,), self.part.split(".")):
            if RESULT not in self.columns:
                yield tuple(_cell(around, key) for key in plain)
                continue
            results, is_one = _results(around[-1])
            which = "" if is_one else plain[start - 1]
            for name, result in results.items():
                cells = [name if key == which else _cell(around, key) for key in plain]
                yield (*cells[:start], *result_cells(result), *cells[start:])


def _entries(around: tuple[Any, ...], path: list[str]) -> Iterator[tuple[Any, ...]]:
    """Yield the entries of a part of a content, each after what it is a part of."""
    if not path:
        yield around
        return
    found = getattr(around[-1], path[0])
    entries = found if isinstance(found, tuple) else () if found is None else (found,)
    for entry in entries:
        yield from _entries((*around, entry), path[1:])


@cache
def _columns(of: type) -> dict[str, str]:
    """Return attributes of a part of a content by the columns that they are shown in."""
    renamed: Mapping[str, str] = getattr(of, "COLUMNS", {})
    others = (each.name for each in fields(of) if each.name not in renamed.values())
    return {**{name: name for name in others}, **renamed}


def _results(entry: Any) -> tuple[dict[str, Result], bool]:
    """Return the results of an entry by name, and whether it can have no more than one."""
    of_attributes = {
        column: found
        for column, name in _columns(cast(Any, type(entry))).items()
        if isinstance(found := getattr(entry, name), Estimate | Undefined)
    }
    several = getattr(entry, "results", None)
    if isinstance(several, Mapping):
        return of_attributes | dict(several), False
    return of_attributes, len(of_attributes) == 1


def _cell(around: tuple[Any, ...], column: str) -> Cell:
    """Return what the innermost part with a column of this name shows in it."""
    for part in reversed(around):
        name = _columns(cast(Any, type(part))).get(column)
        if name is not None:
            value = getattr(part, name)
            return as_json(value) if isinstance(value, Mapping | tuple) else value
    raise LookupError(f"no part of {type(around[0]).__name__} has a column {column!r}")
