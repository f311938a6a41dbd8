"""The cells of a chart's table: some have thousands, which a template's tags take long to write."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from analysis.charts.chart import Chart, TableCell
from analysis.charts.theme import other_thing_of, thing_of
from corpus.pages.unbroken import unbroken

register = template.Library()


def _opening(tag: str, numeric: bool, undefined: bool) -> SafeString:
    classes = ("number" if numeric else "") + (" undefined" if undefined else "")
    return format_html('<{} class="{}">', tag, classes) if classes else format_html("<{}>", tag)


_OPENINGS = {
    (is_first, numeric, undefined): _opening(tag, numeric, undefined)
    for is_first, tag in ((True, SafeString('th scope="row"')), (False, SafeString("td")))
    for numeric in (True, False)
    for undefined in (True, False)
}
_CLOSINGS = {True: SafeString("</th>"), False: SafeString("</td>")}


@register.filter
def cells(row: Sequence[TableCell]) -> SafeString:
    """Return a row's cells, of which the first is its heading."""
    return format_html_join(
        "",
        "{}{}{}",
        (
            (
                _OPENINGS[not place, cell.numeric, cell.undefined],
                unbroken(cell.text),
                _CLOSINGS[not place],
            )
            for place, cell in enumerate(row)
        ),
    )


@register.filter
def naming(row: Sequence[TableCell], chart: Chart) -> SafeString:
    """Return attributes with the metric or system that a row is about, as the marks name it.

    A row that compares two names the second too.
    """
    named = {column.key: cell.value for column, cell in zip(chart.columns, row, strict=True)}
    attributes = (("of", thing_of(named)), ("and", other_thing_of(named)))
    return format_html_join("", ' data-{}="{}"', (pair for pair in attributes if pair[1]))
