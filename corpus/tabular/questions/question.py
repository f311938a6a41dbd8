"""What a question is, and the result tables that questions are asked about."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus.tabular.plain import from_plain, to_plain
from corpus.tabular.sql import quoted

if TYPE_CHECKING:
    import duckdb

Change = tuple[Any, ...]
"""A statement, followed by its parameters."""
KEEP = "keep"
_ONE_BY_ONE = 5
"""Questions of one kind about names; more are asked together."""
_EXAMPLES = 10
_NAMES = ("system", "rater", "aspect", "metric", "segment")
_VIEWS = Path(__file__).with_name("views.sql")
_COLUMNS = {
    "segments": "segment source source_style target_style",
    "systems": "system human",
    "outputs": "segment system variant output",
    "ratings": "segment system against rater rater_kind rater_count aspect task campaign revision "
    "variant against_variant side item_kind occasion score judgement seconds deviation",
    "metric_scores": "segment system metric score",
}
"""What views of result tables have, as texts: empty where the table lacks it."""


class AnswerError(ValueError):
    """An answer that a question does not offer; the message names those that it does."""


@dataclass(frozen=True)
class Answer:
    """One answer: its stable value, its label, and the statements that carry it out."""

    value: str
    label: str
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Question:
    """One question about a result.

    Attributes
    ----------
    name
        Stable, without spaces: ``names-alike:systems:alpha``.
    table
        What it is about: a result table, or the names of ``raters`` or ``aspects``.
    text, detail
        What was found, in one or two sentences; examples with counts.
    answers, preset
        What may be answered, and the value of the likely answer.
    subjects
        The names that it is about, where it is about names.
    """

    name: str
    table: str
    text: str
    detail: tuple[str, ...]
    answers: tuple[Answer, ...]
    preset: str
    subjects: tuple[str, ...] = ()

    def answer(self, value: str) -> Answer:
        """Return the answer of that value; raise `AnswerError` if there is none."""
        offered = {answer.value: answer for answer in self.answers}
        if value not in offered:
            expected = f"Choose one of {', '.join(offered)}."
            raise AnswerError(f"{self.name}: {value!r} is no answer. {expected}")
        return offered[value]

    def to_dict(self) -> dict[str, Any]:
        """Return the question without its statements, ready for JSON."""
        answers = [{"value": each.value, "label": each.label} for each in self.answers]
        return {**to_plain(self), "answers": answers}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Question:
        """Return a question that can be shown, but not carried out."""
        question: Question = from_plain(cls, content)
        return question


def ask(
    name: str,
    text: str,
    detail: Iterable[str],
    *answers: tuple[Any, ...],
    preset: str = "",
    subjects: Sequence[str] = (),
) -> Question:
    """Return a question with the likely answer first; answers are value, label, changes ….

    Parameters
    ----------
    name
        Its kind, and after colons the table and, if there are several such, what it is about.
    """
    lines = list(detail)
    more = [f"and {len(lines) - _EXAMPLES:,} more"] if len(lines) > _EXAMPLES else []
    offered = [Answer(value, label, tuple(changes)) for value, label, *changes in answers]
    offered.sort(key=lambda answer: answer.value != preset)
    kind, table, about = (*name.split(":", 2), "", "")[:3]
    plain = re.sub(r"[^\w.]+", "-", about.lower()).strip("-")
    return Question(
        name=":".join(filter(None, (kind, table, plain))),
        table=table,
        text=text,
        detail=tuple(lines[:_EXAMPLES] + more),
        answers=tuple(offered),
        preset=offered[0].value,
        subjects=tuple(subjects),
    )


def left_out(table: str, where: str, *parameters: Any, view: str = "") -> Change:
    """Return a statement that deletes records of a table, by conditions on a view of it."""
    rows = f"SELECT place FROM {view or table} WHERE {where}"
    return (f"DELETE FROM results.{table} WHERE rowid IN ({rows})", *parameters)


def in_turn(found: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    """Yield few rows about names one by one, with the name, and many together."""
    if len(found) <= _ONE_BY_ONE:
        yield from ((row[0], [row]) for row in found)
    else:
        yield "", found


@dataclass(frozen=True)
class Results:
    """The result tables in a database, as they are at the first look, with views of them.

    Attributes
    ----------
    connection
        Holds `results.<table>` and `files."<source>"`.
    sources
        Result table to the names of the opened tables that its `_row` counts. Where there are
        several, a column `_file` of the result names the one of each record.
    stored_systems
        Systems that the study has; nothing is asked about what they are.
    """

    connection: duckdb.DuckDBPyConnection
    sources: Mapping[str, Sequence[str]] = field(default_factory=dict)
    stored_systems: Collection[str] = ()

    def __post_init__(self) -> None:
        for table, names in _COLUMNS.items():
            columns = ", ".join(f"{self.text(table, n)} AS {n}" for n in ["_file", *names.split()])
            row = "_row" if self.has(table, "_row") else "NULL::BIGINT AS _row"
            there = f"rowid AS place, {row}, {columns} FROM results.{table}"
            if table not in self.tables:
                there = f"0::BIGINT AS place, {row}, {columns} WHERE false"
            self.rows(f"CREATE OR REPLACE TEMP VIEW {table} AS SELECT {there}")
        each = (
            f"SELECT '{key}', {column}, count(*) FROM results.{table} GROUP BY 2"
            for key in _NAMES
            for table, column in self.places(key)
        )
        every = " UNION ALL ".join(["SELECT '', '', 0", *each])
        self.rows(
            "CREATE OR REPLACE TEMP VIEW names AS SELECT key, name, sum(n)::BIGINT AS n "
            f"FROM ({every}) AS found(key, name, n) "
            "WHERE name NOT IN ('', '(source)', '(reference)') GROUP BY ALL ORDER BY name"
        )
        # Views of these views stay as they are when answers add columns to the tables.
        if not self.rows("SELECT 1 FROM duckdb_views() WHERE view_name = 'counted_answers'"):
            self.connection.execute(_VIEWS.read_text(encoding="utf-8"))

    @cached_property
    def tables(self) -> dict[str, tuple[str, ...]]:
        """Result tables with the names of their columns."""
        return self._columns("results")

    @cached_property
    def files(self) -> dict[str, tuple[str, ...]]:
        """Opened tables with the names of their columns of text."""
        return self._columns("files", "AND data_type = 'VARCHAR'")

    def _columns(self, schema: str, condition: str = "") -> dict[str, tuple[str, ...]]:
        rows = self.rows(
            "SELECT table_name, list(column_name ORDER BY column_index) FROM duckdb_columns() "
            f"WHERE schema_name = ? {condition} GROUP BY ALL ORDER BY min(table_oid)",
            schema,
        )
        return {table: tuple(columns) for table, columns in rows}

    def rows(self, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Return what a query finds."""
        return self.connection.execute(statement, parameters).fetchall()

    def records(self, statement: str) -> list[dict[str, Any]]:
        """Return what a query finds, by the names of its columns."""
        found = self.connection.execute(statement)
        names = [column[0] for column in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    def has(self, table: str, *columns: str) -> bool:
        """Whether a result table is there, with these columns."""
        return table in self.tables and set(columns) <= set(self.tables[table])

    def text(self, table: str, column: str) -> str:
        """Return SQL for a column as text: empty where it is missing or NULL."""
        return f"coalesce({column}::VARCHAR, '')" if self.has(table, column) else "''"

    def fields(self, table: str, *without: str) -> list[str]:
        """Return the columns of a table, quoted, except line and file and those named here."""
        left = (*without, "_row", "_file")
        return [quoted(name) for name in self.tables.get(table, ()) if name not in left]

    def places(self, key: str) -> list[tuple[str, str]]:
        """Return where names of systems, raters, … are: tables and columns."""
        names = ("system", "against") if key == "system" else (key,)
        return [
            (table, name) for table, all_ in self.tables.items() for name in names if name in all_
        ]

    def renamed(self, key: str, old: Iterable[str], new: Iterable[str]) -> list[Change]:
        """Return statements that change names of a kind everywhere."""
        names = (list(old), list(new))
        statement = (
            "UPDATE results.{0} SET {1} = new FROM (SELECT unnest(?::VARCHAR[]) AS old, "
            "unnest(?::VARCHAR[]) AS new) WHERE {0}.{1} = old"
        )
        return [(statement.format(*place), *names) for place in self.places(key)]


_ODD_SPACE = re.compile(r"^\s|\s$|[^\S ]|\s{2,}")
_SPACE = re.compile(r"\s")


def shown(name: str) -> str:
    """Quote a name so that odd white space can be seen.

    Examples
    --------
    >>> shown("Alpha "), shown("GPT 4")
    ('“Alpha␣”', '“GPT 4”')
    """
    return f"“{_SPACE.sub('␣', name) if _ODD_SPACE.search(name) else name}”"


def records(found: Iterable[tuple[Any, ...]], noun: str = "record") -> list[str]:
    """Return lines of names with their counts.

    Examples
    --------
    >>> records([("Alpha", 1), ("Beta", 2000)])
    ['“Alpha”: 1 record', '“Beta”: 2,000 records']
    """
    return [f"{shown(str(name))}: {plural(count, noun)}" for name, count, *_ in found]


def plural(count: int, noun: str) -> str:
    """Return a count with its noun."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
