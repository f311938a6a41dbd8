"""Reliability of a classifier: how often it is right where it is how sure."""

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
    nothing_to_draw,
    require_finite,
    sentence,
    table,
    title_block,
)

_COLUMNS = (
    Column("lowest", "Above", "number"),
    Column("highest", "To", "number"),
    Column("confidence", "Mean probability", "number"),
    Column("accuracy", "Right", "number"),
    Column("low", "Low", "number"),
    Column("high", "High", "number"),
    Column("n", "Texts", "count"),
)
_WIDTH, _HEIGHT = 380, 300


@dataclass(frozen=True)
class ConfidenceBin:
    """Texts whose predicted style has about one probability, and how many of them are right.

    `lowest` and `highest` bound the bin, `low` and `high` the interval of the accuracy.
    """

    lowest: float
    highest: float
    confidence: float
    accuracy: float
    n: int
    low: float | None = None
    high: float | None = None


def reliability_diagram(
    bins: Sequence[ConfidenceBin],
    *,
    title: str,
    subtitle: str = "",
    name: str = "reliability",
) -> Chart:
    """Draw the share of right predictions over their mean probability, beside the diagonal.

    Parameters
    ----------
    bins : sequence of ConfidenceBin
        Ascending; those without a text are left out by the caller.
    title, subtitle : str
        Lines over the picture.
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
        numbers = (each.lowest, each.highest, each.confidence, each.accuracy, each.low, each.high)
        require_finite("bin", numbers)
    if not bins:
        return nothing_to_draw(name, title, _COLUMNS, "No text was held out.")
    least = min(0.5, *(each.confidence for each in bins))
    lowest = min(least, *(each.accuracy if each.low is None else each.low for each in bins))
    x = _axis("confidence", "Mean probability", {"domain": [least, 1.0]})
    y = _axis("accuracy", "Right", {"domain": [lowest, 1.0]})
    diagonal = [{"confidence": end, "accuracy": end} for end in (least, 1.0)]
    spec: Spec = {
        "$schema": SCHEMA,
        "description": sentence(_describe(bins)),
        "title": title_block(title, subtitle, _WIDTH + 60),
        "width": _WIDTH,
        "height": _HEIGHT,
        "data": {"values": [_datum(each) for each in bins]},
        "encoding": {"x": x},
        "layer": [
            {
                "data": {"values": diagonal},
                "mark": {"type": "line", "style": "cross-interval", "strokeDash": [4, 4]},
                "encoding": {"x": x, "y": y},
            },
            {
                "transform": [{"filter": {"field": "low", "valid": True}}],
                "mark": {"type": "rule", "style": "cross-interval"},
                "encoding": {"y": y | {"field": "low"}, "y2": {"field": "high"}},
            },
            {"mark": {"type": "line", "style": "dot-interval"}, "encoding": {"y": y}},
            {
                "mark": {"type": "circle", "style": "dot", "size": 64, "opacity": 1},
                "encoding": {"y": y, "tooltip": _tooltip()},
            },
        ],
    }
    return Chart(name, title, spec["description"], spec, _COLUMNS, table(_COLUMNS, bins))


def _axis(field: str, label: str, scale: dict[str, Any]) -> dict[str, Any]:
    return {"field": field, "type": "quantitative", "title": label} | {
        "scale": scale,
        "axis": {"tickCount": 6, "gridOpacity": 0.6},
    }


def _tooltip() -> list[dict[str, Any]]:
    return [
        {"field": "range", "type": "nominal", "title": "Probability"},
        {"field": "accuracy", "type": "quantitative", "title": "Right", "format": ".3f"},
        {"field": "interval", "type": "nominal", "title": "Interval"},
        {"field": "n", "type": "quantitative", "title": "Texts"},
    ]


def _datum(each: ConfidenceBin) -> dict[str, Any]:
    return {column.key: getattr(each, column.key) for column in _COLUMNS} | {
        "range": format_interval(each.lowest, each.highest),
        "interval": format_interval(each.low, each.high) or "none",
    }


def _describe(bins: Sequence[ConfidenceBin]) -> str:
    furthest = max(bins, key=lambda each: abs(each.accuracy - each.confidence))
    return (
        f"How often the predicted style is right, in {counted(len(bins), 'bin')} of its "
        "probability; the dashed line is where a calibrated model would be. Furthest from it: "
        f"right {format_number(furthest.accuracy)} where sure to "
        f"{format_number(furthest.confidence)}, in {counted(furthest.n, 'text')}."
    )
