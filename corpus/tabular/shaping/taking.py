"""A part of a cell, by a literal pattern: ``grammaticality={}`` takes 4 out of grammaticality=4.

The text before ``{}`` may stand anywhere in the cell, but once only; the part ends where the text
after ``{}`` begins for the first time. Without a text before or after, the part begins or ends
with the cell. The first pattern that fits counts. Cells that hold no value are kept as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from corpus.tabular.sql import fault, is_one_of, literal

Patterns = tuple[str, ...]
HOLE = "{}"


def patterns_of(written: str | Patterns) -> Patterns:
    """Return the pattern or patterns of a mapping as a tuple."""
    return (written,) if isinstance(written, str) else written


def taken(sql: str, patterns: Patterns, kept: Sequence[str]) -> str:
    """Return what a text holds between the two ends of a pattern, as SQL."""
    parts = ", ".join(_part(sql, pattern) for pattern in patterns)
    return f"CASE WHEN {is_one_of(sql, ['', *kept])} THEN {sql} ELSE coalesce({parts}) END"


def fault_of_taking(column: str, sql: str, patterns: Patterns, kept: Sequence[str]) -> str:
    """Return the fault of a text that no pattern fits, or whose beginning occurs twice."""
    cases = [f"WHEN {is_one_of(sql, ['', *kept])} THEN NULL"]
    for pattern in patterns:
        before = pattern.partition(HOLE)[0]
        if before:
            again = f"contains(substr({sql}, strpos({sql}, {literal(before)}) + 1), "
            advice = "It occurs twice. Write more of the text before {} into the pattern (take)."
            twice = fault(column, sql, f"{before!r} once", advice, "pattern")
            is_there = f"contains({sql}, {literal(before)})"
            cases.append(f"WHEN {is_there} AND {again}{literal(before)}) THEN {twice}")
        cases.append(f"WHEN {_part(sql, pattern)} IS NOT NULL THEN NULL")
    expected = "a text like " + " or ".join(map(repr, patterns))
    advice = "Correct the cell, or the pattern in the mapping (take)."
    return f"CASE {' '.join(cases)} ELSE {fault(column, sql, expected, advice, 'pattern')} END"


def _part(sql: str, pattern: str) -> str:
    before, _, after = pattern.partition(HOLE)
    return f"text_between({sql}, {literal(before)}, {literal(after)})"
