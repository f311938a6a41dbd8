"""Lines: what a number does over the size of a study, a threshold, or ever fewer systems."""

import math
from collections.abc import Sequence
from typing import Any, Literal, Unpack

from analysis.charts.axes import SHOWN, Channel, categories, exactly, number_axis, padded, tooltip
from analysis.charts.chart import Chart, Column, counted, format_interval, format_number, in_order
from analysis.charts.drawing import Titles, described, draw, in_words, summary
from analysis.charts.labels import LABEL_HEIGHT, line_names
from analysis.charts.layers import LINE, Layer, known, labels, layer, where
from analysis.charts.table import (
    Row,
    Table,
    compared,
    count,
    defined,
    measured,
    number,
    numbers,
    texts,
)

_HEIGHT, _WIDTH, _HALF_WIDTH = 280, 315, 250
"""Pixels of a plot with the names of its lines at the right, and of one of two."""
_APART = 0.008
"""By how much the lines of a sweep are moved apart, so that their intervals do not overlap."""
_PANELS = {"top": "Top N systems", "last": "Last N systems"}
_MOST_SYSTEMS_WITH_POINTS = 24
_SYSTEMS = count("systems", "Systems")
_LEVEL = {"type": "rule", "style": "whisker", "strokeDash": [4, 3]}
_FADED = {"condition": {"param": "pointed_at", "value": 1}, "value": 0.15}
"""Opacity of the lines at which nobody points."""
_POINTED_AT = {"type": "point", "fields": ["line"], "on": "pointerover", "clear": "pointerout"}


def _named_lines(
    table: Table,
    over: str,
    axes: dict[str, Channel],
    fields: Sequence[Column],
    *,
    size: tuple[int, int],
    end: str = "",
    point: int = 45,
) -> list[Layer]:
    """Return a line for each text of `line`, its points, and its name at the right.

    Lines differ in colour, dash and point shape, so that grey print reads too; those at which
    nobody points fade.

    Parameters
    ----------
    table
    over
        Column of the horizontal axis.
    axes
        Channels x and y; the latter with its limits.
    fields
        What tooltips say.
    size
        Width and height of the plot.
    end
        Of rows with one of several ends, which are shown; systems become fewer to the right.
    point
        Size of a point.
    """
    styles = categories("line", table.names("line"), None)
    color = {"color": styles["color"], "opacity": _FADED}
    dashed = axes | color | {"strokeDash": styles["strokeDash"]}
    marked = axes | color | {"shape": styles["shape"], "tooltip": tooltip(*fields)} | table.links()
    mark = {"type": "point", "filled": True, "size": point, "opacity": 1}
    lines = [layer(LINE, dashed), layer(mark, marked, known("value")) | {"name": end or "lines"}]
    shown = {"transform": [where("end", end)]} if end else {}
    own = [row for _, row in defined(table.rows) if not end or row["end"] == end]
    own.sort(key=lambda row: number(row, over) or 0.0, reverse=bool(end))
    last = {str(row["line"]): row for row in own}
    if not last:
        note = {"data": {"values": [{"text": "undefined"}]}}
        return [shown | {"layer": lines}, note | labels("text", {"style": "note"})]
    return [shown | {"layer": lines}, *line_names([*last.values()], axes, size, color)]


def _pointed_at(*views: str) -> list[dict[str, Any]]:
    return [{"name": "pointed_at", "select": _POINTED_AT, "views": list(views)}]


def _draw_lines(
    table: Table,
    titles: Titles,
    name: str,
    over: str,
    axes: dict[str, Channel],
    fields: Sequence[Column],
    below: Layer,
    description: str,
) -> Chart:
    """Return a chart of one plot with `_named_lines`, above further marks."""
    return draw(
        table,
        titles,
        name,
        description=description,
        params=_pointed_at("lines"),
        width=_WIDTH,
        height=_HEIGHT,
        data={"values": table.data()},
        layer=[below, *_named_lines(table, over, axes, fields, size=(_WIDTH, _HEIGHT))],
    )


