"""Tables to download, made from what the contents of reports declare."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Generic, TypeVar, cast

from analysis.data.named_metric import NamedMetric
from analysis.reports.content import Content
from analysis.stats.results import Estimate, Result, Undefined
from analysis.tables.flat_table import (
    METRIC_COLUMNS,
    PRINTED,
    RESULT_COLUMNS,
    Cell,
    FlatTable,
    TableRow,
    as_json,
    result_cells,
)

Parts = tuple[Any, ...]
"""What a row shows: parts of a content, and mappings of columns to values."""
RESULT = RESULT_COLUMNS[0]
"""Begins the columns of a result."""
UNPRINTED = frozenset(("metric_aspect", "text_setting", "human_written", "conditions"))
"""Columns that no printed page needs."""
HUMAN_WRITTEN = "human_written"
"""Column of the attribute `human`."""
C = TypeVar("C", bound=Content)


@dataclass(frozen=True)
class Table(Generic[C]):
    """A table to download, made from the content of a report.

    A row is made of parts of the content, each inside the one before it: without `rows`, one for
    each entry of `part`. A column shows the attribute of its name, or of the name that `COLUMNS` of
    a part declares, or the key of a mapping: of the last part, else of the part before it, else of
    the report. The last part is a result, or has results; where it has several, there is a row for
    each, and the column before them says which.

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
        Yields the parts of each row, where they are not just the entries of a part.
    printed
        The columns that fit a printed page; without them all, or of a table of results those that
        name a result, and `PRINTED` of it.
    """

    name: str
    title: str
    part: str
    columns: tuple[str, ...]
    rows: Callable[[C], Iterable[Parts]] | None = None
    printed: tuple[str, ...] = ()

    def of(self, content: C) -> FlatTable:
        """Return the table of a report."""
        rows = tuple(self._rows(content))
        printed = self.printed
        if not printed and RESULT in self.columns:
            unprinted = UNPRINTED.union(RESULT_COLUMNS)
            printed = (*(name for name in self.columns if name not in unprinted), *PRINTED)
        return FlatTable(self.name, self.title, self.columns, rows, printed)

    def _rows(self, content: C) -> Iterator[TableRow]:
        start = self.columns.index(RESULT) if RESULT in self.columns else len(self.columns)
        plain = (*self.columns[:start], *self.columns[start + len(RESULT_COLUMNS) :])
        found = self.rows(content) if self.rows else _entries(content, self.part.split("."))
        for around in ((content, *parts) for parts in found):
            if RESULT not in self.columns:
                yield tuple(_cell(around, key) for key in plain)
                continue
            results, is_one = _results(around[-1])
            which = "" if is_one else plain[start - 1]
            for name, result in results.items():
                cells = [name if key == which else _cell(around, key) for key in plain]
                yield (*cells[:start], *result_cells(result), *cells[start:])


def _entries(part: Any, path: list[str]) -> Iterator[Parts]:
    """Yield the entries of a part of a content, each after what it is a part of."""
    if not path:
        yield ()
        return
    found = getattr(part, path[0])
    for entry in found if isinstance(found, tuple) else () if found is None else (found,):
        for inside in _entries(entry, path[1:]):
            yield entry, *inside


@cache
def _columns(of: type) -> dict[str, str]:
    """Return attributes of a part of a content by the columns that they are shown in."""
    renamed: Mapping[str, str] = getattr(of, "COLUMNS", {})
    others = [each.name for each in fields(of) if each.name not in renamed.values()]
    written = {HUMAN_WRITTEN: "human"} if "human" in others else {}
    return {**{name: name for name in others}, **written, **renamed}


def _results(entry: Any) -> tuple[Mapping[str, Result], bool]:
    """Return the results of an entry by name, and whether it can have no more than one."""
    if isinstance(entry, Estimate | Undefined):
        return {"": entry}, True
    if isinstance(entry, Mapping):
        return entry, False
    of_attributes = {
        column: found
        for column, name in _columns(cast(Any, type(entry))).items()
        if isinstance(found := getattr(entry, name), Estimate | Undefined)
    }
    several = getattr(entry, "results", None)
    if isinstance(several, Mapping):
        return of_attributes | dict(several), False
    return of_attributes, len(of_attributes) == 1


def _cell(around: Parts, column: str) -> Cell:
    """Return what the innermost part with a column of this name shows in it."""
    for part in reversed(around):
        if isinstance(part, Mapping):
            if column not in part:
                continue
            value = part[column]
        elif isinstance(part, Estimate | Undefined):
            continue
        elif name := _columns(cast(Any, type(part))).get(column):
            value = getattr(part, name)
        else:
            continue
        return as_json(value) if isinstance(value, Mapping | tuple) else value
    raise LookupError(f"no part of {type(around[0]).__name__} has a column {column!r}")


def compared_with(metric: NamedMetric) -> dict[str, str]:
    """Return what names the second metric of two."""
    return {f"other_{column}": getattr(metric, column) for column in METRIC_COLUMNS}
