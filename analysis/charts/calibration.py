"""People's mean over bins of a metric's score: where a score means what."""

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
    linked,
    nothing_to_draw,
    require_finite,
    sentence,
    table,
    title_block,
)

_COLUMNS = (
    Column("metric", "Metric mean", "number"),
    Column("low", "Lowest score", "number"),
    Column("high", "Highest score", "number"),
    Column("human", "Human mean", "number"),
    Column("human_low", "Human low", "number"),
    Column("human_high", "Human high", "number"),
    Column("n", "n", "count"),
)
_WIDTH, _HEIGHT = 440, 280


@dataclass(frozen=True)
class ScoreBin:
    """Outputs with scores of about one size, and people's mean of them with its interval."""

    metric: float
    human: float
    low: float
    high: float
    n: int
    human_low: float | None = None
    human_high: float | None = None
    link: str = ""


def calibration_curve(
    bins: Sequence[ScoreBin],
    *,
    title: str,
    metric_label: str,
    human_label: str,
    subtitle: str = "",
    name: str = "calibration",
) -> Chart:
    """Draw people's mean over the mean score of each bin, with intervals.

    Parameters
    ----------
    bins : sequence of ScoreBin
        Ascending by the metric.
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
        require_finite("bin", (each.metric, each.human, each.low, each.high))
        require_finite("bin", (each.human_low, each.human_high))
    if not bins:
        return nothing_to_draw(name, title, _COLUMNS, "No output has both scores.")
    x = _axis("metric", metric_label)
    y = _axis("human", human_label)
    spec: Spec = {
        "$schema": SCHEMA,
        "description": sentence(_describe(bins, metric_label, human_label)),
        "title": title_block(title, subtitle, _WIDTH + 60),
        "width": _WIDTH,
        "height": _HEIGHT,
        "data": {"values": [_datum(each) for each in bins]},
        "encoding": {"x": x},
        "layer": [
            {
                "transform": [{"filter": {"field": "human_low", "valid": True}}],
                "mark": {"type": "rule", "style": "cross-interval"},
                "encoding": {"y": _axis("human_low", human_label), "y2": {"field": "human_high"}},
            },
            {"mark": {"type": "line", "style": "dot-interval"}, "encoding": {"y": y}},
            {
                "mark": {"type": "circle", "style": "dot", "size": 64, "opacity": 1},
                "encoding": {"y": y, "tooltip": _tooltip()} | linked(bins),
            },
        ],
    }
    return Chart(name, title, spec["description"], spec, _COLUMNS, table(_COLUMNS, bins))


def _axis(field: str, label: str) -> dict[str, Any]:
    return {"field": field, "type": "quantitative", "title": label} | {
        "scale": {"zero": False, "padding": 8},
        "axis": {"tickCount": 6, "gridOpacity": 0.6},
    }


def _tooltip() -> list[dict[str, Any]]:
    return [
        {"field": "range", "type": "nominal", "title": "Scores"},
        {"field": "human", "type": "quantitative", "title": "Human mean", "format": ".3f"},
        {"field": "interval", "type": "nominal", "title": "Interval"},
        {"field": "n", "type": "quantitative", "title": "n"},
    ]


def _datum(each: ScoreBin) -> dict[str, Any]:
    return {column.key: getattr(each, column.key) for column in _COLUMNS} | {
        "range": format_interval(each.low, each.high),
        "interval": format_interval(each.human_low, each.human_high) or "none",
        "link": each.link,
    }


def _describe(bins: Sequence[ScoreBin], metric_label: str, human_label: str) -> str:
    first, last = bins[0], bins[-1]
    text = f"{human_label} over {metric_label} in {counted(len(bins), 'bin')}"
    return (
        f"{text}: {format_number(first.human)} where the metric is lowest, "
        f"{format_number(last.human)} where it is highest."
    )
