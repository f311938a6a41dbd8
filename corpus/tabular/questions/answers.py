"""Answers and other numbers of a result, counted by the forms in which they are written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from corpus.tabular.database import literal
from corpus.tabular.questions.question import Results, folded
from corpus.tabular.questions.written import form, shape, value

TIES = ("tie", "equal", "same", "both")
_KNOWN = (
    *("a", "b", "left", "right", "model_a", "model_b", "system_a", "system_b", "model_1"),
    *("model_2", "system_1", "system_2", "source", "original", "output", "system", "transferred"),
    *("(against)", *TIES),
)
"""Words for sides and ties that the import itself reads."""
_FIELDS = ("seconds", "deviation", "rater_count")


class Found(NamedTuple):
    """Answers of one form: what equal ones are called, an example, its number, and how many."""

    token: str
    example: str
    number: float | None
    n: int


@dataclass
class Answers:
    """The numbers of a column, or the answers on one aspect, of pairs or of single texts."""

    table: str
    column: str
    about: str
    is_pair: bool
    numbers: dict[float, int] = field(default_factory=dict)
    fractions: int = 0
    """Answers between halves."""
    known: dict[str, int] = field(default_factory=dict)
    missing: list[Found] = field(default_factory=list)
    """Those that mean that nobody answered, or that a spreadsheet made dates."""
    forms: dict[str, list[Found]] = field(default_factory=dict)
    """Numbers in other forms, words in place of numbers, and texts in place of votes."""

    @property
    def plain(self) -> int:
        """How many are plain numbers."""
        return sum(self.numbers.values()) + self.fractions

    @property
    def title(self) -> str:
        """What questions call them."""
        return self.about or ("Ratings" if self.column == "answer" else self.column)

    def count(self, *forms: str) -> int:
        """Return how many are numbers in other forms or words."""
        return sum(each.n for name in forms or self.forms for each in self.forms.get(name, ()))


def counted(results: Results) -> list[Answers]:
    """Return the answers of all aspects, and other columns of numbers with anything else."""
    groups: dict[tuple[Any, ...], Answers] = {}
    relations = list(_relations(results))
    if not relations:
        return []
    for row in results.rows(_COUNTED.replace("relations", " UNION ALL ".join(relations))):
        *key, kind, token, example, number, count = row
        group = groups.setdefault(tuple(key), Answers(*key))
        if kind == "plain" and number is not None:
            group.numbers[number] = count
        elif kind == "plain":
            group.fractions += count
        elif kind == "known":
            group.known[token] = count
        elif kind == "missing" or (kind == "date" and group.column == "answer"):
            group.missing.append(Found(token, example, number, count))
        else:
            group.forms.setdefault(kind, []).append(Found(token, example, number, count))
    return list(groups.values())


def _relations(results: Results) -> Iterator[str]:
    """Yield queries for numbers of a table: whole ones, and what is written in other forms."""
    if results.rated():
        said = ", ".join(map(literal, results.passed_over))
        yield f"""
            SELECT 'ratings' AS tab, 'answer' AS col, about, is_pair,
                   is_pair OR trim(judgement) <> '' AS is_text,
                   CASE WHEN number IS NULL AND (is_pair OR trim(judgement) <> '') THEN
                       (is_pair AND answer IN (system, against)) OR lower(answer) IN {_KNOWN} OR
                       regexp_matches(lower(answer), '^(tie\\W*)?both\\W*(are\\W*)?bad\\W*$')
                   ELSE false END AS known,
                   if(number * 2 % 1 = 0, number, NULL) AS whole,
                   if(number IS NULL, answer, NULL) AS written, count(*) AS n
            FROM rated WHERE answer <> '' OR NOT list_contains([{said}]::VARCHAR[], _file)
            GROUP BY ALL"""
        for name in _FIELDS:
            if results.has("ratings", name):
                yield _other("ratings", name, "''")
    if results.has("metric_scores", "metric", "score"):
        yield _other("metric_scores", "score", "metric")


def _other(table: str, column: str, about: str) -> str:
    return f"""
        SELECT '{table}', '{column}', {about}, false, false, false, NULL, {column}::VARCHAR,
               count(*)
        FROM results.{table}
        WHERE {column} IS NOT NULL AND coalesce(NOT isfinite(TRY_CAST({column} AS DOUBLE)), true)
              AND {column}::VARCHAR <> '' GROUP BY ALL"""


_COUNTED = f"""
    SELECT tab, col, about, is_pair, kind,
           CASE WHEN kind IN ('percent', 'of', 'number') THEN {shape("text")}
                ELSE text END AS token,
           min(written), if(kind = 'plain', any_value(whole), min({value("text")})), sum(n)::BIGINT
    FROM (SELECT *, CASE WHEN written IS NULL THEN 'plain' WHEN known THEN 'known'
                         WHEN is_text AND NOT is_empty THEN 'text' ELSE form END AS kind
          FROM (SELECT *, {folded("written")} AS text, {form("text")} AS form,
                       form IN ('missing', 'date') AS is_empty FROM (relations) AS found(
                tab, col, about, is_pair, is_text, known, whole, written, n)))
    GROUP BY tab, col, about, is_pair, kind, token, whole ORDER BY ALL"""
