"""Dots with intervals by direction: a panel for each metric, the same systems in all."""

from collections.abc import Sequence
from typing import Unpack

from analysis.charts.axes import (
    FEW_TICKS,
    SHOWN,
    categories,
    names_axis,
    number_axis,
    panels,
    tooltip,
)
from analysis.charts.chart import Chart, Column, counted
from analysis.charts.drawing import Titles, described, draw, lowest_and_highest, nothing_to_draw
from analysis.charts.layers import dots, intervals, undefined_note
from analysis.charts.table import Row, Table, defined, measured, texts

_WIDE, _NARROW = 300, 190
_STEP, _PADDING = 13, 8
"""Height of a dot with its interval, and what is left free between two systems."""


def direction_dots(rows: Sequence[Row], **titles: Unpack[Titles]) -> Chart:
    """Draw one dot with its interval per system, metric and direction, one panel per metric.

    Each panel has an axis of its own, which its directions share. Systems, metrics and directions
    keep the order of the input; directions differ in colour and shape.

    Parameters
    ----------
    rows : sequence of Row
        `system`, `score` (the metric), `direction` and `mean` with `low`, `high`, `n` and
        `reason`; at most one per system, metric and direction. One direction may be empty.
    """
    titles.setdefault("name", "direction-dots")
    names = texts(system="System", score="Metric", direction="Direction")
    table = Table((*names, *measured("mean", "Mean")), rows)
    if not rows:
        return nothing_to_draw(table, titles, "There is no metric score to show.")
    systems, scores = table.names("system"), table.names("score")
    directions = table.names("direction")
    several = len(directions) > 1
    width = _NARROW if len(scores) > 1 else _WIDE
    x = number_axis("mean", None, {"zero": False, "nice": True}, FEW_TICKS)
    legend = {"title": None, "orient": "right", "labelLimit": 150} if several else None
    styles = categories("direction", directions, legend)
    dot = dots("x", x, **table.links())
    dot["mark"] = {"type": "point", "filled": True, "size": 60, "opacity": 1}
    dot["encoding"] |= {key: styles[key] for key in ("color", "shape")}
    rule = intervals("x", x)
    rule["encoding"] |= {"color": styles["color"]}
    text = f"means of {counted(len(systems), 'system')} by {counted(len(scores), 'metric')}"
    if several:
        text += f" in {counted(len(directions), 'direction')}"
    for score in scores[:4]:
        own = [row for row in rows if row["score"] == score]
        text += f"; {score}{lowest_and_highest(defined(own, 'mean'), 'system', 'direction')}"
    return draw(
        table,
        titles,
        description=described(text, table, "mean"),
        title_width=120 + width * len(scores),
        data={"values": table.data("mean", panels="score")},
        facet=panels("score", {"labelLimit": width + 30}, "column"),
        spec={
            "width": width,
            "height": {"step": _STEP * len(directions) + _PADDING, "for": "position"},
            "encoding": {
                "y": names_axis("system", systems, grid=True, gridOpacity=0.6),
                "yOffset": {
                    "field": "direction",
                    "type": "nominal",
                    "scale": {"domain": directions, "paddingOuter": 0.4},
                },
                "tooltip": tooltip(*names, Column("shown", "Mean"), *SHOWN[1:]),
            },
            "layer": [rule, dot, undefined_note("mean")],
        },
        resolve={"scale": {"x": "independent"}},
    )
