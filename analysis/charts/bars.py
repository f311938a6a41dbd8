"""Bars: agreement between raters, tasks, shares of variance, and boxes of scores."""

from collections.abc import Sequence
from typing import Any, Unpack

from analysis.charts.axes import FEW_TICKS, SHOWN, Channel, names_axis, number_axis, panels, tooltip
from analysis.charts.chart import Chart, Value, counted, format_number
from analysis.charts.drawing import (
    Titles,
    described,
    draw,
    in_words,
    lowest_and_highest,
    nothing_to_draw,
)
from analysis.charts.layers import Layer, intervals, known, labels, layer, where
from analysis.charts.table import Row, Table, count, defined, measured, number, numbers, texts

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
    titles.setdefault("name", "agreement")
    names = texts(batch="Batch", aspect="Aspect")
    table = Table((*names, *measured()), rows, flags=("overall",))
    if not rows:
        return nothing_to_draw(table, titles, "There is no agreement to show.")
    batches, aspects = table.names("batch"), table.names("aspect")
    limits = [0.0, 1.0, *table.numbers("value", "low", "high")]
    scale = {"domain": [min(limits), max(limits)], "nice": True}
    x = number_axis("value", statistic, scale, FEW_TICKS)
    description = f"{statistic} for {counted(len(batches), 'batch', 'batches')}"
    if aspects != [""]:
        description += f" and {counted(len(aspects), 'aspect')}"
    description += lowest_and_highest(defined(rows), "batch", "aspect")
    return draw(
        table,
        titles,
        description=described(description, table),
        title_width=120 + _PANEL_WIDTH * len(aspects),
        data={"values": [_labelled(datum) for datum in table.data(panels="aspect")]},
        facet=panels("aspect", {}, "column"),
        spec={
            "width": _PANEL_WIDTH,
            "height": {"step": 24},
            "encoding": {"y": names_axis("batch", batches), "tooltip": tooltip(*names, *SHOWN)},
            "layer": [
                _bar(x, "bar", where("overall", value=False)),
                _bar(x, "bar-overall", where("overall", value=True)),
                *_interval_and_number(x),
            ],
        },
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
    titles.setdefault("name", "task-bars")
    names = texts(name=rows_are.capitalize(), task="Task")
    table = Table((*names, *measured()), rows)
    if not defined(rows):
        return nothing_to_draw(table, titles, "There is no value to show.")
    entries, tasks = table.names("name"), table.names("task")
    x = number_axis("value", None, {"zero": True, "nice": True}, {**FEW_TICKS, "tickCount": 3})
    description = f"{counted(len(entries), rows_are)} in {counted(len(tasks), 'task')}"
    description += lowest_and_highest(defined(rows), "name", "task")
    return draw(
        table,
        titles,
        description=described(description, table),
        title_width=120 + _TASK_WIDTH * min(_TASKS_IN_ROW, len(tasks)),
        data={"values": [_labelled(datum) for datum in table.data(panels="task")]},
        facet=panels("task", {"labelLimit": _TASK_WIDTH + 50}, "facet")["facet"],
        columns=_TASKS_IN_ROW,
        resolve={"scale": {"x": "independent"}},
        spec={
            "width": _TASK_WIDTH,
            "height": {"step": 20},
            "encoding": {"y": names_axis("name", entries), "tooltip": tooltip(*names, *SHOWN)},
            "layer": [_bar(x, "bar"), *_interval_and_number(x)],
        },
    )


def _bar(x: Channel, style: str, *filters: dict[str, Any]) -> Layer:
    mark = {"type": "bar", "height": {"band": 0.62}, "style": style}
    return layer(mark, {"x": x}, known("value"), *filters)


def _interval_and_number(x: Channel) -> list[Layer]:
    mark = {"style": "label", "align": "left", "dx": 5}
    return [intervals("x", x, style="whisker"), labels("cell", mark, x=x | {"field": "reach"})]


def _labelled(row: Row) -> Row:
    """Add the number of a bar; it stands right of the bar or of its interval."""
    reach = max(0.0, *(number(row, key) or 0.0 for key in ("value", "high")))
    return {**row, "cell": format_number(number(row, "value"), 2), "reach": reach}


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
    titles.setdefault("name", "variance-shares")
    names = texts(aspect="Aspect", source="Source")
    table = Table((*names, *numbers(share="Share", estimate="Variance")), rows)
    if not rows:
        return nothing_to_draw(table, titles, "There is no variance to divide.")
    aspects = table.names("aspect")
    pieces = [f"{place} {source}" for place, source in enumerate(table.names("source"), 1)]
    aspect = names_axis("aspect", aspects)
    percent = {"format": ".0%", "tickCount": 5}
    x = number_axis("start", "Share of the variance", {"domain": [0, 1]}, percent)
    legend = {"title": None, "orient": "right", "labelLimit": 150}
    return draw(
        table,
        titles,
        description=_describe_shares(table, aspects),
        title_width=_SHARES_WIDTH + 180,
        width=_SHARES_WIDTH,
        height={"step": 30},
        data={"values": _end_to_end(table)},
        encoding={
            "y": aspect | {"scale": aspect["scale"] | {"paddingInner": 0.25}},
            "tooltip": tooltip(names[0], *texts(piece="Source", percent="Share")),
        },
        layer=[
            layer(
                {"type": "bar", "style": "piece"},
                {
                    "x": x,
                    "x2": {"field": "end"},
                    "color": {"field": "piece", "type": "nominal", "legend": legend}
                    | {"scale": {"domain": pieces}},
                },
            ),
            labels("number", {"style": "piece-number"}, x=x | {"field": "middle"}),
        ],
    )


def _end_to_end(table: Table) -> list[dict[str, Value]]:
    """Lay the pieces of each bar end to end."""
    ends = dict.fromkeys(table.names("aspect"), 0.0)
    places = {source: place for place, source in enumerate(table.names("source"), 1)}
    data = []
    for row in table.data("share"):
        share, aspect = number(row, "share") or 0.0, str(row["aspect"])
        start, place = ends[aspect], places[str(row["source"])]
        ends[aspect] = start + share
        data.append(
            row
            | {
                "piece": f"{place} {row['source']}",
                "start": round(start, 9),
                "end": round(start + share, 9),
                "middle": round(start + share / 2, 9),
                "number": str(place) if share >= _NARROWEST_LABELLED else "",
                "percent": f"{100 * share:.0f} %",
            }
        )
    return data


def _describe_shares(table: Table, aspects: Sequence[str]) -> str:
    text = f"shares of the variance of ratings on {counted(len(aspects), 'aspect')}"
    for aspect in aspects[:6]:
        own = [row for row in table.rows if row["aspect"] == aspect]
        share, source = max((number(row, "share") or 0.0, str(row["source"])) for row in own)
        text += f"; on {aspect} most is {source} ({100 * share:.0f} %)"
    return described(text, table, "share")


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
    titles.setdefault("name", "score-distributions")
    lower = numbers(mean="Mean", low="5 %", quarter="25 %")
    upper = numbers(median="Median", three_quarters="75 %", high="95 %")
    table = Table((*texts(group=things), count(), *lower, *upper), rows)
    if not rows:
        return nothing_to_draw(table, titles, "This metric has no score.")
    medians = ", ".join(f"{row['group']} {in_words(number(row, 'median'))}" for row in rows)
    x = number_axis("median", metric, {"zero": False}, {})
    box = {"type": "bar", "style": "box", "height": 14}
    return draw(
        table,
        titles,
        description=f"{metric}, medians: {medians}; boxes are quartiles, whiskers 5 and 95 %.",
        title_width=_BOXES_WIDTH + 120,
        width=_BOXES_WIDTH,
        height={"step": 30},
        data={"values": table.data("median")},
        encoding={
            "y": names_axis("group", table.names("group")),
            "tooltip": tooltip(*texts(group=things), upper[0], lower[0], count()),
        }
        | table.links(),
        layer=[
            intervals("x", x),
            layer(box, {"x": x | {"field": "quarter"}, "x2": {"field": "three_quarters"}}),
            layer({"type": "tick", "style": "median", "thickness": 3, "height": 14}, {"x": x}),
            layer(
                {"type": "point", "style": "mean", "shape": "diamond", "size": 40},
                {"x": x | {"field": "mean"}},
            ),
        ],
    )
