"""What a question is, and the result tables that questions are asked about."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import duckdb

from corpus.tabular.database import quoted

Change = tuple[Any, ...]
"""A statement, followed by its parameters."""
KEEP = "keep"
ONE_BY_ONE = 5
"""Questions of one kind about names; more are asked together."""
_EXAMPLES = 10
_ODD_SPACE = re.compile(r"^\s|\s$|[^\S ]|\s{2,}")
_SPACE = re.compile(r"\s")
CLEAN = r"trim(regexp_replace(nfc_normalize({0}::VARCHAR), '[\s\p{{Z}}]+', ' ', 'g'))"
"""SQL for a text in normal form with single spaces."""
_RATED = (
    *("_row", "_file", "segment", "system", "against", "rater", "rater_kind", "rater_count"),
    *("aspect", "task", "campaign", "revision", "variant", "against_variant", "side"),
    *("item_kind", "occasion", "score", "judgement", "seconds", "deviation"),
)
_MORE_NAMES = {"system": ("system", "against")}


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
        for answer in self.answers:
            if answer.value == value:
                return answer
        offered = ", ".join(answer.value for answer in self.answers)
        raise AnswerError(f"{self.name}: {value!r} is no answer. Choose one of {offered}.")

    def to_dict(self) -> dict[str, Any]:
        """Return the question without its statements, ready for JSON."""
        answers = [{"value": each.value, "label": each.label} for each in self.answers]
        lists = {"detail": list(self.detail), "subjects": list(self.subjects)}
        return {**vars(self), **lists, "answers": answers}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Question:
        """Return a question that can be shown, but not carried out."""
        lists = {name: tuple(content[name]) for name in ("detail", "subjects")}
        answers = tuple(Answer(**each) for each in content["answers"])
        return cls(**{**content, **lists, "answers": answers})


def ask(
    kind: str,
    table: str,
    about: str,
    text: str,
    detail: Iterable[str],
    *answers: tuple[Any, ...],
    subjects: Sequence[str] = (),
) -> Question:
    """Return a question whose first answer is preset; answers are value, label, changes …."""
    lines = list(detail)
    more = [f"and {len(lines) - _EXAMPLES:,} more"] if len(lines) > _EXAMPLES else []
    offered = tuple(Answer(value, label, tuple(changes)) for value, label, *changes in answers)
    parts = [re.sub(r"[^\w.]+", "-", part.lower()).strip("-") for part in (kind, table, about)]
    return Question(
        name=":".join(part for part in parts if part),
        table=table,
        text=text,
        detail=tuple(lines[:_EXAMPLES] + more),
        answers=offered,
        preset=offered[0].value,
        subjects=tuple(subjects),
    )


@dataclass(frozen=True)
class Results:
    """The result tables in a database, as they are at the first look.

    Attributes
    ----------
    connection
        Holds `results.<table>` and `files."<source>"`.
    sources
        Result table to the names of the opened tables that its `_row` counts. Where there are
        several, a column `_file` of the result names the one of each record.
    stored_systems
        Systems that the study has; nothing is asked about what they are.
    passed_over
        Sources whose mapping says what is missing: records without an answer are passed over.
    """

    connection: duckdb.DuckDBPyConnection
    sources: Mapping[str, Sequence[str]] = field(default_factory=dict)
    stored_systems: Collection[str] = ()
    passed_over: Collection[str] = ()

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

    def has(self, table: str, *columns: str) -> bool:
        """Whether a result table is there, with these columns."""
        return table in self.tables and set(columns) <= set(self.tables[table])

    def text(self, table: str, column: str) -> str:
        """Return SQL for a column as text: empty where it is missing or NULL."""
        return f"coalesce({column}::VARCHAR, '')" if self.has(table, column) else "''"

    def rated(self) -> bool:
        """Make `rated`, a view of the ratings with every column, as text; False without ratings.

        Its further columns are `place`, `answer`, `number`, `token` (of equal answers), `about`
        (campaign and aspect) and `is_pair`.
        """
        texts = ", ".join(f"{self.text('ratings', name)} AS {name}" for name in _RATED)
        if self.has("ratings"):
            self.rows(
                f"""CREATE OR REPLACE TEMP VIEW rated AS SELECT *,
                        coalesce(nullif(trim(judgement), ''), trim(score)) AS answer,
                        against <> '' AS is_pair,
                        if(isfinite(TRY_CAST(answer AS DOUBLE))
                           AND NOT (is_pair AND answer IN (system, against)),
                           answer::DOUBLE, NULL) AS number,
                        coalesce(number::VARCHAR, {folded("answer")}) AS token,
                        concat_ws('/', nullif(campaign, ''), nullif(aspect, '')) AS about
                    FROM (SELECT rowid AS place, {texts} FROM results.ratings)"""
            )
        return self.has("ratings")

    def fields(self, table: str, *without: str) -> list[str]:
        """Return the columns of a table, quoted, except line and file and those named here."""
        left = (*without, "_row", "_file")
        return [quoted(name) for name in self.tables.get(table, ()) if name not in left]

    def places(self, key: str) -> list[tuple[str, str]]:
        """Return where names of systems, raters, … are: tables and columns."""
        names = _MORE_NAMES.get(key, (key,))
        return [
            (table, name) for table, all_ in self.tables.items() for name in names if name in all_
        ]

    def counted(self, key: str) -> str:
        """Return a query for all names of a kind with the number of their records."""
        each = [
            f"SELECT {column} AS name, count(*) AS n FROM results.{table} GROUP BY 1"
            for table, column in self.places(key)
        ] or ["SELECT '' AS name, 0 AS n"]
        return (
            f"SELECT name, sum(n)::BIGINT AS n FROM ({' UNION ALL '.join(each)}) "
            "WHERE name NOT IN ('', '(source)', '(reference)') GROUP BY name"
        )

    def renamed(self, key: str, old: Iterable[str], new: Iterable[str]) -> list[Change]:
        """Return statements that change names of a kind everywhere."""
        names = (list(old), list(new))
        statement = (
            "UPDATE results.{0} SET {1} = new FROM (SELECT unnest(?::VARCHAR[]) AS old, "
            "unnest(?::VARCHAR[]) AS new) WHERE {0}.{1} = old"
        )
        return [(statement.format(*place), *names) for place in self.places(key)]


def folded(text: str) -> str:
    """Return SQL for a text in small letters with plain signs and spaces."""
    plain = f"translate({CLEAN.format(text)}, '−’', '-''')"
    return f"replace(lower({plain}), '\ufe0f', '')"


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
