"""How a metric's correlation changes when only the best or only the worst systems are compared."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

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
from analysis.charts.labels import LABEL_HEIGHT, spread
from analysis.charts.theme import DASHES, SHAPES

End = Literal["top", "last"]

_COLUMNS = (
    Column("end", "Systems kept"),
    Column("systems", "Systems", "count"),
    Column("metric", "Metric"),
    Column("compared_to", "Compared to"),
    Column("value", "Value", "number"),
    Column("low", "Low", "number"),
    Column("high", "High", "number"),
    Column("n", "n", "count"),
    Column("reason", "Undefined because"),
)
_OF_STRATA = tuple(
    replace(column, label="Stratum") if column.key == "metric" else column
    for column in _COLUMNS
    if column.key != "compared_to"
)
_PLURALS = {"metric": "metrics", "stratum": "strata"}
_WIDTH = 250
_PANELS: tuple[tuple[End, str], ...] = (("top", "Top N systems"), ("last", "Last N systems"))
_MOST_SYSTEMS_WITH_POINTS = 24


@dataclass(frozen=True)
class CurvePoint:
    """A metric's correlation over the best (`top`) or worst (`last`) `systems` systems."""

    metric: str
    end: End
    systems: int
    value: float | None
    compared_to: str = ""
    low: float | None = None
    high: float | None = None
    n: int | None = None
    reason: str = ""
    link: str = ""


