"""Every table of a file in DuckDB: texts as published, each record numbered, its line known."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb

from corpus.tabular.aligned import aligned_columns, aligned_rows
from corpus.tabular.database import ROW, Database, literal, load_texts, quoted, table_name
from corpus.tabular.files import SHEETS, SourceFile, check_expansion, open_bytes
from corpus.tabular.headers import named
from corpus.tabular.json_paths import ABSENT
from corpus.tabular.json_records import Placed, document, json_lines, json_tables, renamed
from corpus.tabular.json_tables import WHOLE
from corpus.tabular.limits import Limits
from corpus.tabular.object_tables import load_objects
from corpus.tabular.problems import Problem, ProblemLog, TableError, shorten
from corpus.tabular.query import leaves
from corpus.tabular.query_files import dialects_in, files_in
from corpus.tabular.readers import Dialect
from corpus.tabular.separated import separated
from corpus.tabular.separated_rows import Rows
from corpus.tabular.sheet_tables import Sheet


@dataclass
class Loaded:
    """A table of a file in the database.

    Attributes
    ----------
    source, dialect
        The file, and how it is written.
    columns
        Name and type of each column behind the number of the record.
    lines
        Physical line of each record, where it is not asked of the file again.
    log
        What was passed over.
    """

    source: SourceFile
    dialect: Dialect
    columns: dict[str, Any] = field(default_factory=dict)
    lines: array[int] = field(default_factory=lambda: array("q"))
    log: ProblemLog = field(default_factory=ProblemLog)
    skipped: int = 0

    @property
    def leaves(self) -> list[str]:
        """Dotted names of all values."""
        return leaves(self.columns)

    def lines_of(self, rows: Collection[int], limits: Limits) -> dict[int, int]:
        """Return the physical lines on which some records begin."""
        if not rows:
            return {}
        if self.lines:
            return {row: self.lines[row - 1] for row in rows if row <= len(self.lines)}
        if self.source.format not in ("csv", "tsv"):
            return {row: row for row in rows}
        wanted = max(rows)
        placed = Rows(self.source, self.dialect, limits, ProblemLog(0))
        data = (line for line, row in placed if row and line > self.skipped)
        numbered = enumerate(islice(data, wanted), 1)
        return {number: line for number, line in numbered if number in rows}


class Tables:
    """The tables of an import, loaded when they are first asked for.

    Parameters
    ----------
    folder
        For the database and copies.
    limits
        How much the files may hold.
    """

    def __init__(self, folder: Path, limits: Limits) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._limits = limits
        self.database = Database(folder, limits)
        self.judged: Any = None
        """The results of the mappings, once they were judged."""
        self.sources: dict[str, SourceFile] = {}
        """Files by name, which a query may read."""
        self.presets: dict[str, str] = {}
        """Likely answers to questions, as a named format says."""
        self._loaded: dict[str, tuple[tuple[SourceFile, Dialect, str | None], Loaded]] = {}

    def load(
        self,
        source: SourceFile,
        dialect: Dialect,
        known: Collection[str] = (),
        element: str | None = None,
    ) -> Loaded:
        """Return a file's table, loading it unless it was read in the same way before.

        Of markup `element` names the elements that are the records.
        """
        held = self._loaded.get(source.name)
        if held is not None and held[0] == (source, dialect, element):
            return held[1]
        try:
            loaded = self._load(source, dialect, known, element)
        except duckdb.OutOfMemoryException:
            raise
        except duckdb.Error as error:
            advice = "Copy or write the file again."
            found = str(error).partition("\n")[0]
            raise TableError(
                Problem(source.name, None, None, None, found, "a table", advice, "damaged")
            ) from None
        self._loaded[source.name] = ((source, dialect, element), loaded)
        described = self.database.loading().execute(
            f"SELECT * FROM {table_name(source.name)} LIMIT 0"
        )
        for name, kind, *_ in (described.description or [])[1:]:
            loaded.columns[name] = kind
        return loaded

    def dialects_of(self, query: str, name: str) -> dict[str, Dialect]:
        """Return how each file of a query is written; `TableError` names one that is not there."""
        said = dialects_in(query, name)
        files = files_in(query)
        if missing := [each for each in files if each not in self.sources]:
            known = ", ".join(self.sources)
            advice = "Correct the name of the file in the query."
            raise TableError(
                Problem(name, None, None, None, missing[0], f"one of {known}", advice, "query")
            )
        return {each: said.get(each, Dialect()) for each in files}

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def first_rows(self, source: SourceFile, n: int) -> list[tuple[Any, ...]]:
        """Return the first rows of a loaded file, the number of the record first."""
        query = f"SELECT * FROM {table_name(source.name)} LIMIT {n}"
        return self.database.loading().execute(query).fetchall()

    def _load(
        self, source: SourceFile, dialect: Dialect, known: Collection[str], element: str | None
    ) -> Loaded:
        connection = self.database.loading()
        copy = self._folder / f"copy-{len(self._loaded):05d}"
        if source.format in ("csv", "tsv"):
            found = separated(source, dialect, self._limits, known)
            found.load(connection, copy.with_suffix(".txt"))
            return Loaded(source, found.dialect, log=found.log, skipped=found.skipped)
        if source.format == "parquet":
            _load_parquet(connection, source, self._limits)
            return Loaded(source, dialect)
        if source.format in SHEETS:
            sheet = Sheet(source, dialect, self._limits, known)
            loaded = Loaded(source, dialect, log=sheet.log)
            _load_rows(connection, loaded, sheet.columns, sheet.rows(), copy)
            return loaded
        loaded = Loaded(source, dialect)
        if source.format in ("json", "jsonl"):
            objects = objects_of(source, dialect, self._limits, loaded.log)
            loaded.lines = load_objects(
                connection, source.name, objects, copy, self._limits, loaded.log
            )
        else:
            columns, rows = rows_of(source, dialect, self._limits, loaded.log, element)
            if not columns:
                advice = "Leave the file out if the study has no such table."
                expected = "elements that hold texts"
                raise TableError(
                    Problem(source.name, 1, None, None, "nothing", expected, advice, "empty-file")
                )
            _load_rows(connection, loaded, columns, rows, copy)
        return loaded


def objects_of(
    source: SourceFile, dialect: Dialect, limits: Limits, log: ProblemLog
) -> Iterator[Placed]:
    """Yield the records of a file of JSON, each with its line or number."""
    if source.format == "jsonl":
        yield from renamed(json_lines(source, dialect.encoding, limits, log))
        return
    if source.sheet == WHOLE:
        content = document(source, dialect.encoding, limits)
        if isinstance(content, dict):
            yield from renamed([(1, content)])
            return
    name = source.sheet.replace(WHOLE, "")
    yield from renamed(json_tables(source, dialect.encoding, limits).get(name, []))


def rows_of(
    source: SourceFile,
    dialect: Dialect,
    limits: Limits,
    log: ProblemLog,
    element: str | None = None,
) -> tuple[tuple[str, ...], Iterator[tuple[int, list[Any]]]]:
    """Return the columns of a file of markup or of plain lines, and its rows."""
    if source.format == "lines":
        return aligned_columns(source), aligned_rows(source, dialect, limits)
    from corpus.tabular.xml_reader import XmlReader

    with open_bytes(source, limits) as stream:
        columns = XmlReader(source, stream, dialect, limits, ProblemLog(0), None, element).columns

    def rows() -> Iterator[tuple[int, list[Any]]]:
        with open_bytes(source, limits) as stream:
            for line, row in XmlReader(source, stream, dialect, limits, log, columns, element):
                yield line, ["" if cell is ABSENT else cell for cell in row]

    return named(columns), rows()


def _load_rows(
    connection: duckdb.DuckDBPyConnection,
    loaded: Loaded,
    columns: Sequence[str],
    rows: Iterable[tuple[int, Sequence[str | None]]],
    copy: Path,
) -> None:
    def texts() -> Iterator[Sequence[str | None]]:
        for line, row in rows:
            loaded.lines.append(line)
            yield row

    load_texts(connection, loaded.source.name, columns, texts(), copy)
    loaded.log.raise_if_any()


def _load_parquet(
    connection: duckdb.DuckDBPyConnection, source: SourceFile, limits: Limits
) -> None:
    """Make a table of a Parquet file, with every value as its text."""
    place = literal(str(source.path))
    read = f"read_parquet({place})"
    try:
        size = f"SELECT sum(total_uncompressed_size) FROM parquet_metadata({place})"
        (unpacked,) = connection.execute(size).fetchone() or (0,)
        check_expansion(source.name, int(unpacked or 0), source.path.stat().st_size, limits)
        columns = connection.execute(f"SELECT * FROM {read} LIMIT 0").description or []
        texts = ", ".join(
            f"CAST({_decoded(name, kind)} AS {_texts_of(kind)}) AS {quoted(name)}"
            for name, kind, *_ in columns
        )
        connection.execute(
            f"CREATE OR REPLACE TABLE {table_name(source.name)} AS "
            f"SELECT row_number() OVER () AS {ROW}, {texts} FROM {read}"
        )
    except duckdb.OutOfMemoryException:
        raise
    except (duckdb.Error, RuntimeError, UnicodeError) as error:
        advice = "The file is damaged: copy or write it again."
        found = shorten(str(error).partition("\n")[0].replace(str(source.path), source.name))
        raise TableError(
            Problem(source.name, None, None, None, found, "Parquet", advice, "damaged")
        ) from None


def _decoded(name: str, kind: Any) -> str:
    return f"decode({quoted(name)})" if str(kind) == "BLOB" else quoted(name)


def _texts_of(kind: Any) -> str:
    """Return a type with the same structure whose leaves are texts."""
    if kind.id == "list" or kind.id == "array":
        return f"{_texts_of(dict(kind.children)['child'])}[]"
    if kind.id == "struct":
        inner = ", ".join(f"{quoted(name)} {_texts_of(each)}" for name, each in kind.children)
        return f"STRUCT({inner})"
    if kind.id == "map":
        children = dict(kind.children)
        return f"MAP(VARCHAR, {_texts_of(children['value'])})"
    return "VARCHAR"
