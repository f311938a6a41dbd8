"""Bars: agreement between raters, tasks, shares of variance, and boxes of scores."""

from collections.abc import Sequence
from typing import Any, Unpack

from analysis.charts.axes import (
    FEW_TICKS,
    FROM_ZERO,
    KEY,
    SHOWN,
    Channel,
    names_axis,
    number_axis,
    panels,
)
from analysis.charts.chart import Chart, Value, format_number
from analysis.charts.drawing import Titles, draw_rows, in_words, summary
from analysis.charts.layers import Layer, intervals, known, labels, layer, where
from analysis.charts.table import Row, Table, count, measured, number, numbers, texts

_PANEL_WIDTH = 180
_TASK_WIDTH, _TASKS_IN_ROW = 170, 4
_SHARES_WIDTH = 230
"""Of shares of variance: their key stands at the right of the bars."""
_BOXES_WIDTH = 300
_NARROWEST_LABELLED = 0.045
"""Share of the bar that the number of a source fits into."""


def agreement_bars(rows: Sequence[Row], *, statistic: str, **titles: Unpack[Titles]) -> Chart:
    """Draw agreement per batch and overall with intervals, one panel per aspect.

    Batches keep the order of the input; overall bars are darker. The axis always shows 0 and 1.

    Parameters
    ----------
    rows : sequence of Row
        `batch`, `aspect` and `value` with `low`, `high`, `n` and `reason`; `overall` where it is
        over all batches. At most one per batch and aspect.
    statistic : str
        Name of the number, such as ``Krippendorff's alpha, interval``.
    """
    names = texts(batch="Batch", aspect="Aspect")
    nothing = "There is no agreement to show."
    columns = (*names, *measured())
    table = Table(columns, rows, ("overall",), panel="aspect", nothing=nothing)
    limits = [0.0, 1.0, *table.numbers("value", "low", "high")]
    scale = {"domain": [min(limits), max(limits)], "nice": True}
    x = number_axis("value", statistic, scale, FEW_TICKS)
    return _draw_bars(
        table,
        titles,
        "agreement",
        description=summary(statistic, table, "batch"),
        x=x,
        bars=[
            _bar(x, "bar", where("overall", value=False)),
            _bar(x, "bar-overall", where("overall", value=True)),
        ],
        width=_PANEL_WIDTH,
        height={"step": 24},
        facet=panels("aspect"),
    )


def task_bars(rows: Sequence[Row], *, rows_are: str, **titles: Unpack[Titles]) -> Chart:
    """Draw a bar with its interval for each row and task, one panel a task.

    Each panel has an axis of its own: what tasks measure differs. Rows keep the order of the input.

    Parameters
    ----------
    rows : sequence of Row
        `name`, `task` and `value` with `low`, `high`, `n` and `reason`.
    rows_are : str
        What a row stands for, in the singular.
    """
    names = texts(name=rows_are.capitalize(), task="Task")
    table = Table((*names, *measured()), rows, panel="task", nothing="There is no value to show.")
    x = number_axis("value", None, FROM_ZERO, FEW_TICKS | {"tickCount": 3})
    return _draw_bars(
        table,
        titles,
        "task-bars",
        description=summary("values", table, "name"),
        x=x,
        bars=[_bar(x, "bar")],
        width=_TASK_WIDTH,
        facet=panels("task", columns=_TASKS_IN_ROW, labelLimit=_TASK_WIDTH + 50),
        resolve={"scale": {"x": "independent"}},
    )


def _draw_bars(
    table: Table, titles: Titles, name: str, *, x: Channel, bars: Sequence[Layer], **around: Any
) -> Chart:
    """Return a chart of bars with their intervals and numbers, one for each text of a column."""
    names = table.columns[:2]
    data: list[Row] = []
    for row in table.data() if table.numbers("value") else ():
        # A number stands right of its bar or of its interval.
        reach = max(0.0, *(number(row, key) or 0.0 for key in ("value", "high")))
        data.append(row | {"cell": format_number(number(row, "value"), 2), "reach": reach})
    mark = {"style": "label", "align": "left", "dx": 5}
    return draw_rows(
        table,
        titles,
        name,
        y=names_axis(names[0].key, table.names(names[0].key)),
        fields=(*names, *SHOWN),
        layer=[
            *bars,
            intervals("x", x, style="whisker"),
            labels("cell", mark, x=x | {"field": "reach"}),
        ],
        data=data,
        **around,
    )


