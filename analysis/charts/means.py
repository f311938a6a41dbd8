"""Dot plot of human system means, one panel per aspect."""

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

_COLUMNS = (
    Column("system", "System"),
    Column("aspect", "Aspect"),
    Column("mean", "Mean", "number"),
    Column("low", "Low", "number"),
    Column("high", "High", "number"),
    Column("n", "n", "count"),
    Column("reason", "Undefined because"),
)
_PANEL_WIDTH = 190
_ROW_HEIGHT = 20
_MOST_IN_ROW = 4
"""Panels side by side; more of them would not fit a page."""


@dataclass(frozen=True)
class SystemMean:
    """Mean human score of one system on one aspect, None where undefined."""

    system: str
    aspect: str
    mean: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    reason: str = ""
    link: str = ""


def system_means(
    means: Sequence[SystemMean],
    *,
    title: str,
    score: str,
    subtitle: str = "",
    domain: tuple[float, float] | None = None,
    name: str = "system-means",
    panel: str = "aspect",
    shared_axis: bool = True,
) -> Chart:
    """Draw one dot per system and aspect with its interval; best systems on top.

    Systems stand in the order of their average over the aspects, the same in every panel; systems
    without any score come last. Where scales differ, what is averaged is the share of systems that
    a system exceeds.

    Parameters
    ----------
    means : sequence of SystemMean
        At most one per system and aspect.
    title, subtitle : str
        Lines over the picture.
    score : str
        What is averaged, for the axis, such as ``mean rating, 0–100`` or ``mean z-score``.
    domain : (float, float), optional
        Range of the axis; without it, what the values and intervals need.
    name : str
        Name of the chart for files and element ids.
    panel : str
        What a panel stands for.
    shared_axis : bool
        Whether all means are on one scale; otherwise each panel has its own axis.

    Returns
    -------
    Chart

    Raises
    ------
    ValueError
        If a value is NaN or infinite.
    """
    if not means:
        return nothing_to_draw(name, title, _COLUMNS, "There is no human score to show.")
    for mean in means:
        require_finite(f"{mean.system}, {mean.aspect}", (mean.mean, mean.low, mean.high))
    systems = _best_first(means, shared_axis=shared_axis)
    aspects = in_order(mean.aspect for mean in means)
    spec: Spec = {
        "$schema": SCHEMA,
        "description": sentence(_describe(means, systems, aspects, score, panel)),
        "title": title_block(title, subtitle, 120 + _PANEL_WIDTH * min(len(aspects), _MOST_IN_ROW)),
        "data": {"values": [_datum(mean, aspects.index(mean.aspect)) for mean in means]},
        **_panels(len(aspects)),
        "spec": _panel(systems, score, domain, linked(means)),
    }
    if not shared_axis:
        spec["resolve"] = {"scale": {"x": "independent"}}
    return Chart(name, title, spec["description"], spec, _COLUMNS, table(_COLUMNS, means))


def _panels(count: int) -> dict[str, Any]:
    """Return the facets: one row of panels, or several of equal length."""
    field = {
        "field": "aspect",
        "type": "nominal",
        "sort": {"field": "panel", "op": "min"},
        "header": {"title": None},
    }
    if count > _MOST_IN_ROW:
        return {"facet": field, "columns": _MOST_IN_ROW}
    return {"facet": {"column": field}}


def _best_first(means: Sequence[SystemMean], *, shared_axis: bool) -> list[str]:
    """Return systems by falling average over the aspects; without any score, at the end."""
    of_aspect: dict[str, list[float]] = {}
    for mean in means:
        if mean.mean is not None:
            of_aspect.setdefault(mean.aspect, []).append(mean.mean)
    scores: dict[str, list[float]] = {mean.system: [] for mean in means}
    for mean in means:
        if mean.mean is not None:
            all_means = of_aspect[mean.aspect]
            exceeded = sum(other < mean.mean for other in all_means) / len(all_means)
            scores[mean.system].append(mean.mean if shared_axis else exceeded)
    return sorted(
        scores,
        key=lambda system: (
            not scores[system],
            -sum(scores[system]) / len(scores[system]) if scores[system] else 0.0,
        ),
    )


def _datum(mean: SystemMean, panel: int) -> dict[str, Any]:
    shown = format_number(mean.mean)
    if mean.mean is None:
        shown = f"undefined{', because ' + mean.reason if mean.reason else ''}"
    return {
        "system": mean.system,
        "aspect": mean.aspect,
        "panel": panel,
        "mean": mean.mean,
        "low": mean.low,
        "high": mean.high,
        "shown": shown,
        "interval": format_interval(mean.low, mean.high) or "none",
        "n": mean.n,
        "link": mean.link,
    }


def _panel(
    systems: list[str],
    score: str,
    domain: tuple[float, float] | None,
    links: dict[str, Any],
) -> dict[str, Any]:
    scale: dict[str, Any] = {"zero": False, "nice": domain is None}
    if domain is not None:
        scale["domain"] = list(domain)
    axis = {"tickCount": 4, "labelOverlap": "greedy", "labelSeparation": 6}
    return {
        "width": _PANEL_WIDTH,
        "height": {"step": _ROW_HEIGHT},
        "encoding": {
            "y": {
                "field": "system",
                "type": "nominal",
                "scale": {"domain": systems},
                "axis": {"title": None, "domain": False, "ticks": False, "grid": True}
                | {"gridOpacity": 0.6, "labelPadding": 8},
            },
            "tooltip": [
                {"field": "system", "type": "nominal", "title": "System"},
                {"field": "aspect", "type": "nominal", "title": "Aspect"},
                {"field": "shown", "type": "nominal", "title": "Mean"},
                {"field": "interval", "type": "nominal", "title": "Interval"},
                {"field": "n", "type": "quantitative", "title": "n"},
            ],
        },
        "layer": [
            {
                "transform": [{"filter": {"field": "low", "valid": True}}],
                "mark": {"type": "rule", "style": "dot-interval"},
                "encoding": {
                    "x": {"field": "low", "type": "quantitative", "title": score}
                    | {"scale": scale, "axis": axis},
                    "x2": {"field": "high"},
                },
            },
            {
                "transform": [{"filter": {"field": "mean", "valid": True}}],
                "mark": {"type": "circle", "style": "dot", "size": 60, "opacity": 1},
                "encoding": {
                    "x": {"field": "mean", "type": "quantitative", "title": score}
                    | {"scale": scale, "axis": axis}
                }
                | links,
            },
            {
                "transform": [{"filter": {"not": {"field": "mean", "valid": True}}}],
                "mark": {"type": "text", "style": "note", "align": "left"},
                "encoding": {"x": {"value": 4}, "text": {"value": "– undefined"}},
            },
        ],
    }


def _describe(
    means: Sequence[SystemMean], systems: list[str], aspects: list[str], score: str, panel: str
) -> str:
    text = f"{score} of {counted(len(systems), 'system')} on {counted(len(aspects), panel)}"
    for aspect in aspects[:6]:
        known = [(m.mean, m.system) for m in means if m.aspect == aspect and m.mean is not None]
        if known:
            value, best = max(known)
            text += f"; highest on {aspect}: {best} ({format_number(value)})"
    missing = sum(mean.mean is None for mean in means)
    return f"{text}; {missing} undefined." if missing else f"{text}."
