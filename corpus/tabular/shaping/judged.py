"""The results of all mappings of an import, in the database, judged before anything is stored."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from corpus.tabular.opening.files import SourceFile
from corpus.tabular.opening.loading import Tables
from corpus.tabular.problems import Problem, ProblemLog, TableError, too_many_rows
from corpus.tabular.questions.asking import Settled, settle
from corpus.tabular.shaping.blocks import Block
from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.mapping import Mapping as Choices
from corpus.tabular.shaping.records import query_of, shaped
from corpus.tabular.shaping.shaped import BY, Plan, Query, unfolded
from corpus.tabular.sql import ROW, literal, quoted

SCHEMA = "results"
FILE = "_file"
JUDGED = ("segments", "systems", "outputs", "ratings", "metric_scores")


@dataclass
class _Filled:
    """What one file gave of one table."""

    query: Query
    columns: list[str] = field(default_factory=list)
    labelled: dict[str, tuple[str]] = field(default_factory=dict)
    rows: int = 0
    is_given_out: bool = False


class Judged:
    """Results of mappings in tables of their own, changed as answers to questions say.

    Parameters
    ----------
    tables
        The files' tables.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._filled: dict[tuple[str, str], _Filled] = {}
        self.queries: list[str] = []
        """Of each mapping; empty where it makes no sense."""
        self.faults: list[Problem] = []
        """What is wrong with mappings that make no sense."""
        connection = tables.database.locked()
        connection.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
        connection.execute(f"CREATE SCHEMA {SCHEMA}")

    @property
    def _most(self) -> int:
        """How many records a query may find before the rest is left to whoever reads them all."""
        looked_at = self._tables.limits.table_rows
        return self._tables.limits.rows if looked_at is None else 10 * looked_at

    def fill(self, source: SourceFile, choices: Choices, spec: TableSpec) -> None:
        """Add what a mapping finds in a file."""
        self.queries.append("")
        try:
            query = query_of(self._tables, source, choices, spec)
            self.queries[-1] = query.text
            if spec.name in JUDGED:
                self._insert(source, query, spec)
        except TableError as error:
            self.faults += error.problems
            self._filled.pop((source.name, spec.name), None)

    def _insert(self, source: SourceFile, query: Query, spec: TableSpec) -> None:
        database, is_scores = self._tables.database, spec.name == "metric_scores"
        text, columns, types, labelled = unfolded(
            database, query.text, spec, source.name, rows_of_numbers=is_scores
        )
        Plan(spec, source.name, columns, types)
        if is_scores and any(BY in column for column in columns):
            return  # Millions of numbers are read row by row.
        filled = self._filled.setdefault((source.name, spec.name), _Filled(query))
        filled.labelled = labelled
        table = f"{SCHEMA}.{quoted(spec.name)}"
        connection = database.locked()
        connection.execute(f"CREATE TABLE IF NOT EXISTS {table} ({ROW} BIGINT, {FILE} VARCHAR)")
        for column, kind in zip(columns, types, strict=True):
            if column != ROW:
                connection.execute(
                    f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS {quoted(column)} "
                    f"{_kind(column, kind, spec)}"
                )
        numbered = "" if ROW in columns else f"row_number() OVER () AS {ROW}, "
        done = connection.execute(
            f"INSERT INTO {table} BY NAME "
            f"SELECT {numbered}{literal(source.name)} AS {FILE}, * FROM ({text}) "
            f"LIMIT {self._most + 1}"
        ).fetchone()
        rows = int(done[0]) if done else 0
        if rows > self._most and self._tables.limits.table_rows is None:
            connection.execute(f"DELETE FROM {table} WHERE {FILE} = {literal(source.name)}")
            raise too_many_rows(source.name, self._most)
        if rows > self._most:
            self._tables.cut.add(source.name)
        filled.rows += rows
        filled.columns += [c for c in columns if c not in (ROW, *filled.columns)]

    def settle(
        self,
        chosen: Mapping[str, str],
        *,
        accept: bool,
        stored_systems: Collection[str] = (),
    ) -> Settled:
        """Carry out answers; return the questions answered and those left."""
        sources: dict[str, list[str]] = {}
        for name, table in self._filled:
            sources.setdefault(table, []).append(name)
        connection = self._tables.database.locked()
        presets = self._tables.presets
        return settle(connection, chosen, sources, stored_systems, presets, accept=accept)

    def holds(self, source: SourceFile, spec: TableSpec) -> bool:
        """Whether the records of a table come from here."""
        return (source.name, spec.name) in self._filled

    def blocks(self, source: SourceFile, spec: TableSpec, log: ProblemLog) -> Iterator[Block]:
        """Yield the records of a file as the answers left them; a second time nothing."""
        filled = self._filled[source.name, spec.name]
        if filled.is_given_out:
            return
        filled.is_given_out = True
        query = filled.query
        table = f"{SCHEMA}.{quoted(spec.name)}"
        there = [name for name, *_ in self._described(table)]
        given = [name for name in there if name in filled.columns]
        added = [name for name in there if name not in (*given, ROW, FILE)]
        of_file = f"FROM {table} WHERE {FILE} = {literal(source.name)}"
        given += [name for name in added if self._is_given(name, of_file)]
        columns = ", ".join(map(quoted, given))
        answered = replace(
            query,
            text=f"SELECT {ROW}, {columns} {of_file} ORDER BY rowid",
            labelled={**query.labelled, **filled.labelled},
        )
        yield from shaped(self._tables, answered, spec, log, must_find=not filled.rows)

    def _described(self, table: str) -> Sequence[Any]:
        return (
            self._tables.database.locked().execute(f"SELECT * FROM {table} LIMIT 0").description
            or []
        )

    def _is_given(self, name: str, of_file: str) -> bool:
        query = f"SELECT 1 {of_file} AND {quoted(name)} IS NOT NULL LIMIT 1"
        return bool(self._tables.database.locked().execute(query).fetchall())


def _kind(column: str, kind: Any, spec: TableSpec) -> str:
    many = spec.field(column).many if column in spec.names else ""
    if many == "list":
        return "VARCHAR[]"
    if many == "map":
        return "MAP(VARCHAR, VARCHAR)"
    return "VARCHAR" if column in spec.names else str(kind)
