"""Faults of cells found by a query: a list in each row, which reading turns into problems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corpus.tabular.sql import literal

FAULTS = "_faults"
"""Column of a query: of each fault its column, what was found, expected, advised, and its code."""


def fault(column: str, found: str, expected: str, advice: str, code: str) -> str:
    """Return a fault as SQL; `found` is SQL too."""
    shown = f"coalesce(nullif(left({found}, 400), ''), 'nothing')"
    return f"[{literal(column)}, {shown}, {', '.join(map(literal, (expected, advice, code)))}]"


def no_number(column: str, text: str) -> str:
    """Return the fault of a cell that should be a number."""
    return fault(column, text, "a finite number", "Correct it.", "number")


def all_faults(faults: Iterable[str]) -> str:
    """Return a list of the faults that there are, as SQL."""
    listed = ", ".join(dict.fromkeys(faults))
    return f"list_filter([{listed}], lambda each: each IS NOT NULL)"


def is_number(text: str) -> str:
    """Return a condition: a text is nothing, or a finite number as Python reads one too."""
    odd = f"contains({text}, '_') OR contains({text}, '+-')"
    return f"coalesce(isfinite(TRY_CAST({text} AS DOUBLE)) AND NOT ({odd}), {text} IS NULL)"


def is_one_of(text: str, words: Sequence[str]) -> str:
    """Return a condition: a text is one of some words, or absent."""
    return f"coalesce({text} IN ({', '.join(map(literal, words))}), true)"
