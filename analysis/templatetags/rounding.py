"""Numbers for readers, the same on pages as in charts."""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

from django import template

from analysis.charts.chart import decimals_of, format_number
from corpus.pages.unbroken import unbroken

register = template.Library()
register.filter("unbroken", unbroken)

DECIMALS = 3


@register.filter
def p_value(p: float | None) -> str:
    """Return a p-value as papers print it."""
    # Pages without a p-value do without the statistics that its module imports.
    from analysis.wording import p_words

    return p_words(p)


@register.filter
def percent(share: float | None, decimals: int = 0) -> str:
    """Return a share as per cents; empty for none."""
    return "" if share is None else f"{format_number(100 * share, decimals)} %"


@register.filter
def mark(p: float | None, marks: str) -> str:
    """Return the mark of a number with this p-value, by the reader's choice of marks."""
    from analysis.tables.marks import mark_of

    return mark_of(p, marks)


@register.filter
def as_number(found: Any) -> Any:
    """Return a result of statistics as `components/number.html` shows it, else what it is."""
    if not hasattr(found, "interval"):
        return found
    # Only here: other numbers do without statistics.
    from analysis.shown_numbers import number

    return number(found)


@register.filter
def as_percent(found: Any) -> Any:
    """Return a result that is a share as `components/number.html` shows it, times 100."""
    from analysis.shown_numbers import number

    return found and number(found, percent=True)


@register.filter
def rounded(value: float | None, decimals: int | str = "") -> str:
    """Return a number with fixed decimals, a true minus sign and no negative zero.

    A variable that a template was not given arrives as an empty text: then there are three.
    """
    return format_number(value, decimals if isinstance(decimals, int) else DECIMALS)


@register.filter
def score(value: float | None) -> str:
    """Return a score with about three digits: a perplexity of 1,234.567 says no more than 1,235.

    Examples
    --------
    >>> score(0.31672), score(4.2), score(82.573), score(-1234.567), score(None)
    ('0.317', '4.20', '82.6', '−1,235', '–')
    """
    if value is None:
        return format_number(value)
    size = abs(value)
    decimals = 0 if size >= 100 else 1 if size >= 10 else 2 if size > 1 else DECIMALS
    return f"{value:,.0f}".replace("-", "−") if not decimals else format_number(value, decimals)


@register.simple_tag
def scale_of(rows: Iterable[Any], *names: str | int) -> tuple[float, float] | None:
    """Return the ends of the scale on which the results of a column are drawn, each in its row.

    Parameters
    ----------
    rows
        What the template shows in rows, or pairs of a name and the rows of a group.
    names
        Lead from a row to its result, as in a template.
    """
    flat = [each for row in rows for each in (row[1] if isinstance(row, tuple) else (row,))]
    numbers = [as_number(reduce(_part, names, row)) for row in flat]
    ends = [each[name] for each in numbers for name in _DRAWN if each.get(name) is not None]
    return (min(ends), max(ends)) if ends and min(ends) < max(ends) else None


@register.simple_tag(name="decimals_of")
def decimals_of_column(rows: Iterable[Any], *names: str | int) -> int:
    """Return the decimals of a column of results or numbers, to which `names` lead from a row."""
    found = (reduce(_part, names, row) for row in rows)
    return decimals_of(getattr(each, "value", each) for each in found)


def _part(whole: Any, name: str | int) -> Any:
    return getattr(whole, name) if isinstance(name, str) and hasattr(whole, name) else whole[name]


@register.filter
def ordered_place(columns: Sequence[tuple[str, bool]]) -> int:
    """Return the place of the column in whose order the rows are; the first of none is."""
    return next((place for place, (_, ordered) in enumerate(columns) if ordered), 0)


WIDTH, MARGIN = 120, 4
"""Of the picture of an interval in its row."""
_DRAWN = ("low", "value", "high")


@register.inclusion_tag("components/interval.html")
def drawn(found: Any, scale: tuple[float, float] | None) -> dict[str, Any]:
    """Draw a value with its interval where it lies on the scale of its column."""
    number = as_number(found)
    if scale is None or number.get("value") is None:
        return {}
    low, high = scale

    def place(value: float | None) -> float | None:
        share = None if value is None else (value - low) / (high - low)
        return None if share is None else round(MARGIN + (WIDTH - 2 * MARGIN) * share, 1)

    zero = place(0.0) if low < 0 < high else None
    return {"width": WIDTH, "zero": zero} | {name: place(number.get(name)) for name in _DRAWN}
