"""Histograms of several groups below each other, over the same bins."""

from collections.abc import Sequence
from typing import Unpack

from analysis.charts.axes import number_axis, panels, tooltip
from analysis.charts.chart import Chart, format_number
from analysis.charts.describing import highest, in_words
from analysis.charts.drawing import Titles, draw, nothing_to_draw
from analysis.charts.layers import layer
from analysis.charts.table import Row, Table, count, defined, interval, number, numbers, texts

_WIDTH, _HEIGHT = 340, 64


def histograms(
    rows: Sequence[Row], *, score: str, things: str = "Texts", **titles: Unpack[Titles]
) -> Chart:
    """Draw a histogram a group, one below another, as shares of the group.

    Shares, because groups differ in size: one reference a segment beside the outputs of ten
    systems.

    Parameters
    ----------
    rows : sequence of Row
        Bins: `group`, the limits `low` and `high`, the number `n` and the `share` of the group in
        it; every group has every bin, in the order in which it is shown.
    score : str
        What is counted, for the axis.
    things : str
        What a group is, over its column of the table.
    """
    titles.setdefault("name", "histograms")
    share = numbers(share="Share")
    table = Table((*texts(group=things), *numbers(low="From", high="To"), count(), *share), rows)
    if not rows:
        return nothing_to_draw(table, titles, "There is nothing to count.")
    limits = [min(table.numbers("low")), max(table.numbers("high"))]
    scale = {"domain": limits, "nice": False, "zero": False}
    x = number_axis("low", score, scale, {"tickCount": 6, "grid": False})
    y = number_axis("share", None, {"zero": True}, {"format": ".0%", "tickCount": 2})
    fields = tooltip(*texts(group=things, range="Score", percent="Share"), count())
    return draw(
        table,
        titles,
        description=_described(table, score),
        title_width=_WIDTH + 60,
        data={"values": [_datum(row) for row in table.data("share", panels="group")]},
        facet=panels("group", {"orient": "top", "labelAnchor": "start"}, "row"),
        spacing=8,
        spec={
            "width": _WIDTH,
            "height": _HEIGHT,
            **layer(
                {"type": "bar", "style": "bar", "binSpacing": 1},
                {"x": x, "x2": {"field": "high"}, "y": y, "y2": {"datum": 0}, "tooltip": fields},
            ),
        },
    )


def _datum(row: Row) -> Row:
    share = number(row, "share") or 0.0
    return {**row, "range": interval(row), "percent": f"{format_number(100 * share, 1)} %"}


def _described(table: Table, score: str) -> str:
    parts = []
    for group in table.names("group"):
        own = [row for row in table.rows if row["group"] == group]
        share, fullest = highest(defined(own, "share"))
        low, high = (in_words(number(fullest, end)) for end in ("low", "high"))
        parts.append(f"{group} {100 * share:.0f} % between {low} and {high}")
    return f"Histograms of {score}; the fullest bins: {', '.join(parts)}."