def top_last_curves(
    points: Sequence[CurvePoint],
    *,
    title: str,
    statistic: str,
    subtitle: str = "",
    bands: bool = False,
    things: str = "metric",
    name: str = "top-last-curves",
) -> Chart:
    """Draw one line per metric over the number of systems, from all down to three.

    Two panels share their axes: the N systems that people rate best on the left, worst on the
    right. Lines differ in colour, dash and point shape and carry their names, so that grey print
    reads too.

    Parameters
    ----------
    points : sequence of CurvePoint
        In any order; an undefined value leaves a gap in its line.
    title, subtitle : str
        Lines over the picture.
    statistic : str
        Name of the number on the vertical axis.
    bands : bool
        Whether confidence intervals are drawn as bands, their edges dashed as the line is; of use
        with few lines.
    things : {"metric", "stratum"}
        What a line stands for, in `CurvePoint.metric`.
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
        return nothing_to_draw(name, title, _COLUMNS, "There is no curve to show.")
    columns = _COLUMNS if things == "metric" else _OF_STRATA
    for point in points:
        require_finite(
            f"{_line(point)}, {point.end} {point.systems}", (point.value, point.low, point.high)
        )
    lines = in_order(_line(point) for point in points)
    height = max(260, int(LABEL_HEIGHT * len(lines)) + 20)
    domain = _vertical_domain(points, bands)
    spec: Spec = {
        "$schema": SCHEMA,
        "description": sentence(_describe(points, lines, statistic, things)),
        "title": title_block(title, subtitle, 2 * _WIDTH + 200),
        "params": [
            {
                "name": "pointed_at",
                "select": {"type": "point", "fields": ["line"], "on": "pointerover"}
                | {"clear": "pointerout"},
                "views": [end for end, _ in _PANELS],
            }
        ],
        "data": {"values": [_datum(point) for point in points]},
        "hconcat": [
            _panel(points, end, label, lines, height, domain, statistic, bands)
            for end, label in _PANELS
        ],
    }
    return Chart(name, title, spec["description"], spec, columns, table(columns, points))


def _line(point: CurvePoint) -> str:
    return f"{point.metric} · {point.compared_to}" if point.compared_to else point.metric


def _datum(point: CurvePoint) -> dict[str, Any]:
    return {
        "line": _line(point),
        "end": point.end,
        "systems": point.systems,
        "value": point.value,
        "low": point.low,
        "high": point.high,
        "interval": format_interval(point.low, point.high) or "none",
        "n": point.n,
        "link": point.link,
    }


def _vertical_domain(points: Sequence[CurvePoint], bands: bool) -> tuple[float, float]:
    """Return a range in steps of a tenth that holds every value (and band) that is drawn."""
    values = [point.value for point in points if point.value is not None]
    if bands:
        values += [v for point in points for v in (point.low, point.high) if v is not None]
    if not values:
        return (-1.0, 1.0)
    low, high = math.floor(min(values) * 10), math.ceil(max(values) * 10)
    if high - low < 2:
        low, high = low - 1, high + 1
    return (low / 10, high / 10)


def _panel(
    points: Sequence[CurvePoint],
    end: End,
    label: str,
    lines: list[str],
    height: int,
    domain: tuple[float, float],
    statistic: str,
    bands: bool,
) -> dict[str, Any]:
    most, fewest = max(p.systems for p in points), min(p.systems for p in points)
    x = {
        "field": "systems",
        "type": "quantitative",
        "title": "N",
        "scale": {"domain": [most, fewest], "nice": False, "zero": False},
        "axis": {"values": _ticks(most, fewest), "grid": False, "format": "d"},
    }
    y = {
        "field": "value",
        "type": "quantitative",
        "title": statistic if end == "top" else None,
        "scale": {"domain": list(domain), "nice": False, "zero": False},
    }
    layers = _band_layers(end, x, lines) if bands else []
    if domain[0] < 0:
        layers.append({"mark": {"type": "rule", "style": "zero"}, "encoding": {"y": {"datum": 0}}})
    with_points = most - fewest < _MOST_SYSTEMS_WITH_POINTS
    layers.append(_line_layer(end, x, y, lines, with_points, linked(points)))
    layers.extend(_name_layers(points, end, x, y, lines, height, domain))
    return {"title": {"text": label, "fontSize": 12}, "width": _WIDTH, "height": height} | {
        "layer": layers
    }


def _ticks(most: int, fewest: int) -> list[int]:
    """Return at most about ten tick values, both ends included."""
    step = max(1, -(-(most - fewest) // 9))
    inner = [value for value in range(most, fewest, -step) if value - fewest >= step]
    return in_order([most, *inner, fewest])


def _color(lines: list[str]) -> dict[str, Any]:
    return {"field": "line", "type": "nominal", "scale": {"domain": lines}, "legend": None}


def _faded_unless_pointed_at() -> dict[str, Any]:
    return {"condition": {"param": "pointed_at", "value": 1}, "value": 0.15}


def _band_layers(end: End, x: dict[str, Any], lines: list[str]) -> list[dict[str, Any]]:
    """Return the bands, faint, and their edges in the dashes of the lines, for print in grey."""
    within = [
        {"filter": {"field": "end", "equal": end}},
        {"filter": {"field": "low", "valid": True}},
    ]
    band = {
        "transform": within,
        "mark": {"type": "area", "opacity": 0.1},
        "encoding": {
            "x": x,
            "y": {"field": "low", "type": "quantitative"},
            "y2": {"field": "high"},
            "color": _color(lines),
        },
    }
    edges = [
        {
            "transform": within,
            "mark": {"type": "line", "strokeWidth": 0.7, "opacity": 0.75},
            "encoding": {
                "x": x,
                "y": {"field": edge, "type": "quantitative"},
                "color": _color(lines),
                "strokeDash": _dashed(lines),
            },
        }
        for edge in ("low", "high")
    ]
    return [band, *edges]


def _dashed(lines: list[str]) -> dict[str, Any]:
    dashes = [DASHES[index % len(DASHES)] for index in range(len(lines))]
    return {"field": "line", "type": "nominal", "legend": None} | {
        "scale": {"domain": lines, "range": dashes}
    }


def _line_layer(
    end: End,
    x: dict[str, Any],
    y: dict[str, Any],
    lines: list[str],
    with_points: bool,
    links: dict[str, Any],
) -> dict[str, Any]:
    shapes = [SHAPES[index % len(SHAPES)] for index in range(len(lines))]
    encoding = {
        "x": x,
        "y": y,
        "color": _color(lines),
        "opacity": _faded_unless_pointed_at(),
    }
    shape = {"field": "line", "type": "nominal", "legend": None} | {
        "scale": {"domain": lines, "range": shapes}
    }
    tooltip = [
        {"field": "line", "type": "nominal", "title": "Line"},
        {"field": "systems", "type": "quantitative", "title": "Systems"},
        {"field": "value", "type": "quantitative", "title": "Value", "format": ".3f"},
        {"field": "interval", "type": "nominal", "title": "Interval"},
        {"field": "n", "type": "quantitative", "title": "n"},
    ]
    mark = {"type": "point", "filled": True, "size": 42 if with_points else 8, "opacity": 1}
    return {
        "transform": [{"filter": {"field": "end", "equal": end}}],
        "layer": [
            {
                "mark": {
                    "type": "line",
                    "strokeWidth": 1.8,
                    "invalid": "break-paths-filter-domains",
                },
                "encoding": encoding | {"strokeDash": _dashed(lines)},
            },
            {
                "name": end,
                "transform": [{"filter": {"field": "value", "valid": True}}],
                "mark": mark,
                "encoding": encoding | {"shape": shape, "tooltip": tooltip} | links,
            },
        ],
    }


def _name_layers(
    points: Sequence[CurvePoint],
    end: End,
    x: dict[str, Any],
    y: dict[str, Any],
    lines: list[str],
    height: int,
    domain: tuple[float, float],
) -> list[dict[str, Any]]:
    """Return the names at the right end of the lines, moved apart, with thin leaders."""
    last: dict[str, CurvePoint] = {}
    for point in points:
        if point.end == end and point.value is not None:
            known = last.get(_line(point))
            if known is None or point.systems < known.systems:
                last[_line(point)] = point
    if not last:
        return [{"data": {"values": [{"text": "undefined"}]}} | _centred_note()]
    unit = (domain[1] - domain[0]) / height
    places = spread([point.value or 0.0 for point in last.values()], LABEL_HEIGHT * unit, *domain)
    values = [
        {"line": line, "systems": point.systems, "value": point.value, "place": place}
        for (line, point), place in zip(last.items(), places, strict=True)
    ]
    place_y = y | {"field": "place"}
    return [
        {
            "data": {"values": values},
            "mark": {"type": "rule", "style": "leader"},
            "encoding": {"x": x, "y": y, "x2": {"value": _WIDTH + 14}, "y2": {"field": "place"}},
        },
        {
            "data": {"values": values},
            "mark": {"type": "text", "style": "label", "align": "left", "dx": 4},
            "encoding": {
                "x": {"value": _WIDTH + 14},
                "y": place_y,
                "text": {"field": "line", "type": "nominal"},
                "color": _color(lines),
                "opacity": _faded_unless_pointed_at(),
            },
        },
    ]


def _centred_note() -> dict[str, Any]:
    return {
        "mark": {"type": "text", "style": "note"},
        "encoding": {"text": {"field": "text", "type": "nominal"}},
    }


def _describe(points: Sequence[CurvePoint], lines: list[str], statistic: str, things: str) -> str:
    most, fewest = max(p.systems for p in points), min(p.systems for p in points)
    text = (
        f"{statistic} of {counted(len(lines), things, _PLURALS[things])} over the top N and the "
        f"last N systems, "
        f"N from {most} to {fewest}"
    )
    ends = [(line, _ends(points, line)) for line in lines]
    falls = [(line, first, final) for line, (first, final) in ends if first.systems > final.systems]
    if falls:
        line, first, final = min(falls, key=lambda fall: _at(fall[2]) - _at(fall[1]))
        text += (
            f"; over the top systems {line} falls most, from {format_number(first.value)} "
            f"(N = {first.systems}) to {format_number(final.value)} (N = {final.systems})"
            if _at(final) < _at(first)
            else f"; over the top systems no {things} falls"
        )
    missing = sum(point.value is None for point in points)
    return f"{text}; {missing} undefined." if missing else f"{text}."


def _ends(points: Sequence[CurvePoint], line: str) -> tuple[CurvePoint, CurvePoint]:
    """Return the points of a line among the most and among the fewest top systems."""
    defined = [
        point
        for point in points
        if point.end == "top" and point.value is not None and _line(point) == line
    ]
    if not defined:
        nowhere = CurvePoint(line, "top", 0, None)
        return nowhere, nowhere
    return max(defined, key=_size), min(defined, key=_size)


def _size(point: CurvePoint) -> int:
    return point.systems


def _at(point: CurvePoint) -> float:
    return point.value or 0.0
