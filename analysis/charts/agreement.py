"""Bars of agreement between raters, per batch and overall."""

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

_COLUMNS = (
    Column("batch", "Batch"),
    Column("aspect", "Aspect"),
    Column("value", "Value", "number"),
    Column("low", "Low", "number"),
    Column("high", "High", "number"),
    Column("n", "n", "count"),
    Column("reason", "Undefined because"),
)
_PANEL_WIDTH = 180
_ROW_HEIGHT = 24


@dataclass(frozen=True)
class AgreementBar:
    """Agreement in one batch (or overall) on one aspect, None where undefined."""

    batch: str
    value: float | None
    aspect: str = ""
    low: float | None = None
    high: float | None = None
    n: int | None = None
    overall: bool = False
    reason: str = ""


def agreement_bars(
    bars: Sequence[AgreementBar],
    *,
    title: str,
    statistic: str,
    subtitle: str = "",
    name: str = "agreement",
) -> Chart:
    """Draw agreement per batch and overall, one panel per aspect, with intervals.

    Batches keep the order of the input; overall bars are darker. The axis always shows 0 and 1.

    Parameters
    ----------
    bars : sequence of AgreementBar
        At most one per batch and aspect.
    title, subtitle : str
        Lines over the picture.
    statistic : str
        Name of the number, such as ``Krippendorff's alpha, interval``.
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
    if not bars:
        return nothing_to_draw(name, title, _COLUMNS, "There is no agreement to show.")
    for bar in bars:
        require_finite(f"{bar.batch}, {bar.aspect}", (bar.value, bar.low, bar.high))
    batches, aspects = in_order(b.batch for b in bars), in_order(b.aspect for b in bars)
    lowest = min(v for b in bars for v in (0.0, b.value, b.low) if v is not None)
    highest = max(v for b in bars for v in (1.0, b.value, b.high) if v is not None)
    spec: Spec = {
        "$schema": SCHEMA,
        "description": sentence(_describe(bars, batches, aspects, statistic)),
        "title": title_block(title, subtitle, 120 + _PANEL_WIDTH * len(aspects)),
        "data": {"values": [_datum(bar, aspects.index(bar.aspect)) for bar in bars]},
        "facet": {
            "column": {
                "field": "aspect",
                "type": "nominal",
                "sort": {"field": "panel", "op": "min"},
                "header": {"title": None},
            }
        },
        "spec": _panel(batches, statistic, (lowest, highest)),
    }
    return Chart(name, title, spec["description"], spec, _COLUMNS, table(_COLUMNS, bars))


def _datum(bar: AgreementBar, panel: int) -> dict[str, Any]:
    shown = format_number(bar.value)
    if bar.value is None:
        shown = f"undefined{', because ' + bar.reason if bar.reason else ''}"
    return {
        "batch": bar.batch,
        "aspect": bar.aspect,
        "panel": panel,
        "value": bar.value,
        "low": bar.low,
        "high": bar.high,
        "overall": bar.overall,
        "cell": format_number(bar.value, 2),
        "shown": shown,
        "interval": format_interval(bar.low, bar.high) or "none",
        "n": bar.n,
        # The number stands right of whatever reaches farthest: the bar or its interval.
        "reach": max(v for v in (0.0, bar.value, bar.high) if v is not None),
    }


def _panel(batches: list[str], statistic: str, domain: tuple[float, float]) -> dict[str, Any]:
    x = {
        "field": "value",
        "type": "quantitative",
        "title": statistic,
        "scale": {"domain": list(domain), "nice": True},
        "axis": {"tickCount": 4, "labelOverlap": "greedy", "labelSeparation": 6},
    }
    defined = {"filter": {"field": "value", "valid": True}}
    return {
        "width": _PANEL_WIDTH,
        "height": {"step": _ROW_HEIGHT},
        "encoding": {
            "y": {
                "field": "batch",
                "type": "nominal",
                "scale": {"domain": batches},
                "axis": {"title": None, "domain": False, "ticks": False, "labelPadding": 8},
            },
            "tooltip": [
                {"field": "batch", "type": "nominal", "title": "Batch"},
                {"field": "aspect", "type": "nominal", "title": "Aspect"},
                {"field": "shown", "type": "nominal", "title": "Value"},
                {"field": "interval", "type": "nominal", "title": "Interval"},
                {"field": "n", "type": "quantitative", "title": "n"},
            ],
        },
        "layer": [
            *(_bar_layer(overall, defined, x) for overall in (False, True)),
            {
                "transform": [{"filter": {"field": "low", "valid": True}}],
                "mark": {"type": "rule", "style": "whisker"},
                "encoding": {"x": x | {"field": "low"}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "text", "style": "label", "align": "left", "dx": 5},
                "encoding": {
                    "x": x | {"field": "reach"},
                    "text": {"field": "cell", "type": "nominal"},
                },
            },
        ],
    }


def _bar_layer(overall: bool, defined: dict[str, Any], x: dict[str, Any]) -> dict[str, Any]:
    return {
        "transform": [defined, {"filter": {"field": "overall", "equal": overall}}],
        "mark": {
            "type": "bar",
            "style": "bar-overall" if overall else "bar",
            "height": {"band": 0.62},
        },
        "encoding": {"x": x},
    }


def _describe(
    bars: Sequence[AgreementBar], batches: list[str], aspects: list[str], statistic: str
) -> str:
    text = f"{statistic} for {counted(len(batches), 'batch', 'batches')}"
    if aspects != [""]:
        text += f" and {counted(len(aspects), 'aspect')}"
    known = [(bar.value, bar) for bar in bars if bar.value is not None]
    if not known:
        return f"{text}; all of them undefined."
    low, high = min(known, key=lambda pair: pair[0]), max(known, key=lambda pair: pair[0])
    text += (
        f", from {format_number(low[0])} ({_where(low[1])})"
        f" to {format_number(high[0])} ({_where(high[1])})"
    )
    missing = len(bars) - len(known)
    return f"{text}; {missing} undefined." if missing else f"{text}."


def _where(bar: AgreementBar) -> str:
    return ", ".join(filter(None, (bar.batch, bar.aspect)))
