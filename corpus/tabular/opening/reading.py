"""A look at the first rows of a file, and at how it is written."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any

from corpus.tabular.limits import DEFAULT_LIMITS, Limits
from corpus.tabular.opening.files import (
    MARKUP,
    PLAIN,
    SHEETS,
    Dialect,
    Preview,
    SourceFile,
    check_columns,
)
from corpus.tabular.opening.json_paths import column_names, getter
from corpus.tabular.opening.json_records import Placed
from corpus.tabular.opening.lines import aligned_columns, aligned_rows
from corpus.tabular.opening.loading import Tables, objects_of
from corpus.tabular.opening.markup import PATH
from corpus.tabular.opening.separated import separated
from corpus.tabular.opening.sheet_tables import Sheet
from corpus.tabular.problems import ProblemLog, refused, shorten

LONGEST_SHOWN = 500
SAMPLED_OBJECTS = 1000


def preview(
    source: SourceFile,
    n: int = 10,
    *,
    dialect: Dialect = PLAIN,
    limits: Limits = DEFAULT_LIMITS,
    names: Collection[str] = (),
    tables: Tables | None = None,
) -> Preview:
    """Return the columns and the first `n` rows of a file; `TableError` if it is unreadable.

    What the dialect leaves open is found out; `names` are those of columns that are known.
    """
    log = ProblemLog()
    columns: Sequence[str]
    placed: Iterator[tuple[int, Sequence[Any]]]
    if source.format in ("csv", "tsv"):
        found = separated(source, dialect, limits, names)
        columns, placed, dialect, log = found.columns, found.rows(), found.dialect, found.log
    elif source.format in SHEETS:
        sheet = Sheet(source, dialect, limits, names)
        said = dialect.header if isinstance(dialect.header, tuple) else sheet.header.rows > 0
        columns, placed, dialect, log = sheet.columns, sheet.rows(), Dialect(header=said), sheet.log
    elif source.format == "lines":
        columns, placed = aligned_columns(source), aligned_rows(source, dialect, limits)
    elif source.format == "parquet":
        if tables is None:
            raise ValueError("a Parquet file is read in a database")
        loaded = tables.load(source, dialect)
        records = [
            (row[0], dict(zip(loaded.columns, row[1:], strict=True)))
            for row in tables.first_rows(source, n)
        ]
        columns, placed = _values(source, loaded.leaves, records, limits)
    else:
        records = list(islice(objects_of(source, dialect, limits, log), SAMPLED_OBJECTS))
        columns, placed = _values(source, _columns(source, records), records[:n], limits)
        if not records and not log:
            expected = "an array of objects, or an object"
            advice = "Leave the file out if the study has no such table."
            raise refused(source.name, "no records", expected, advice, "empty-file")
    pairs: list[tuple[int, Sequence[Any]]] = list(islice(placed, n))
    return Preview(
        tuple(columns),
        tuple(tuple(map(_as_shown, [*row, *[""] * (len(columns) - len(row))])) for _, row in pairs),
        tuple(line for line, _ in pairs),
        dialect.encoding,
        dialect.delimiter,
        log.problems,
        dialect,
        tuple(log.counted()),
    )


def _columns(source: SourceFile, records: list[Placed]) -> list[str]:
    """Return the names of the values of some records."""
    objects = [record for _, record in records]
    if source.format not in MARKUP:
        return column_names(objects)
    names = dict.fromkeys(name for record in objects for name in record)
    if len({record[PATH] for record in objects}) < 2:
        del names[PATH]
    return list(names)


def _values(
    source: SourceFile, columns: list[str], records: list[Placed], limits: Limits
) -> tuple[tuple[str, ...], Iterator[tuple[int, list[Any]]]]:
    """Return names of columns, and the values under them."""
    check_columns(source.name, columns, limits)
    get = [getter(name) for name in columns]
    return tuple(columns), ((line, [value(record) for value in get]) for line, record in records)


def _as_shown(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return str(shorten(text, LONGEST_SHOWN))
