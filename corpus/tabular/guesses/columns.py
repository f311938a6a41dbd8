"""Columns of a file: names as they are compared, what cells look like and columns hold."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from corpus.tabular.sql import table_name

if TYPE_CHECKING:
    import duckdb

ContentKind = Literal["nothing", "rating", "percentage", "integer", "number", "text", "name"]

LONGEST_SCALE = 11
"""A scale of 0 to 10 has so many values; more are no single choice."""
WORDS_OF_TEXT = 3
CHARACTERS_OF_TEXT = 15
_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
MOST_WORDS = 20
"""More different words are no choice."""
_LABELLED = re.compile(
    r"\(?([-+]?\d+(?:\.\d+)?)\)?"
    r"(?:\s*%|\s*(?:/|out of|of|von|sur)\s*\d+|\s*[-–—:=.)]?\s*[^\d\s].*)|"
    r"[^\d(]+[-–—:=(\s]\s*([-+]?\d+)\)?"
)
_COMMA = re.compile(r"[-+]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+")
_CELL = re.compile(r'\[?\{("\w+":\s*)-?[\d.]+\}\]?')
_MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "-"})


def is_number(text: str) -> bool:
    """Whether Python reads a text as a number; so it does ``nan`` and ``inf``."""
    try:
        float(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class ColumnContent:
    """What one column holds.

    Attributes
    ----------
    name
        Of the column.
    values
        Its different values, many of them where there are more, without what stands for none.
    rows, filled, distinct
        How many rows the table has, how many of them hold something here, and how much of it is
        different.
    """

    name: str
    values: frozenset[str]
    rows: int = 0
    filled: int = 0
    distinct: int = 0

    @cached_property
    def kind(self) -> ContentKind:
        """What the values look like."""
        return kind_of(self.values)

    @property
    def is_unique(self) -> bool:
        """Whether no value comes twice and none is missing."""
        return self.distinct == self.rows


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no value."""
    return cell.strip().lower() in _MISSING


def kind_of(cells: Iterable[str]) -> ContentKind:
    """Say what the cells of a column look like, apart from those that are missing.

    Few small integers are ratings, integers from 0 to 100 direct assessments, other integers
    counts or keys, other numbers scores; several words are a text, the rest are names.
    """
    values = {cell for cell in cells if not is_missing(cell)}
    if not values:
        return "nothing"
    if all(_INTEGER.fullmatch(value.strip()) for value in values):
        numbers = [int(value) for value in values]
        low, high = min(numbers), max(numbers)
        if len(numbers) <= LONGEST_SCALE and low >= -5 and high <= 10:
            return "rating"
        return "percentage" if low >= 0 and high <= 100 else "integer"
    if all(_NUMBER.fullmatch(value.strip()) for value in values):
        return "number"
    words = sum(len(value.split()) for value in values) / len(values)
    characters = sum(map(len, values)) / len(values)
    is_text = words >= WORDS_OF_TEXT and characters >= CHARACTERS_OF_TEXT
    return "text" if is_text else "name"


def may_be_numbers(cells: Collection[str], *, in_words: bool = True) -> bool:
    """Whether cells are numbers, or are written in a way in which questions find numbers."""
    words = sorted({cell for cell in cells if not (is_missing(cell) or is_number(cell))})
    if any(all(map(pattern.fullmatch, words)) for pattern in (_COMMA, _CELL)):
        return True
    is_scale = in_words and bool(scales({" ".join(word.lower().split()) for word in words}))
    is_labelled = all(_LABELLED.fullmatch(word.strip()) for word in words)
    return len(words) <= MOST_WORDS and (is_scale or is_labelled)


ELEMENT = "[]"
POSITION = "[#]"
"""After the name of a list: which of its elements a record is made of, from 1; alone: which record
of the file it is."""
_SEPARATORS = re.compile(r"[\W_]+")


def canonical(name: str) -> str:
    """Return a column name in lower case without separators: ``Segment_ID`` is ``segmentid``."""
    return _SEPARATORS.sub("", name).lower()


def list_path(column: str) -> str | None:
    """Return the path of the innermost list that a dotted name goes through."""
    return column[: column.rindex("[]")] if "[]" in column else None