def plan_curves(
    rows: Sequence[Row], *, reached: str, wanted: float, **titles: Unpack[Titles]
) -> Chart:
    """Draw one line per number of raters over the number of segments, and what is wanted.

    Parameters
    ----------
    rows : sequence of Row
        `raters`, `segments` and `value`, None where undefined; in any order.
    reached : str
        Name of the number on the vertical axis.
    wanted : float
        Plotted as a level line.
    """
    raters, segments = count("raters", "Raters"), count("segments", "Segments")
    named = [{**row, "line": counted(int(number(row, "raters") or 0), "rater")} for row in rows]
    columns = (raters, segments, *numbers(value="Value"))
    table = Table(columns, named, ("line",), nothing="There is no plan to show.")
    sizes, values = table.numbers("segments") or [1.0], table.numbers("value")
    scale = {"type": "log", "domain": [min(sizes) / 1.1, max(sizes) * 1.1], "nice": False}
    ticks = {"values": sorted(set(sizes)), "grid": False, "format": ",d", "labelOverlap": "greedy"}
    limits = exactly([0.0, 1.05 * max([wanted, *values])])
    axes = {
        "x": number_axis("segments", "Segments", scale, ticks),
        "y": number_axis("value", reached, limits, {}),
    }
    fields = (*texts(line="Raters"), segments, SHOWN[0])
    level = layer(_LEVEL, {"y": {"datum": wanted}})
    said = summary(
        f"{reached} ({in_words(wanted)} is wanted)", table, "line", "segments", things="panel"
    )
    return _draw_lines(table, titles, "plan", "segments", axes, fields, level, said)


def sweep_curves(rows: Sequence[Row], *, statistic: str, **titles: Unpack[Titles]) -> Chart:
    """Draw one line a setting over the threshold, each point with its interval.

    Parameters
    ----------
    rows : sequence of Row
        `line`, `threshold` (0 for plain texts) and `value` with `low`, `high`, `n` and `reason`;
        in any order. An undefined value leaves a gap in its line.
    statistic : str
        Name of the number on the vertical axis.
    """
    columns = (*texts(line="Setting"), *numbers(threshold="Threshold"), *measured())
    lines = in_order(str(row["line"]) for row in rows)
    aside = {line: (i - (len(lines) - 1) / 2) * _APART for i, line in enumerate(lines)}
    moved = [
        {**row, "place": round((number(row, "threshold") or 0.0) + aside[str(row["line"])], 6)}
        for row in rows
    ]
    table = Table(columns, moved, ("place",), nothing="There is no setting to show.")
    ticks = {"values": sorted(set(table.numbers("threshold"))), "grid": False}
    scale = {"zero": False, "padding": 12}
    limits = exactly(padded(table.numbers("value", "low", "high")))
    y = number_axis("value", statistic, limits, {})
    axes = {"x": number_axis("place", "Threshold (0: plain texts)", scale, ticks), "y": y}
    fields = (*texts(line="Setting", threshold="Threshold"), *SHOWN)
    intervals = axes | {"y": y | {"field": "low"}, "y2": {"field": "high"}}
    intervals["color"] = categories("line", lines, None)["color"]
    said = summary(statistic, table, "line", "threshold")
    rules = layer({"type": "rule"}, intervals, known("low"))
    return _draw_lines(table, titles, "sweep-curves", "threshold", axes, fields, rules, said)


def top_last_curves(
    rows: Sequence[Row],
    *,
    statistic: str,
    bands: bool = False,
    things: Literal["metric", "stratum"] = "metric",
    ends: Sequence[Literal["top", "last"]] = ("top", "last"),
    **titles: Unpack[Titles],
) -> Chart:
    """Draw one line per metric over the number of systems, from all down to three.

    Two panels share their axes: the N systems that human raters rate best on the left, worst on the
    right.

    Parameters
    ----------
    rows : sequence of Row
        `metric`, `compared_to`, `end` (``top`` or ``last``), `systems` (N) and `value` with `low`,
        `high`, `n` and `reason`; in any order. An undefined value leaves a gap in its line.
    statistic : str
        Name of the number on the vertical axis.
    bands : bool
        Whether confidence intervals are drawn as bands, their edges dashed as the line is; of use
        with few lines.
    things : {"metric", "stratum"}
        What a line stands for, in `metric`.
    ends : sequence of {"top", "last"}
        Which panels are drawn; rows of others are left out.
    """
    names, thing = texts(metric="Metric", compared_to="Compared to"), "metric"
    if things == "stratum":
        names, thing = texts(metric="Stratum"), "subgroup"
    table = Table(
        (*texts(end="Systems kept"), _SYSTEMS, *names, *measured()),
        [{**row, "line": compared(row)} for row in rows if row["end"] in ends],
        ("line",),
        nothing="There is no curve to show.",
    )
    lines = table.names("line")
    sizes = table.numbers("systems") or [1.0]
    most, fewest = int(max(sizes)), int(min(sizes))
    ticks = {"values": _ticks(most, fewest), "grid": False, "format": "d"}
    x = number_axis("systems", "N", exactly([most, fewest]), ticks)
    domain = _in_tenths(table.numbers("value", *(("low", "high") if bands else ())))
    height = max(260, int(LABEL_HEIGHT * len(lines)) + 20)
    fields = (*texts(line="Line"), _SYSTEMS, *SHOWN)
    zero = layer({"type": "rule", "style": "zero"}, {"y": {"datum": 0}})

    def panel(end: str) -> dict[str, Any]:
        title = statistic if end == ends[0] else None
        axes = {"x": x, "y": number_axis("value", title, exactly(domain), {})}
        point = 42 if most - fewest < _MOST_SYSTEMS_WITH_POINTS else 8
        size = (_HALF_WIDTH, height)
        layers = [
            *(_bands(table, x, where("end", end), known("low")) if bands else ()),
            *([zero] if domain[0] < 0 else ()),
            *_named_lines(table, "systems", axes, fields, size=size, end=end, point=point),
        ]
        heading = {"title": {"text": _PANELS[end], "fontSize": 12}} if len(ends) > 1 else {}
        return heading | {"width": _HALF_WIDTH, "height": height, "layer": layers}

    return draw(
        table,
        titles,
        "top-last-curves",
        description=summary(statistic, table, "line", "systems", things=thing),
        params=_pointed_at(*ends),
        data={"values": table.data()},
        hconcat=[panel(end) for end in ends],
    )


