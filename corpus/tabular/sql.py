"""Names, texts and faults of cells as SQL writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SCHEMA = "files"
ROW = "_row"
"""First column of every table: the number of the record in its file, from 1."""


def quoted(name: str) -> str:
    """Return a name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return a text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def table_name(name: str) -> str:
    """Return the table of a file as SQL writes it."""
    return f"{SCHEMA}.{quoted(name)}"


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