def _bar(x: Channel, style: str, *filters: dict[str, Any]) -> Layer:
    mark = {"type": "bar", "height": {"band": 0.62}, "style": style}
    return layer(mark, {"x": x}, known("value"), *filters)


def variance_shares(rows: Sequence[Row], **titles: Unpack[Titles]) -> Chart:
    """Draw one bar per aspect, its pieces the sources of variance.

    Sources keep the order of the input, are numbered in it, and each piece bears its number, so
    that the picture reads without colour.

    Parameters
    ----------
    rows : sequence of Row
        `aspect`, `source`, `share` and `estimate`, the variance; at most one per aspect and
        source. Shares of an aspect add up to one.
    """
    names = texts(aspect="Aspect", source="Source")
    columns = (*names, *numbers(share="Share", estimate="Variance"))
    nothing = "There is no variance to divide."
    table = Table(columns, rows, key="share", panel="aspect", nothing=nothing)
    places = {source: place for place, source in enumerate(table.names("source"), 1)}
    pieces = [f"{place} {source}" for source, place in places.items()]
    aspect = names_axis("aspect", table.names("aspect"))
    aspect["scale"]["paddingInner"] = 0.25
    percent = {"format": ".0%", "tickCount": 5}
    x = number_axis("share", "Share of the variance", {"domain": [0, 1]}, percent)
    x |= {"stack": "zero"}
    color = {"field": "piece", "type": "nominal", "legend": KEY, "scale": {"domain": pieces}}
    order = {"order": {"field": "place", "type": "quantitative"}}
    data: list[Row] = []
    for row in table.data():
        share, place = number(row, "share") or 0.0, places[str(row["source"])]
        number_in = str(place) if share >= _NARROWEST_LABELLED else ""
        own: dict[str, Value] = {"place": place, "piece": pieces[place - 1], "number": number_in}
        data.append(row | own | {"percent": f"{100 * share:.0f} %"})
    return draw_rows(
        table,
        titles,
        "variance-shares",
        description=summary("shares of the variance of ratings", table, "source"),
        y=aspect,
        fields=(names[0], *texts(piece="Source", percent="Share")),
        layer=[
            layer({"type": "bar", "style": "piece"}, {"x": x, "color": color} | order),
            labels("number", {"style": "piece-number"}, x=x | {"bandPosition": 0.5}, **order),
        ],
        width=_SHARES_WIDTH,
        height={"step": 30},
        data=data,
    )


def score_distributions(
    rows: Sequence[Row], *, metric: str, things: str = "Texts", **titles: Unpack[Titles]
) -> Chart:
    """Draw a box a group: quartiles, median, mean, and whiskers at 5 and 95 %.

    Parameters
    ----------
    rows : sequence of Row
        `group`, `n`, `mean`, and the quantiles `low`, `quarter`, `median`, `three_quarters` and
        `high`; in the order in which they are shown.
    metric : str
        Name of the metric, for the axis.
    things : str
        What a group is, over its column of the table.
    """
    lower = numbers(mean="Mean", low="5 %", quarter="25 %")
    upper = numbers(median="Median", three_quarters="75 %", high="95 %")
    names = texts(group=things)
    columns = (*names, count(), *lower, *upper)
    table = Table(columns, rows, key="median", nothing="This metric has no score.")
    medians = ", ".join(f"{row['group']} {in_words(number(row, 'median'))}" for row in rows)
    x = number_axis("median", metric, {"zero": False}, {})
    box = {"x": x | {"field": "quarter"}, "x2": {"field": "three_quarters"}}
    mean = {"type": "point", "style": "mean", "shape": "diamond", "size": 40}
    return draw_rows(
        table,
        titles,
        "score-distributions",
        description=f"{metric}, medians: {medians}; boxes are quartiles, whiskers 5 and 95 %.",
        y=names_axis("group", table.names("group")),
        fields=(*names, upper[0], lower[0], count()),
        layer=[
            intervals("x", x),
            layer({"type": "bar", "style": "box", "height": 14}, box),
            layer({"type": "tick", "style": "median", "thickness": 3, "height": 14}, {"x": x}),
            layer(mean, {"x": x | {"field": "mean"}}),
        ],
        width=_BOXES_WIDTH,
        height={"step": 30},
        encoding=table.links(),
    )
