"""Sentences at the top of a report, made from its results by rules; they say no more than tests do.

A sentence is a list of parts, each with the anchor of the row that holds its numbers, or none.
Nothing here ranks what no test told apart, and "equivalent" needs a margin that was stated.
"""

from collections.abc import Sequence
from typing import Any

from analysis.charts.chart import decimals_of, format_number
from analysis.estimates.comparisons import PairTests
from analysis.stats.results import Result

Sentence = dict[str, Any]
"""Its parts, each a text with an anchor; in a report on several aspects, the aspect too."""
MOST_NAMED = 4


def said(*parts: str | tuple[str, str]) -> Sentence:
    """Make a sentence of texts, and of texts with the anchor of their numbers."""
    whole = [(part, "") if isinstance(part, str) else part for part in parts]
    return {"parts": [{"text": text, "anchor": anchor} for text, anchor in whole]}


def pointing(before: str, text: str, kind: str, after: str = ".") -> Sentence:
    """Make a sentence that leads, within it, to another kind of report on the same question."""
    whole = said(before, text, after)
    whole["parts"][1]["report"] = f"study-{kind}"
    return whole


def anchor(pair: PairTests) -> str:
    """Return the element id of a pair's row."""
    return f"pair-{pair.first}-{pair.second}"


def listed(names: Sequence[str]) -> str:
    """Join names for a sentence.

    Examples
    --------
    >>> listed(["A"]), listed(["A", "B", "C"])
    ('A', 'A, B and C')
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def digits(value: float) -> str:
    """Return a mean or a score with about three digits.

    Examples
    --------
    >>> digits(82.573), digits(3.456), digits(1234.5)
    ('82.6', '3.46', '1,234')
    """
    if abs(value) >= 100:
        return f"{value:,.0f}".replace("-", "−")
    return format_number(value, min(2, decimals_of([value])))


def aspect_words(aspect: str) -> str:
    """Return an aspect as it is named within a sentence."""
    return aspect.replace("_", " ")


def effect_sign(result: Result | None) -> int:
    """Return the sign of an effect whose interval leaves 0 out; else 0."""
    if result is None or result.interval is None:
        return 0
    return (result.interval.low > 0) - (result.interval.high < 0)


def some(names: Sequence[str], things: str) -> str:
    """Join the first names for a sentence, and say how many more there are."""
    if len(names) <= MOST_NAMED:
        return listed(names)
    return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED} more {things}"


def joined(parts: Sequence[tuple[str, str]]) -> list[str | tuple[str, str]]:
    """Put commas and a final "and" between parts."""
    joined: list[str | tuple[str, str]] = []
    for index, part in enumerate(parts):
        if index:
            joined.append(" and " if index == len(parts) - 1 else ", ")
        joined.append(part)
    return joined


def list_of(found: Sequence[tuple[str, str]]) -> list[str | tuple[str, str]]:
    """Return the end of a sentence: what it counted, the first by name; a full stop if nothing."""
    if not found:
        return ["."]
    more = len(found) - MOST_NAMED
    return [": ", *joined(found[:MOST_NAMED]), f", and {more} more." if more > 0 else "."]
