"""Marks of significance in tables: numbers that know their p-value, and how they are marked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from analysis.tables.flat_table import FlatTable

UNDERLINED, STARS = "underlined", "stars"
BELOW: Mapping[str, tuple[tuple[float, str], ...]] = {
    UNDERLINED: ((0.01, "p < .01"),),
    STARS: ((0.001, "***"), (0.01, "**"), (0.05, "*")),
}
"""Marks by choice: the p-value that one needs to be below, the smallest first, and its text."""
WORDS: Mapping[str, str] = {
    "": "none",
    UNDERLINED: "underlined: p < .01",
    STARS: "stars: * p < .05, ** p < .01, *** p < .001",
}
ENDING = "_mark"


class Tested(float):
    """A number with the p-value of its test; None where nothing was tested."""

    p_value: float | None

    def __new__(cls, value: float, p_value: float | None = None) -> Self:
        """Make the number; a copy gets its p-value afterwards."""
        made = super().__new__(cls, value)
        made.p_value = p_value
        return made


def tested(value: float | None, p_value: float | None) -> float | None:
    """Return a value as a cell of a table, with its p-value."""
    return None if value is None else Tested(value, p_value)


def mark_of(p_value: float | None, marks: str) -> str:
    """Return the mark of a p-value; empty where there is none, or the p-value is too large.

    Examples
    --------
    >>> mark_of(0.004, "stars"), mark_of(0.004, "underlined"), mark_of(0.04, "underlined")
    ('**', 'p < .01', '')
    >>> mark_of(0.01, "underlined"), mark_of(None, "stars"), mark_of(0.0, "")
    ('', '', '')
    """
    if p_value is None:
        return ""
    return next((mark for limit, mark in BELOW.get(marks, ()) if p_value < limit), "")


def with_mark_columns(table: "FlatTable") -> "FlatTable":
    """Return a table with a column of marks after each column of tested numbers."""
    columns = range(len(table.columns)) if table.marks else ()
    numbers = [c for c in columns if any(isinstance(row[c], Tested) for row in table.rows)]
    if not numbers:
        return table

    def beside(cells: Sequence[Any], mark: Callable[[Any], str]) -> tuple[Any, ...]:
        parts = ((cell, mark(cell)) if c in numbers else (cell,) for c, cell in enumerate(cells))
        return tuple(part for several in parts for part in several)

    def mark(cell: Any) -> str:
        return mark_of(getattr(cell, "p_value", None), table.marks)

    return replace(
        table,
        columns=beside(table.columns, lambda name: f"{name}{ENDING}"),
        rows=tuple(beside(row, mark) for row in table.rows),
    )
