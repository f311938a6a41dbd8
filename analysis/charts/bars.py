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
from analysis.charts.drawing import Titles, described, draw_rows, in_words, summary
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
    return draw_rows(
        table,
        titles,
        "agreement",
        description=summary(statistic, table, "batch"),
        title_width=120 + _PANEL_WIDTH * len(table.names("aspect")),
        y=names_axis("batch", table.names("batch")),
        fields=(*names, *SHOWN),
        layer=[
            _bar(x, "bar", where("overall", value=False)),
            _bar(x, "bar-overall", where("overall", value=True)),
            *_interval_and_number(x),
        ],
        width=_PANEL_WIDTH,
        height={"step": 24},
        facet=panels("aspect"),
        data=_labelled(table),
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
    return draw_rows(
        table,
        titles,
        "task-bars",
        description=summary("values", table, "name"),
        title_width=120 + _TASK_WIDTH * min(_TASKS_IN_ROW, len(table.names("task"))),
        y=names_axis("name", table.names("name")),
        fields=(*names, *SHOWN),
        layer=[_bar(x, "bar"), *_interval_and_number(x)],
        width=_TASK_WIDTH,
        facet=panels("task", columns=_TASKS_IN_ROW, labelLimit=_TASK_WIDTH + 50),
        data=_labelled(table),
        resolve={"scale": {"x": "independent"}},
    )


def _bar(x: Channel, style: str, *filters: dict[str, Any]) -> Layer:
    mark = {"type": "bar", "height": {"band": 0.62}, "style": style}
    return layer(mark, {"x": x}, known("value"), *filters)


def _interval_and_number(x: Channel) -> list[Layer]:
    mark = {"style": "label", "align": "left", "dx": 5}
    return [intervals("x", x, style="whisker"), labels("cell", mark, x=x | {"field": "reach"})]


def _labelled(table: Table) -> list[Row]:
    """Add the number of each bar; it stands right of the bar or of its interval."""
    return [
        row
        | {"cell": format_number(number(row, "value"), 2)}
        | {"reach": max(0.0, *(number(row, key) or 0.0 for key in ("value", "high")))}
        for row in table.data()
    ]


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
    table = Table(columns, rows, key="share", nothing="There is no variance to divide.")
    pieces = [f"{place} {source}" for place, source in enumerate(table.names("source"), 1)]
    aspect = names_axis("aspect", table.names("aspect"))
    aspect["scale"]["paddingInner"] = 0.25
    percent = {"format": ".0%", "tickCount": 5}
    x = number_axis("start", "Share of the variance", {"domain": [0, 1]}, percent)
    color = {"field": "piece", "type": "nominal", "legend": KEY, "scale": {"domain": pieces}}
    piece = {"x": x, "x2": {"field": "end"}, "color": color}
    return draw_rows(
        table,
        titles,
        "variance-shares",
        description=_describe_shares(table),
        title_width=_SHARES_WIDTH + 180,
        y=aspect,
        fields=(names[0], *texts(piece="Source", percent="Share")),
        layer=[
            layer({"type": "bar", "style": "piece"}, piece),
            labels("number", {"style": "piece-number"}, x=x | {"field": "middle"}),
        ],
        width=_SHARES_WIDTH,
        height={"step": 30},
        data=_end_to_end(table),
    )


def _end_to_end(table: Table) -> list[Row]:
    """Lay the pieces of each bar end to end."""
    ends = dict.fromkeys(table.names("aspect"), 0.0)
    places = {source: place for place, source in enumerate(table.names("source"), 1)}
    data: list[Row] = []
    for row in table.data():
        share, aspect = number(row, "share") or 0.0, str(row["aspect"])
        start, place = ends[aspect], places[str(row["source"])]
        ends[aspect] = start + share
        own: dict[str, Value] = {
            "piece": f"{place} {row['source']}",
            "start": round(start, 9),
            "end": round(start + share, 9),
            "middle": round(start + share / 2, 9),
            "number": str(place) if share >= _NARROWEST_LABELLED else "",
            "percent": f"{100 * share:.0f} %",
        }
        data.append(row | own)
    return data


def _describe_shares(table: Table) -> str:
    largest: dict[str, tuple[float, str]] = {}
    for row in table.rows:
        share = number(row, "share") or 0.0, str(row["source"])
        aspect = str(row["aspect"])
        largest[aspect] = max(share, largest.get(aspect, share))
    parts = [f"on {a}, {source} ({100 * s:.0f} %)" for a, (s, source) in largest.items()]
    return described(f"the largest share of the variance of ratings: {'; '.join(parts)}", table)


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
        title_width=_BOXES_WIDTH + 120,
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
