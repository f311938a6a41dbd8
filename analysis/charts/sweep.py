"""Curves of a parameter sweep: correlation with people over the masking threshold."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analysis.charts.chart import (
    SCHEMA,
    Chart,
    Column,
    Spec,
    counted,
    format_interval,
    format_number,
    in_order,
    nothing_to_draw,
    require_finite,
    sentence,
    table,
    title_block,
)
from analysis.charts.theme import DASHES, SHAPES

_COLUMNS = (
    Column("line", "Setting"),
    Column("threshold", "Threshold", "number"),
    Column("value", "Value", "number"),
    Column("low", "Low", "number"),
    Column("high", "High", "number"),
    Column("n", "n", "count"),
    Column("reason", "Undefined because"),
)
_WIDTH, _HEIGHT = 460, 280
_APART = 0.008
"""By how much lines stand beside each other, so that their intervals can be told apart."""


@dataclass(frozen=True)
class SweepPoint:
    """One setting's correlation; plain texts have the threshold 0."""

    line: str
    threshold: float
    value: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    reason: str = ""


def sweep_curves(
    points: Sequence[SweepPoint],
    *,
    title: str,
    statistic: str,
    subtitle: str = "",
    name: str = "sweep-curves",
) -> Chart:
    """Draw one line a setting over the threshold, each point with its interval.

    Parameters
    ----------
    points : sequence of SweepPoint
        In any order; an undefined value leaves a gap in its line.
    title, subtitle : str
        Lines over the picture.
    statistic : str
        Name of the number on the vertical axis.
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
    if not points:
        return nothing_to_draw(name, title, _COLUMNS, "There is no setting to show.")
    for point in points:
        place = f"{point.line}, {point.threshold}"
        require_finite(place, (point.threshold, point.value, point.low, point.high))
    lines = in_order(point.line for point in points)
    count = len(lines)
    scales = {
        "color": {"domain": lines},
        "strokeDash": {"domain": lines, "range": [DASHES[i % len(DASHES)] for i in range(count)]},
        "shape": {"domain": lines, "range": [SHAPES[i % len(SHAPES)] for i in range(count)]},
    }
    legend = {"title": None, "orient": "bottom", "direction": "vertical", "labelLimit": _WIDTH}
    told = {
        channel: {"field": "line", "type": "nominal", "scale": scale, "legend": legend}
        for channel, scale in scales.items()
    }
    ticks = sorted({point.threshold for point in points})
    x = {"field": "place", "type": "quantitative", "title": "Threshold (0: plain texts)"} | {
        "axis": {"values": ticks, "grid": False},
        "scale": {"zero": False, "padding": 12},
    }
    y = {"field": "value", "type": "quantitative", "title": statistic, "scale": {"zero": False}}
    defined = [{"filter": {"field": "value", "valid": True}}]
    spec: Spec = {
        "$schema": SCHEMA,
        "description": sentence(_describe(points, lines, statistic)),
        "title": title_block(title, subtitle, _WIDTH + 80),
        "width": _WIDTH,
        "height": _HEIGHT,
        "data": {"values": [_datum(point, lines) for point in points]},
        "encoding": {"x": x},
        "layer": [
            {
                "transform": defined,
                "mark": {"type": "rule"},
                "encoding": {
                    "y": y | {"field": "low"},
                    "y2": {"field": "high"},
                    "color": told["color"],
                },
            },
            {
                "mark": {"type": "line", "invalid": "break-paths-filter-domains"},
                "encoding": {"y": y, "color": told["color"], "strokeDash": told["strokeDash"]},
            },
            {
                "transform": defined,
                "mark": {"type": "point", "filled": True, "size": 50, "opacity": 1},
                "encoding": {
                    "y": y,
                    "color": told["color"],
                    "shape": told["shape"],
                    "tooltip": [
                        {"field": "line", "type": "nominal", "title": "Setting"},
                        {"field": "threshold", "type": "quantitative", "title": "Threshold"},
                        {"field": "shown", "type": "nominal", "title": "Value"},
                        {"field": "interval", "type": "nominal", "title": "Interval"},
                    ],
                },
            },
        ],
    }
    return Chart(name, title, spec["description"], spec, _COLUMNS, table(_COLUMNS, points))


def _datum(point: SweepPoint, lines: Sequence[str]) -> dict[str, Any]:
    beside = (lines.index(point.line) - (len(lines) - 1) / 2) * _APART
    return {
        "line": point.line,
        "threshold": point.threshold,
        "place": round(point.threshold + beside, 6),
        "value": point.value,
        "low": point.low,
        "high": point.high,
        "shown": format_number(point.value),
        "interval": format_interval(point.low, point.high) or "none",
    }


def _describe(points: Sequence[SweepPoint], lines: Sequence[str], statistic: str) -> str:
    text = f"{statistic} of {counted(len(points), 'setting')} on {counted(len(lines), 'line')}"
    defined = [(point.value, point) for point in points if point.value is not None]
    if not defined:
        return f"{text}; all of them undefined."
    (highest, best), (lowest, worst) = (
        max(defined, key=lambda pair: pair[0]),
        min(defined, key=lambda pair: pair[0]),
    )
    missing = len(points) - len(defined)
    text = f"{text}, {missing} undefined" if missing else text
    return (
        f"{text}, from {format_number(lowest)} ({worst.line}, {worst.threshold:g})"
        f" to {format_number(highest)} ({best.line}, {best.threshold:g})."
    )
