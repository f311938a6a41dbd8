"""Numbers for readers, the same on pages as in charts."""

from typing import Any

from django import template

from analysis.charts.chart import format_number
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
