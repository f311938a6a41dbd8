"""Scatter plot of systems: what people say against what a metric says."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analysis.charts.axes import linear_axis, padded
from analysis.charts.chart import (
    SCHEMA,
    Chart,
    Column,
    Spec,
    counted,
    format_interval,
    format_number,
    in_order,
    linked,
    nothing_to_draw,
    require_finite,
    sentence,
    table,
    title_block,
)
from analysis.charts.labels import LABEL_HEIGHT, Box, place_labels
from analysis.charts.theme import SHAPES

_COLUMNS = (
    Column("system", "System"),
    Column("group", "Group"),
    Column("human", "Human mean", "number"),
    Column("human_low", "Human low", "number"),
    Column("human_high", "Human high", "number"),
    Column("metric", "Metric mean", "number"),
    Column("metric_low", "Metric low", "number"),
    Column("metric_high", "Metric high", "number"),
    Column("n", "n", "count"),
)
_WIDTH, _HEIGHT = 440, 340


@dataclass(frozen=True)
class SystemPoint:
    """Mean human score and mean metric score of one system, either None where undefined.

    A press on the point leads to `link`, relative to the page.
    """

    system: str
    human: float | None
    metric: float | None
    human_low: float | None = None
    human_high: float | None = None
    metric_low: float | None = None
    metric_high: float | None = None
    n: int | None = None
    group: str = ""
    link: str = ""


def system_scatter(
    points: Sequence[SystemPoint],
    *,
    title: str,
    human_label: str,
    metric_label: str,
    correlation: str,
    name: str = "system-scatter",
) -> Chart:
    """Draw human system means over metric system means, each point with its system's name.

    Names are placed so that they cover neither each other nor a point; where a crowd leaves no
    room, a name is left to the tooltip and the table, and the description says how many.

    Parameters
    ----------
    points : sequence of SystemPoint
        A system for which one of the two means is missing is listed in the table, not drawn.
    title : str
        Line over the picture.
    human_label, metric_label : str
        Titles of the vertical and the horizontal axis; say there when lower is better.
    correlation : str
        The correlation in words, shown under the title, such as
        ``r = 0.967, 95 % CI [0.82, 0.99], n = 8 systems`` or ``r undefined, because …``.
    name : str
        Name of the chart for files and element ids.

    Returns
    -------
    Chart

    Raises
    ------
    ValueError
        If a value is NaN or infinite.
    """
    for point in points:
        require_finite(point.system, (point.human, point.metric))
        require_finite(point.system, (point.human_low, point.human_high))
        require_finite(point.system, (point.metric_low, point.metric_high))
    rows = table(_COLUMNS, points)
    drawn = [(p, p.human, p.metric) for p in points if p.human is not None and p.metric is not None]
    if not drawn:
        why = "There is no system with both a human and a metric score."
        chart = nothing_to_draw(name, title, _COLUMNS, why)
        return Chart(name, title, why, chart.spec, _COLUMNS, rows)
    y_domain = padded([v for p, y, _ in drawn for v in (y, p.human_low, p.human_high)])
    x_domain = padded([v for p, _, x in drawn for v in (x, p.metric_low, p.metric_high)])
    values = [_datum(point) for point, _, _ in drawn]
    _add_label_places(values, x_domain, y_domain)
    hidden = sum("label_x" not in datum for datum in values)
    spec: Spec = {
        "$schema": SCHEMA,
        "description": sentence(_describe(points, len(drawn), hidden, human_label, metric_label))
        + f" {correlation.rstrip('.')}.",
        "title": title_block(title, correlation, _WIDTH + 60),
        "width": _WIDTH,
        "height": _HEIGHT,
        "data": {"values": values},
        "encoding": {
            "x": linear_axis("metric", metric_label, x_domain),
            "y": linear_axis("human", human_label, y_domain),
        }
        | linked(points),
        "layer": [
            _interval("human"),
            _interval("metric"),
            _points(in_order(p.group for p, _, _ in drawn)),
            *_names(x_domain, y_domain),
        ],
    }
    return Chart(name, title, spec["description"], spec, _COLUMNS, rows)


def _datum(point: SystemPoint) -> dict[str, Any]:
    return {
        "system": point.system,
        "group": point.group,
        "human": point.human,
        "human_low": point.human_low,
        "human_high": point.human_high,
        "human_interval": format_interval(point.human_low, point.human_high) or "none",
        "metric": point.metric,
        "metric_low": point.metric_low,
        "metric_high": point.metric_high,
        "metric_interval": format_interval(point.metric_low, point.metric_high) or "none",
        "n": point.n,
    } | ({"link": point.link} if point.link else {})


def _add_label_places(
    values: list[dict[str, Any]], x_domain: tuple[float, float], y_domain: tuple[float, float]
) -> None:
    """Add the place of each name, and of the leader to it where it stands apart, in data units."""
    x_unit = (x_domain[1] - x_domain[0]) / _WIDTH
    y_unit = (y_domain[1] - y_domain[0]) / _HEIGHT

    def to_pixels(x: float, y: float) -> tuple[float, float]:
        return (x - x_domain[0]) / x_unit, (y_domain[1] - y) / y_unit

    pixels = [to_pixels(datum["metric"], datum["human"]) for datum in values]
    obstacles = []
    for datum, (x, y) in zip(values, pixels, strict=True):
        if None not in (datum["human_low"], datum["human_high"]):
            _, bottom = to_pixels(0, datum["human_low"])
            _, top = to_pixels(0, datum["human_high"])
            obstacles.append(Box(x - 1, top, x + 1, bottom))
        if None not in (datum["metric_low"], datum["metric_high"]):
            left, _ = to_pixels(datum["metric_low"], 0)
            right, _ = to_pixels(datum["metric_high"], 0)
            obstacles.append(Box(left, y - 1, right, y + 1))
    names = [datum["system"] for datum in values]
    boxes = place_labels(pixels, names, _WIDTH, _HEIGHT, obstacles=obstacles)
    for datum, (x, y), box in zip(values, pixels, boxes, strict=True):
        if box is None:
            continue
        datum["label_x"] = x_domain[0] + box.left * x_unit
        datum["label_y"] = y_domain[1] - (box.top + LABEL_HEIGHT / 2) * y_unit
        nearest_x = min(max(x, box.left), box.right)
        nearest_y = min(max(y, box.top), box.bottom)
        if abs(nearest_x - x) + abs(nearest_y - y) > 12:
            datum["leader_x"] = x_domain[0] + nearest_x * x_unit
            datum["leader_y"] = y_domain[1] - nearest_y * y_unit


def _interval(which: str) -> dict[str, Any]:
    low, high = f"{which}_low", f"{which}_high"
    channel = "y" if which == "human" else "x"
    return {
        "transform": [{"filter": {"field": low, "valid": True}}],
        "mark": {"type": "rule", "style": "cross-interval"},
        "encoding": {
            channel: {"field": low, "type": "quantitative"},
            f"{channel}2": {"field": high},
        },
    }


def _points(groups: list[str]) -> dict[str, Any]:
    encoding: dict[str, Any] = {
        "tooltip": [
            {"field": "system", "type": "nominal", "title": "System"},
            {"field": "human", "type": "quantitative", "title": "Human mean", "format": ".3f"},
            {"field": "human_interval", "type": "nominal", "title": "Human interval"},
            {"field": "metric", "type": "quantitative", "title": "Metric mean", "format": ".3f"},
            {"field": "metric_interval", "type": "nominal", "title": "Metric interval"},
            {"field": "n", "type": "quantitative", "title": "n"},
        ]
    }
    mark: dict[str, Any] = {"type": "point", "filled": True, "size": 64, "opacity": 1}
    if len(groups) > 1:
        legend = {"orient": "bottom", "title": None}
        shapes = [SHAPES[index % len(SHAPES)] for index in range(len(groups))]
        group = {"field": "group", "type": "nominal", "legend": legend}
        encoding["color"] = group | {"scale": {"domain": groups}}
        encoding["shape"] = group | {"scale": {"domain": groups, "range": shapes}}
    else:
        mark = {"type": "circle", "style": "dot", "size": 64, "opacity": 1}
    return {"mark": mark, "encoding": encoding}


def _names(x_domain: tuple[float, float], y_domain: tuple[float, float]) -> list[dict[str, Any]]:
    return [
        {
            "transform": [{"filter": {"field": "leader_x", "valid": True}}],
            "mark": {"type": "rule", "style": "leader"},
            "encoding": {"x2": {"field": "leader_x"}, "y2": {"field": "leader_y"}},
        },
        {
            "transform": [{"filter": {"field": "label_x", "valid": True}}],
            "mark": {"type": "text", "style": "label", "align": "left", "baseline": "middle"},
            "encoding": {
                "x": {"field": "label_x", "type": "quantitative"},
                "y": {"field": "label_y", "type": "quantitative"},
                "text": {"field": "system", "type": "nominal"},
            },
        },
    ]


def _describe(
    points: Sequence[SystemPoint], drawn: int, hidden: int, human_label: str, metric_label: str
) -> str:
    text = f"{human_label} against {metric_label} for {counted(drawn, 'system')}"
    if missing := len(points) - drawn:
        text += f"; {missing} without both scores, listed in the table only"
    if hidden:
        text += f"; {counted(hidden, 'name')} left out where there is no room"
    best = max(
        (point for point in points if point.human is not None and point.metric is not None),
        key=lambda point: point.human or 0.0,
    )
    return f"{text}; people rate {best.system} highest ({format_number(best.human)})."
