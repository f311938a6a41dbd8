"""Numbers for readers, the same on pages as in charts."""

from django import template

from analysis.charts.chart import format_number

register = template.Library()


DECIMALS = 3


@register.filter
def rounded(value: float | None, decimals: int | str = "") -> str:
    """Return a number with fixed decimals, a true minus sign and no negative zero.

    A variable that a template was not given arrives as an empty text: then there are three.
    """
    return format_number(value, decimals if isinstance(decimals, int) else DECIMALS)
