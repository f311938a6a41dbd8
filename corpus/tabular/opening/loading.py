"""Every table of a file in DuckDB: texts as published, each record numbered, its line known."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb

from corpus.tabular.database import Database, load_texts
from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import MARKUP, SHEETS, Dialect, SourceFile, TextTable
from corpus.tabular.opening.json_records import Placed, json_lines, json_table, renamed
from corpus.tabular.opening.lines import aligned
from corpus.tabular.opening.markup import PATH, element_records
from corpus.tabular.opening.nested_tables import load_objects, load_parquet
from corpus.tabular.opening.separated import separated
from corpus.tabular.opening.separated_rows import Rows
from corpus.tabular.opening.sheet_tables import sheet_table
from corpus.tabular.problems import ProblemLog, refused
from corpus.tabular.shaping.names import leaves
from corpus.tabular.shaping.query_files import dialects_in, files_in
from corpus.tabular.sql import quoted, table_name


@dataclass
class Loaded:
    """A table of a file in the database.

    Attributes
    ----------
    source, dialect, limits
        The file, how it is written, and how much it may hold.
    columns
        Name and type of each column behind the number of the record.
    lines
        Physical line of each record, where it is not asked of the file again.
    log
        What was passed over.
    """

    source: SourceFile
    dialect: Dialect
    limits: Limits
    columns: dict[str, Any] = field(default_factory=dict)
    lines: array[int] = field(default_factory=lambda: array("q"))
    log: ProblemLog = field(default_factory=ProblemLog)
    skipped: int = 0

    @property
    def leaves(self) -> list[str]:
        """Dotted names of all values."""
        return leaves(self.columns)

    def lines_of(self, rows: Collection[int]) -> dict[int, int]:
        """Return the physical lines on which some records begin."""
        if not rows:
            return {}
        if self.lines:
            return {row: self.lines[row - 1] for row in rows if row <= len(self.lines)}
        if self.source.format not in ("csv", "tsv"):
            return {row: row for row in rows}
        wanted = max(rows)
        placed = Rows(self.source, self.dialect, self.limits, ProblemLog(0))
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
        self.limits = limits
        self.database = Database(folder, limits)
        self.judged: Any = None
        """The results of the mappings, once they were judged."""
        self.sources: dict[str, SourceFile] = {}
        """Files by name, which a query may read."""
        self.presets: dict[str, str] = {}
        """Likely answers to questions, as a named format says."""
        self.cut: set[str] = set()
        """Files of which only the first rows were loaded, as the limits say."""
        self._loaded: dict[str, tuple[tuple[SourceFile, Dialect], Loaded]] = {}

    def load(
        self,
        source: SourceFile,
        dialect: Dialect,
        known: Collection[str] = (),
    ) -> Loaded:
        """Return a file's table, loading it unless it was read in the same way before."""
        held = self._loaded.get(source.name)
        # What was found in the file is as good as what one was told to look for.
        if held and held[0][0] == source and dialect in (held[0][1], held[1].dialect):
            return held[1]
        try:
            loaded = self._load(source, dialect, known)
        except duckdb.OutOfMemoryException:
            raise
        except duckdb.Error as error:
            found = str(error).partition("\n")[0]
            raise refused("damaged-table", source.name, found) from None
        self._loaded[source.name] = ((source, dialect), loaded)
        query = f"SELECT * FROM {table_name(source.name)} LIMIT 0"
        described = self.database.loading().execute(query).description or []
        loaded.columns = {name: kind for name, kind, *_ in described[1:]}
        return loaded

    def loaded(self, name: str) -> Loaded:
        """Return the table of a file that was loaded before."""
        return self._loaded[name][1]

    def dialects_of(self, query: str, name: str) -> dict[str, Dialect]:
        """Return how each file of a query is written; `TableError` names one that is not there."""
        said = dialects_in(query, name)
        files = files_in(query)
        if missing := [each for each in files if each not in self.sources]:
            raise refused("no-such-file", name, missing[0], names=", ".join(self.sources))
        return {each: said.get(each, Dialect()) for each in files}

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def first_rows(self, source: SourceFile, n: int, selected: str = "*") -> list[tuple[Any, ...]]:
        """Return the first rows of a loaded file, the number of the record first."""
        query = f"SELECT {selected} FROM {table_name(source.name)} LIMIT {n}"
        return self.database.loading().execute(query).fetchall()

    def _load(self, source: SourceFile, dialect: Dialect, known: Collection[str]) -> Loaded:
        connection = self.database.loading()
        copy = self._folder / f"copy-{len(self._loaded):05d}"
        loaded = Loaded(source, dialect, self.limits)
        if source.format in ("csv", "tsv"):
            file = separated(source, dialect, self.limits, known)
            loaded.dialect, loaded.log, loaded.skipped = file.dialect, file.log, file.skipped
            file.load(connection, copy.with_suffix(".txt"), partial(self._first, source.name))
        elif source.format in SHEETS:
            self._load_rows(loaded, sheet_table(source, dialect, self.limits, known), copy)
        elif source.format == "lines":
            self._load_rows(loaded, aligned(source, dialect, self.limits), copy)
        elif source.format == "parquet":
            if load_parquet(connection, source, self.limits):
                self.cut.add(source.name)
        else:
            found = _objects(source, dialect, self.limits, loaded.log)
            objects = self._first(source.name, found)
            loaded.lines = load_objects(
                connection, source.name, objects, copy, self.limits, loaded.log
            )
            if source.format in MARKUP:
                _drop_path_if_constant(connection, source.name)
        return loaded

    def _load_rows(self, loaded: Loaded, table: TextTable, copy: Path) -> None:
        def texts() -> Iterator[Sequence[str | None]]:
            for line, row in self._first(loaded.source.name, table.rows):
                loaded.lines.append(line)
                yield row

        loaded.dialect, loaded.log = table.dialect, table.log
        load_texts(self.database.loading(), loaded.source.name, table.columns, texts(), copy)
        loaded.log.raise_if_any()

    def _first(self, name: str, rows: Iterable[Any]) -> Iterator[Any]:
        """Yield the rows of a file that are looked at."""
        for number, row in enumerate(rows):
            if number == self.limits.table_rows:
                self.cut.add(name)
                return
            yield row


def _objects(
    source: SourceFile, dialect: Dialect, limits: Limits, log: ProblemLog
) -> Iterator[Placed]:
    """Return the records of a file of JSON or of markup, each with its line or number."""
    found: Iterable[Placed]
    if source.format in MARKUP:
        found = element_records(source, dialect.encoding, limits, dialect.element)
    elif source.format == "jsonl":
        found = json_lines(source, dialect.encoding, limits, log)
    else:
        found = json_table(source, dialect.encoding, limits)
    return renamed(found)


def _drop_path_if_constant(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    """Drop the column of the elements around records that all stand in the same ones."""
    table, path = table_name(name), quoted(PATH)
    different = connection.execute(f"SELECT count(DISTINCT {path}) FROM {table}").fetchone()
    if different == (1,):
        connection.execute(f"ALTER TABLE {table} DROP COLUMN {path}")
