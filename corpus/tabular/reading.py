"""Any file of a study as rows, and a look at its first ones."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from corpus.tabular.aligned import AlignedReader
from corpus.tabular.conversion import plain_json
from corpus.tabular.delimited import DelimitedReader
from corpus.tabular.files import SHEETS, SourceFile, check_columns, open_bytes
from corpus.tabular.found_dialect import SAMPLED_LINES, begins_with_data, found_dialect
from corpus.tabular.json_documents import JsonDocumentReader
from corpus.tabular.json_lines import JsonLinesReader, sampled_columns
from corpus.tabular.json_paths import ABSENT
from corpus.tabular.limits import DEFAULT_LIMITS, Limits
from corpus.tabular.problems import Problem, ProblemLog, shorten
from corpus.tabular.readers import PLAIN, Dialect, Reader

LONGEST_SHOWN = 500
_JSON = {"jsonl": JsonLinesReader, "json": JsonDocumentReader}


@contextmanager
def open_reader(
    source: SourceFile,
    log: ProblemLog,
    *,
    dialect: Dialect = PLAIN,
    limits: Limits = DEFAULT_LIMITS,
    columns: Sequence[str] | None = None,
    explode: str | None = None,
) -> Iterator[Reader]:
    """Open a file for reading its rows.

    Parameters
    ----------
    source
        The file.
    log
        Takes the problems of single rows; such rows are left out.
    dialect, limits
        How the file is written, and how much it may hold.
    columns
        The columns wanted of JSON and Parquet, by their dotted names; None for all that
        are found. Other formats always give all.
    explode
        Path of a list of which each element makes a row (JSON and Parquet).

    Raises
    ------
    TableError
        If the file cannot be read at all; also while iterating.
    """
    # Readers of formats of their own are imported by whoever meets one: a start needs none.
    if source.format == "parquet":
        from corpus.tabular.parquet import ParquetReader

        parquet = ParquetReader(source, limits, log, columns, explode)
        try:
            yield parquet
        finally:
            parquet.close()
    elif source.format in SHEETS:
        from corpus.tabular.sheets import SheetReader

        yield SheetReader(source, dialect, limits, log)
    elif source.format == "lines":
        yield AlignedReader(source, dialect, limits, log)
    elif source.format in ("xml", "sgml"):
        from corpus.tabular.xml_reader import XmlReader

        with open_bytes(source, limits) as stream:
            yield XmlReader(source, stream, dialect, limits, log, columns, explode)
    elif source.format in _JSON:
        names = json_columns(source, dialect, limits) if columns is None else columns
        with open_bytes(source, limits) as stream:
            reader = _JSON[source.format]
            yield reader(source, stream, dialect, limits, log, names, explode)
    else:
        with open_bytes(source, limits) as stream:
            yield DelimitedReader(source, stream, dialect, limits, log)


def json_columns(source: SourceFile, dialect: Dialect, limits: Limits) -> list[str]:
    """Return the dotted names of the values in the first objects of a file of JSON."""
    with open_bytes(source, limits) as stream:
        unlogged = ProblemLog(limit=0)
        reader = _JSON[source.format]
        names = sampled_columns(reader(source, stream, dialect, limits, unlogged, ()))
    check_columns(source.name, names, limits)
    return names


@dataclass(frozen=True)
class Preview:
    """The beginning of a file, for people.

    Attributes
    ----------
    columns
        Names of the columns.
    rows
        The first rows as texts, long ones cut; of a list of objects the first one's values.
    lines
        The physical lines on which they begin.
    encoding, delimiter
        As given or found; None where they mean nothing.
    problems
        What was wrong with rows passed on the way.
    dialect
        What a mapping has to say so that the file is read as it is here: also whether it has a
        header and how comments begin, if that was found out.
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
) -> Preview:
    """Return the columns and the first `n` rows of a file; `TableError` if it is unreadable.

    What the dialect leaves open is found out; `names` are those of columns that are known.
    """
    log = ProblemLog()
    if source.format in ("csv", "tsv"):
        dialect = found_dialect(source, dialect, limits, names)
    elif source.format in SHEETS and dialect.header is None:
        rows = _first_rows(source, dialect, limits)
        dialect = replace(dialect, header=not begins_with_data(rows, names))
    with open_reader(source, log, dialect=dialect, limits=limits) as reader:
        pairs = list(islice(reader, n))
        return Preview(
            tuple(reader.columns),
            tuple(tuple(map(_as_shown, row)) for _, row in pairs),
            tuple(line for line, _ in pairs),
            reader.encoding,
            reader.delimiter,
            log.problems,
            dialect,
            tuple(log.counted()),
        )


def _first_rows(source: SourceFile, dialect: Dialect, limits: Limits) -> list[Sequence[str]]:
    """Return the names of the columns and some rows, as texts."""
    with open_reader(source, ProblemLog(0), dialect=dialect, limits=limits) as reader:
        rows = islice(reader, SAMPLED_LINES)
        return [reader.columns, *([*map(_as_shown, row)] for _, row in rows)]


def _as_shown(value: Any) -> str:
    if value is None or value is ABSENT:
        return ""
    text = value if isinstance(value, str) else json.dumps(plain_json(value), ensure_ascii=False)
    return str(shorten(text, LONGEST_SHOWN))