def last_part(column: str) -> str:
    """Return what a dotted name ends in."""
    return column.rpartition(".")[2]


_SCALES = Path(__file__).with_name("scales.txt")


@cache
def _usual() -> tuple[tuple[frozenset[str], ...], ...]:
    lines = _SCALES.read_text(encoding="utf-8").splitlines()[1:]
    return tuple(
        tuple(frozenset(step.strip().split(" = ")) for step in line.split("|")) for line in lines
    )


def scales(words: Collection[str], highest: float = 0) -> list[dict[str, float]]:
    """Return what words mean on the usual scales that have all of them, the likely scale first.

    Parameters
    ----------
    words
        In small letters.
    highest
        The highest number among other answers on the scale.

    Examples
    --------
    >>> scales(["agree", "strongly agree", "disagree", "strongly disagree"])[0]["agree"]
    3.0
    >>> scales(["agree", "disagree", "neutral", "strongly agree"])[0]["agree"]
    4.0
    >>> scales(["yes", "no"]), scales(["agree", "yes"])
    ([{'no': 0.0, 'yes': 1.0}], [])
    """
    found: list[tuple[bool, int, dict[str, float]]] = []
    for steps in _usual():
        first = int(len(steps) > 2)
        meant = {
            word: float(n)
            for n, step in enumerate(steps, first)
            for word in sorted(step & {*words})
        }
        if len(meant) == len(set(words)) and highest < len(steps) + first:
            unused = len(steps) - len(set(meant.values()))
            found.append((unused > 0, abs(len(steps) - 5), meant))
    found.sort(key=lambda each: each[:2])
    return [meant for n, (*_, meant) in enumerate(found) if meant not in [m for *_, m in found[:n]]]


VALUES_LOOKED_AT = 2000
_LONGEST_VALUE = 1000


class Look:
    """The table of a file, asked by queries: one for each column.

    Parameters
    ----------
    connection
        Of the database that holds it.
    file
        Its name.
    columns
        Names of its values, each as SQL, but of those in lists of objects.
    lists
        Columns whose cells are lists of texts.

    Attributes
    ----------
    names
        Of the columns that have one value in a row.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        file: str,
        columns: Mapping[str, str],
        lists: Sequence[str],
    ) -> None:
        self._connection = connection
        self._table = table_name(file)
        self._sql = columns
        self.lists = lists
        self.names = [name for name in self._sql if name not in self.lists]
        self.combinations = cache(self._combinations)

    @cached_property
    def rows(self) -> int:
        """How many there are."""
        (rows,) = self._found(f"SELECT count(*) FROM {self._table}")
        return int(rows)

    @cached_property
    def columns(self) -> dict[str, ColumnContent]:
        """Every column that has one value in a row."""
        return {name: self._column(name) for name in self.names}

    def _column(self, name: str) -> ColumnContent:
        distinct, filled, some = self._found(
            f"""WITH found AS MATERIALIZED (
                    SELECT v, count(*) AS n
                    FROM (SELECT CAST({self._sql[name]} AS VARCHAR) AS v FROM {self._table})
                    WHERE v <> '' GROUP BY v)
                SELECT count(*), coalesce(sum(n), 0)::BIGINT, (
                    SELECT list(left(v, {_LONGEST_VALUE}))
                    FROM (FROM found LIMIT {VALUES_LOOKED_AT}))
                FROM found"""
        )
        values = frozenset(some or ())
        missing = frozenset(filter(is_missing, values))
        return ColumnContent(name, values - missing, self.rows, filled, distinct - len(missing))

    def _combinations(self, *names: str) -> int:
        """Return how many different combinations of values some columns have."""
        columns = ", ".join(self._sql[name] for name in sorted(set(names)))
        distinct = f"SELECT DISTINCT {columns} FROM {self._table}"
        (combinations,) = self._found(f"SELECT count(*) FROM ({distinct})")
        return int(combinations)

    def determines(self, name: str, *keys: str) -> bool:
        """Whether rows with the same keys have the same value, but for two in a hundred."""
        known = self.combinations(*keys) if keys else 1
        return self.combinations(name, *keys) - known <= known // 50

    def _found(self, query: str) -> tuple[Any, ...]:
        [row] = self._connection.execute(query).fetchall()
        return row
