"""A look at the first rows of a file, and at how it is written."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from corpus.tabular.files import SHEETS, SourceFile, check_columns
from corpus.tabular.json_paths import ABSENT, column_names, getter
from corpus.tabular.limits import DEFAULT_LIMITS, Limits
from corpus.tabular.loading import Tables, objects_of, rows_of
from corpus.tabular.problems import Problem, ProblemLog, TableError, shorten
from corpus.tabular.readers import PLAIN, Dialect
from corpus.tabular.separated import separated
from corpus.tabular.sheet_tables import Sheet

LONGEST_SHOWN = 500
SAMPLED_OBJECTS = 1000


@dataclass(frozen=True)
class Preview:
    """The beginning of a file, for people.

    Attributes
    ----------
    columns
        Names of the columns; dotted ones of values that lie inside others.
    rows
        The first rows as texts, long ones cut; of a list of objects the first one's values.
    lines
        The physical lines on which they begin.
    encoding, delimiter
        As given or found; None where they mean nothing.
    problems
        What was wrong with rows passed on the way.
    dialect
        What a mapping has to say so that the file is read as it is here.
    counted
        What was passed over on the way, in words.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    encoding: str | None
    delimiter: str | None
    problems: tuple[Problem, ...]
    dialect: Dialect = PLAIN
    counted: tuple[str, ...] = ()


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
    if source.format in ("csv", "tsv"):
        found = separated(source, dialect, limits, names)
        return _shown(found.columns, islice(found.rows(), n), found.dialect, found.log)
    if source.format in SHEETS:
        sheet = Sheet(source, dialect, limits, names)
        said = dialect.header if isinstance(dialect.header, tuple) else sheet.header.rows > 0
        return _shown(sheet.columns, islice(sheet.rows(), n), Dialect(header=said), sheet.log)
    if source.format in ("json", "jsonl"):
        objects = objects_of(source, dialect, limits, log)
        first = list(islice(objects, SAMPLED_OBJECTS))
        columns = column_names(record for _, record in first)
        check_columns(source.name, columns, limits)
        if not first and not log:
            raise TableError(_empty(source.name))
        get = [getter(name) for name in columns]
        rows = [(line, [value(record) for value in get]) for line, record in first[:n]]
        return _shown(columns, rows, dialect, log)
    if source.format == "parquet":
        return _of_parquet(source, n, dialect, limits, tables)
    names_found, placed = rows_of(source, dialect, limits, log)
    return _shown(names_found, islice(placed, n), dialect, log)


def _of_parquet(
    source: SourceFile, n: int, dialect: Dialect, limits: Limits, tables: Tables | None
) -> Preview:
    if tables is None:
        raise ValueError("a Parquet file is read in a database")
    loaded = tables.load(source, dialect)
    rows = tables.first_rows(source, n)
    records = [dict(zip(loaded.columns, row[1:], strict=True)) for row in rows]
    columns = loaded.leaves
    check_columns(source.name, columns, limits)
    get = [getter(name) for name in columns]
    placed = [(row[0], [value(r) for value in get]) for row, r in zip(rows, records, strict=True)]
    return _shown(columns, placed, dialect, ProblemLog())


def _shown(
    columns: Iterable[str],
    placed: Iterable[tuple[int, Sequence[Any]]],
    dialect: Dialect,
    log: ProblemLog,
) -> Preview:
    pairs, names = list(placed), tuple(columns)
    return Preview(
        names,
        tuple((*map(_as_shown, row), *[""] * (len(names) - len(row))) for _, row in pairs),
        tuple(line for line, _ in pairs),
        dialect.encoding,
        dialect.delimiter,
        log.problems,
        dialect,
        tuple(log.counted()),
    )


def _as_shown(value: Any) -> str:
    if value is None or value is ABSENT:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return str(shorten(text, LONGEST_SHOWN))


def _empty(name: str) -> Problem:
    expected = "an array of objects, or an object"
    advice = "Leave the file out if the study has no such table."
    return Problem(name, None, None, None, "no records", expected, advice, "empty-file")