def _in_tenths(values: Sequence[float]) -> tuple[float, float]:
    """Return a range in steps of a tenth that holds every value that is plotted."""
    if not values:
        return (-1.0, 1.0)
    low, high = math.floor(min(values) * 10), math.ceil(max(values) * 10)
    if high - low < 2:
        low, high = low - 1, high + 1
    return (low / 10, high / 10)


def _bands(table: Table, x: Channel, *filters: dict[str, Any]) -> list[Layer]:
    """Return the bands, faint, and their edges in the dashes of the lines."""
    styles = categories("line", table.names("line"), None)
    low, high = ({"field": edge, "type": "quantitative"} for edge in ("low", "high"))
    area = {"x": x, "color": styles["color"], "y": low, "y2": {"field": "high"}}
    edge = {"x": x, "color": styles["color"], "strokeDash": styles["strokeDash"]}
    line = {"type": "line", "strokeWidth": 0.7, "opacity": 0.75}
    return [
        layer({"type": "area", "opacity": 0.1}, area, *filters),
        *(layer(line, edge | {"y": y}, *filters) for y in (low, high)),
    ]


def _ticks(most: int, fewest: int) -> list[int]:
    """Return at most about ten tick values, both ends included."""
    step = max(1, -(-(most - fewest) // 9))
    inner = [value for value in range(most, fewest, -step) if value - fewest >= step]
    return in_order([most, *inner, fewest])


_SEQUENCE_WIDTH, _SEQUENCE_HEIGHT = 420, 260


def narrowing(
    rows: Sequence[Row], *, units: str, axis: str, lines: Sequence[float], **titles: Unpack[Titles]
) -> Chart:
    """Draw estimate and limits over the number of units, and the lines of a rule.

    Parameters
    ----------
    rows : sequence of Row
        `units`, `estimate`, `low` and `high`, in order.
    units, axis : str
        What is counted, and what is estimated.
    lines : sequence of float
        Values at which a rule looks, drawn as dashed level lines.
    """
    columns = (count("units", units), *numbers(estimate="Estimate", low="Low", high="High"))
    nothing = "No segment has all of its ratings yet."
    table = Table(columns, rows, key="estimate", nothing=nothing)
    sizes = table.numbers("units") or [0.0]
    limits = exactly(padded([*table.numbers("low", "high"), *lines]))
    x = number_axis("units", units, exactly([min(sizes), max(sizes)]), {"format": ",d"})
    y = number_axis("estimate", axis, limits, {})
    band = {"x": x, "y": y | {"field": "low"}, "y2": {"field": "high"}}
    last = rows[-1] if rows else {}
    interval = format_interval(number(last, "low"), number(last, "high"))
    description = f"{axis} over {units.lower()}: after {int(number(last, 'units') or 0)} it is "
    description += f"{format_number(number(last, 'estimate'))} {interval}; dashed: the lines of "
    description += "the rule"
    return draw(
        table,
        titles,
        "narrowing",
        description=described(description, table),
        width=_SEQUENCE_WIDTH,
        height=_SEQUENCE_HEIGHT,
        data={"values": table.data()},
        layer=[
            layer({"type": "area", "opacity": 0.18}, band),
            *(layer(_LEVEL, {"y": {"datum": line}}) for line in lines),
            layer(LINE, {"x": x, "y": y, "tooltip": tooltip(*columns)}),
        ],
    )
