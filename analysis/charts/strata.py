"""Dots with intervals: each metric's correlation in each stratum, one panel a metric."""

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
    linked,
    nothing_to_draw,
    require_finite,
    sentence,
    table,
    title_block,
)
from analysis.charts.theme import SHAPES

_COLUMNS = (
    Column("metric", "Metric"),
    Column("stratum", "Stratum"),
    Column("value", "Value", "number"),
    Column("low", "Low", "number"),
    Column("high", "High", "number"),
    Column("n", "n", "count"),
    Column("reason", "Undefined because"),
)
_WIDTH = 300
_ROW_HEIGHT = 20


@dataclass(frozen=True)
class StratumDot:
    """A metric's correlation in one stratum, or (`overall`) in all together."""

    metric: str
    stratum: str
    value: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    overall: bool = False
    reason: str = ""
    link: str = ""
    """Where a press on the dot leads, relative to the page."""


def stratum_dots(
    dots: Sequence[StratumDot],
    *,
    title: str,
    statistic: str,
    subtitle: str = "",
    name: str = "strata",
) -> Chart:
    """Draw one dot with its interval per stratum, the metrics one below the other.

    All panels share one axis, so that strata and metrics are compared by eye. Metrics and strata
    keep the order of the input; the dot over all strata is a ring.

    Parameters
    ----------
    dots : sequence of StratumDot
        At most one per metric and stratum.
    title, subtitle : str
        Lines over the picture.
    statistic : str
        Name of the number on the axis.
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
    if not dots:
        return nothing_to_draw(name, title, _COLUMNS, "There is no stratum to show.")
    for dot in dots:
        require_finite(f"{dot.metric}, {dot.stratum}", (dot.value, dot.low, dot.high))
    metrics = in_order(dot.metric for dot in dots)
    strata = in_order(dot.stratum for dot in dots)
    spec: Spec = {
        "$schema": SCHEMA,
        "description": sentence(_describe(dots, metrics, strata, statistic)),
        "title": title_block(title, subtitle, _WIDTH + 160),
        "data": {"values": [_datum(dot, metrics.index(dot.metric)) for dot in dots]},
        "facet": {
            "row": {
                "field": "metric",
                "type": "nominal",
                "sort": {"field": "panel", "op": "min"},
                "header": {"title": None, "labelAngle": 0, "labelAlign": "left"}
                | {"labelOrient": "top", "labelAnchor": "start", "labelPadding": 4},
            }
        },
        "spacing": 10,
        "spec": _panel(strata, statistic, linked(dots)),
    }
    return Chart(name, title, spec["description"], spec, _COLUMNS, table(_COLUMNS, dots))


def _datum(dot: StratumDot, panel: int) -> dict[str, Any]:
    shown = format_number(dot.value)
    if dot.value is None:
        shown = f"undefined{', because ' + dot.reason if dot.reason else ''}"
    return {
        "metric": dot.metric,
        "stratum": dot.stratum,
        "panel": panel,
        "value": dot.value,
        "low": dot.low,
        "high": dot.high,
        "n": dot.n,
        "overall": dot.overall,
        "shown": shown,
        "interval": format_interval(dot.low, dot.high) or "none",
        "link": dot.link,
    }


def _panel(strata: list[str], statistic: str, links: dict[str, Any]) -> dict[str, Any]:
    x = {
        "type": "quantitative",
        "title": statistic,
        "scale": {"zero": False, "nice": True, "padding": 8},
        "axis": {"tickCount": 6, "labelOverlap": "greedy", "labelSeparation": 6},
    }
    return {
        "width": _WIDTH,
        "height": {"step": _ROW_HEIGHT},
        "encoding": {
            "y": {
                "field": "stratum",
                "type": "nominal",
                "scale": {"domain": strata},
                "axis": {"title": None, "domain": False, "ticks": False, "labelPadding": 8},
            },
            "tooltip": [
                {"field": "metric", "type": "nominal", "title": "Metric"},
                {"field": "stratum", "type": "nominal", "title": "Stratum"},
                {"field": "shown", "type": "nominal", "title": "Value"},
                {"field": "interval", "type": "nominal", "title": "Interval"},
                {"field": "n", "type": "quantitative", "title": "n"},
            ],
        }
        | links,
        "layer": [
            {
                "transform": [{"filter": {"field": "low", "valid": True}}],
                "mark": {"type": "rule", "style": "dot-interval"},
                "encoding": {"x": x | {"field": "low"}, "x2": {"field": "high"}},
            },
            _dots(x, overall=False),
            _dots(x, overall=True),
            {
                "transform": [{"filter": {"not": {"field": "value", "valid": True}}}],
                "mark": {"type": "text", "style": "note", "align": "left"},
                "encoding": {"x": {"value": 4}, "text": {"value": "– undefined"}},
            },
        ],
    }


def _dots(x: dict[str, Any], *, overall: bool) -> dict[str, Any]:
    mark = {"type": "point", "style": "mean", "filled": False, "size": 60, "shape": SHAPES[3]}
    return {
        "transform": [
            {"filter": {"field": "value", "valid": True}},
            {"filter": {"field": "overall", "equal": overall}},
        ],
        "mark": mark
        if overall
        else {"type": "point", "style": "dot", "filled": True, "size": 60, "opacity": 1},
        "encoding": {"x": x | {"field": "value"}},
    }


def _describe(
    dots: Sequence[StratumDot], metrics: list[str], strata: list[str], statistic: str
) -> str:
    text = f"{statistic} of {counted(len(metrics), 'metric')}"
    parts = len(strata) - len({dot.stratum for dot in dots if dot.overall})
    text += f" in {counted(parts, 'stratum', 'strata')}"
    spreads = []
    for metric in metrics:
        known = [
            (dot.value, dot.stratum)
            for dot in dots
            if dot.metric == metric and dot.value is not None and not dot.overall
        ]
        if len(known) > 1:
            (low, worst), (high, best) = min(known), max(known)
            spreads.append((high - low, metric, low, worst, high, best))
    if spreads:
        _, metric, low, worst, high, best = max(spreads)
        text += (
            f"; furthest apart is {metric}, from {format_number(low)} ({worst}) "
            f"to {format_number(high)} ({best})"
        )
    missing = sum(dot.value is None for dot in dots)
    return f"{text}; {missing} undefined." if missing else f"{text}."
