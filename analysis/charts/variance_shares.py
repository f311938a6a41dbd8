"""Stacked bars: how much of the variance of ratings comes from where, one bar an aspect."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analysis.charts.chart import (
    SCHEMA,
    Chart,
    Column,
    Spec,
    counted,
    in_order,
    nothing_to_draw,
    require_finite,
    sentence,
    table,
    title_block,
)

_COLUMNS = (
    Column("aspect", "Aspect"),
    Column("source", "Source"),
    Column("share", "Share", "number"),
    Column("estimate", "Variance", "number"),
)
_WIDTH = 460
_BAR_HEIGHT = 30
_NARROWEST_LABELLED = 0.045
"""Share of the bar that the number of a source fits into."""


@dataclass(frozen=True)
class VarianceShare:
    """One source's share of the variance of an aspect's ratings, and the estimate behind it."""

    aspect: str
    source: str
    share: float | None
    estimate: float | None = None


def variance_shares(
    shares: Sequence[VarianceShare],
    *,
    title: str,
    subtitle: str = "",
    name: str = "variance-shares",
) -> Chart:
    """Draw one bar per aspect, its pieces the sources of variance.

    Sources keep the order of the input, are numbered in it, and each piece bears its number, so
    that the picture reads without colour.

    Parameters
    ----------
    shares : sequence of VarianceShare
        At most one per aspect and source; shares of an aspect add up to one.
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
        If a share is NaN or infinite.
    """
    if not shares:
        return nothing_to_draw(name, title, _COLUMNS, "There is no variance to divide.")
    for each in shares:
        require_finite(f"{each.aspect}, {each.source}", (each.share, each.estimate))
    aspects = in_order(each.aspect for each in shares)
    sources = in_order(each.source for each in shares)
    spec: Spec = {
        "$schema": SCHEMA,
        "description": sentence(_describe(shares, aspects)),
        "title": title_block(title, subtitle, _WIDTH + 120),
        "width": _WIDTH,
        "height": {"step": _BAR_HEIGHT},
        "data": {"values": _data(shares, aspects, sources)},
        "encoding": {
            "y": {
                "field": "aspect",
                "type": "nominal",
                "scale": {"domain": aspects, "paddingInner": 0.25},
                "axis": {"title": None, "domain": False, "ticks": False, "labelPadding": 8},
            },
            "tooltip": [
                {"field": "aspect", "type": "nominal", "title": "Aspect"},
                {"field": "piece", "type": "nominal", "title": "Source"},
                {"field": "percent", "type": "nominal", "title": "Share"},
            ],
        },
        "layer": _layers([f"{place} {source}" for place, source in enumerate(sources, 1)]),
    }
    return Chart(name, title, spec["description"], spec, _COLUMNS, table(_COLUMNS, shares))


def _data(
    shares: Sequence[VarianceShare], aspects: Sequence[str], sources: Sequence[str]
) -> list[dict[str, Any]]:
    """Lay the pieces of each bar end to end."""
    ends = dict.fromkeys(aspects, 0.0)
    data = []
    for each in shares:
        share = each.share or 0.0
        start = ends[each.aspect]
        ends[each.aspect] = start + share
        place = sources.index(each.source) + 1
        data.append(
            {
                "aspect": each.aspect,
                "piece": f"{place} {each.source}",
                "share": each.share,
                "start": round(start, 9),
                "end": round(start + share, 9),
                "middle": round(start + share / 2, 9),
                "number": str(place) if share >= _NARROWEST_LABELLED else "",
                "percent": f"{100 * share:.0f} %",
            }
        )
    return data


def _layers(pieces: list[str]) -> list[dict[str, Any]]:
    x = {"type": "quantitative", "scale": {"domain": [0, 1]}}
    axis = {"title": "Share of the variance", "axis": {"format": ".0%", "tickCount": 5}}
    legend = {"title": None, "orient": "bottom", "direction": "horizontal", "columns": 3}
    return [
        {
            "mark": {"type": "bar", "style": "piece"},
            "encoding": {
                "x": x | axis | {"field": "start"},
                "x2": {"field": "end"},
                "color": {"field": "piece", "type": "nominal", "scale": {"domain": pieces}}
                | {"legend": legend},
            },
        },
        {
            "mark": {"type": "text", "style": "piece-number"},
            "encoding": {
                "x": x | {"field": "middle"},
                "text": {"field": "number", "type": "nominal"},
            },
        },
    ]


def _describe(shares: Sequence[VarianceShare], aspects: Sequence[str]) -> str:
    text = f"shares of the variance of ratings on {counted(len(aspects), 'aspect')}"
    for aspect in aspects[:6]:
        own = [(each.share or 0.0, each.source) for each in shares if each.aspect == aspect]
        share, source = max(own)
        text += f"; on {aspect} most is {source} ({100 * share:.0f} %)"
    missing = sum(each.share is None for each in shares)
    return f"{text}; {missing} undefined." if missing else f"{text}."
