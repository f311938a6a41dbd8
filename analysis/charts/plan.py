"""Curves of a planned study: what each number of segments reaches, a line a number of raters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analysis.charts.chart import (
    SCHEMA,
    Chart,
    Column,
    Spec,
    counted,
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
    Column("raters", "Raters", "count"),
    Column("segments", "Segments", "count"),
    Column("value", "Value", "number"),
)
_WIDTH, _HEIGHT = 460, 280


@dataclass(frozen=True)
class PlanPoint:
    """What a study of this size is expected to have, None where undefined."""

    segments: int
    raters: int
    value: float | None


def plan_curves(
    points: Sequence[PlanPoint],
    *,
    title: str,
    reached: str,
    wanted: float,
    subtitle: str = "",
    name: str = "plan",
) -> Chart:
    """Draw one line per number of raters over the number of segments, and what is wanted.

    Parameters
    ----------
    points : sequence of PlanPoint
        In any order.
    title, subtitle : str
        Lines over the picture.
    reached : str
        Name of the number on the vertical axis.
    wanted : float
        Drawn as a level line.
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
        return nothing_to_draw(name, title, _COLUMNS, "There is no plan to show.")
    for point in points:
        require_finite(f"{point.segments}, {point.raters}", (point.value, wanted))
    lines = in_order(_line(point) for point in points)
    sizes = sorted({point.segments for point in points})
    count = len(lines)
    scales = {
        "color": {"domain": lines},
        "strokeDash": {"domain": lines, "range": [DASHES[i % len(DASHES)] for i in range(count)]},
        "shape": {"domain": lines, "range": [SHAPES[i % len(SHAPES)] for i in range(count)]},
    }
    legend = {"title": None, "orient": "bottom", "direction": "horizontal", "columns": 4}
    told = {
        channel: {"field": "line", "type": "nominal", "scale": scale, "legend": legend}
        for channel, scale in scales.items()
    }
    x = {"field": "segments", "type": "quantitative", "title": "Segments"} | {
        "scale": {"type": "log", "domain": [sizes[0] / 1.1, sizes[-1] * 1.1], "nice": False},
        "axis": {"values": sizes, "grid": False, "format": ",d", "labelOverlap": "greedy"},
    }
    y = {"field": "value", "type": "quantitative", "title": reached}
    spec: Spec = {
        "$schema": SCHEMA,
        "description": sentence(_describe(points, lines, reached, wanted)),
        "title": title_block(title, subtitle, _WIDTH + 80),
        "width": _WIDTH,
        "height": _HEIGHT,
        "data": {"values": [_datum(point) for point in points]},
        "layer": [
            {
                "mark": {"type": "rule", "style": "whisker", "strokeDash": [4, 3]},
                "encoding": {"y": {"datum": wanted}},
            },
            {
                "mark": {"type": "line", "strokeWidth": 1.8},
                "encoding": {"x": x, "y": y}
                | {"color": told["color"], "strokeDash": told["strokeDash"]},
            },
            {
                "transform": [{"filter": {"field": "value", "valid": True}}],
                "mark": {"type": "point", "filled": True, "size": 45, "opacity": 1},
                "encoding": {
                    "x": x,
                    "y": y,
                    "color": told["color"],
                    "shape": told["shape"],
                    "tooltip": [
                        {"field": "line", "type": "nominal", "title": "Raters"},
                        {"field": "segments", "type": "quantitative", "title": "Segments"},
                        {"field": "shown", "type": "nominal", "title": "Value"},
                    ],
                },
            },
        ],
    }
    return Chart(name, title, spec["description"], spec, _COLUMNS, table(_COLUMNS, points))


def _line(point: PlanPoint) -> str:
    return counted(point.raters, "rater")


def _datum(point: PlanPoint) -> dict[str, Any]:
    return {
        "line": _line(point),
        "segments": point.segments,
        "value": point.value,
        "shown": format_number(point.value),
    }


def _describe(
    points: Sequence[PlanPoint], lines: Sequence[str], reached: str, wanted: float
) -> str:
    sizes = [point.segments for point in points]
    text = (
        f"{reached} of studies with {min(sizes)} to {max(sizes)} segments for "
        f"{counted(len(lines), 'number')} of raters; wanted is {format_number(wanted)}"
    )
    known = [(point.value, point) for point in points if point.value is not None]
    if not known:
        return f"{text}; all of them undefined."
    (low, _), (high, _) = (
        min(known, key=lambda pair: pair[0]),
        max(known, key=lambda pair: pair[0]),
    )
    text += f"; from {format_number(low)} to {format_number(high)}"
    missing = len(points) - len(known)
    return f"{text}; {missing} undefined." if missing else f"{text}."
