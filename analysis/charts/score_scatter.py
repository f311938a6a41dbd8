"""Outputs by metric score and human score: circles as large as their number, and both margins."""

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
    linked,
    nothing_to_draw,
    require_finite,
    sentence,
    table,
    title_block,
)

_COLUMNS = (
    Column("metric_low", "Metric from", "number"),
    Column("metric_high", "Metric to", "number"),
    Column("human_low", "Human from", "number"),
    Column("human_high", "Human to", "number"),
    Column("n", "Outputs", "count"),
)
_WIDTH, _HEIGHT, _MARGIN = 400, 320, 56


@dataclass(frozen=True)
class OutputBin:
    """Number of outputs whose scores lie in these ranges."""

    metric_low: float
    metric_high: float
    human_low: float
    human_high: float
    n: int
    link: str = ""


def score_scatter(
    bins: Sequence[OutputBin],
    *,
    title: str,
    metric_label: str,
    human_label: str,
    subtitle: str = "",
    name: str = "score-scatter",
) -> Chart:
    """Draw outputs by both scores, in bins, with a histogram of each score at its margin.

    Parameters
    ----------
    bins : sequence of OutputBin
        Bins with outputs; each range of a score has the same limits throughout.
    title, subtitle : str
        Lines over the picture.
    metric_label, human_label : str
        Titles of the axes.
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
    for each in bins:
        require_finite("bin", (each.metric_low, each.metric_high))
        require_finite("bin", (each.human_low, each.human_high))
    if not bins:
        return nothing_to_draw(name, title, _COLUMNS, "No output has both scores.")
    x = _scale(min(b.metric_low for b in bins), max(b.metric_high for b in bins))
    y = _scale(min(b.human_low for b in bins), max(b.human_high for b in bins))
    spec: Spec = {
        "$schema": SCHEMA,
        "description": sentence(_describe(bins, metric_label, human_label)),
        "title": title_block(title, subtitle, _WIDTH + 60),
        "data": {"values": [_datum(each) for each in bins]},
        "spacing": 6,
        "bounds": "flush",
        "vconcat": [
            {
                "width": _WIDTH,
                "height": _MARGIN,
                "mark": {"type": "bar", "style": "bar", "binSpacing": 1},
                "encoding": {
                    "x": _bound("metric_low", x, axis=None),
                    "x2": {"field": "metric_high"},
                    "y": _count(),
                },
            },
            {
                "spacing": 6,
                "bounds": "flush",
                "hconcat": [
                    _circles(x, y, metric_label, human_label, linked(bins)),
                    {
                        "width": _MARGIN,
                        "height": _HEIGHT,
                        "mark": {"type": "bar", "style": "bar", "binSpacing": 1},
                        "encoding": {
                            "y": _bound("human_low", y, axis=None),
                            "y2": {"field": "human_high"},
                            "x": _count(),
                        },
                    },
                ],
            },
        ],
    }
    return Chart(name, title, spec["description"], spec, _COLUMNS, table(_COLUMNS, bins))


def _circles(
    x: dict[str, Any],
    y: dict[str, Any],
    metric_label: str,
    human_label: str,
    links: dict[str, Any],
) -> dict[str, Any]:
    axis = {"tickCount": 6, "gridOpacity": 0.6}
    size = {
        "field": "n",
        "type": "quantitative",
        "scale": {"range": [6, 220], "zero": True},
        "legend": {"title": "Outputs", "orient": "bottom", "tickCount": 3},
    }
    return {
        "width": _WIDTH,
        "height": _HEIGHT,
        "mark": {"type": "circle", "style": "dot", "opacity": 0.75},
        "encoding": {
            "x": {"field": "metric", "type": "quantitative", "scale": x}
            | {"title": metric_label, "axis": axis},
            "y": {"field": "human", "type": "quantitative", "scale": y}
            | {"title": human_label, "axis": axis},
            "size": size,
            "tooltip": [
                {"field": "metric_range", "type": "nominal", "title": "Metric"},
                {"field": "human_range", "type": "nominal", "title": "People"},
                {"field": "n", "type": "quantitative", "title": "Outputs"},
            ],
        }
        | links,
    }


def _scale(low: float, high: float) -> dict[str, Any]:
    margin = 0.0 if high > low else 0.5
    return {"domain": [low - margin, high + margin], "nice": False, "zero": False}


def _bound(field: str, scale: dict[str, Any], axis: None) -> dict[str, Any]:
    return {"field": field, "type": "quantitative", "scale": scale, "axis": axis}


def _count() -> dict[str, Any]:
    return {"aggregate": "sum", "field": "n", "type": "quantitative", "axis": None}


def _datum(each: OutputBin) -> dict[str, Any]:
    return {column.key: getattr(each, column.key) for column in _COLUMNS} | {
        "metric": (each.metric_low + each.metric_high) / 2,
        "human": (each.human_low + each.human_high) / 2,
        "metric_range": format_interval(each.metric_low, each.metric_high),
        "human_range": format_interval(each.human_low, each.human_high),
        "link": each.link,
    }


def _describe(bins: Sequence[OutputBin], metric_label: str, human_label: str) -> str:
    fullest = max(bins, key=lambda each: each.n)
    return (
        f"{human_label} over {metric_label} for {counted(sum(b.n for b in bins), 'output')}; most, "
        f"{fullest.n}, at {format_interval(fullest.metric_low, fullest.metric_high)} of the metric "
        f"and {format_interval(fullest.human_low, fullest.human_high)} of people."
    )
