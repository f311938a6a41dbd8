"""Channels of charts: axes, panels, colours and shapes of categories, and tooltips."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.charts.chart import Column
from analysis.charts.table import count, texts
from analysis.charts.theme import DASHES, SHAPES

Channel = dict[str, Any]

FEW_TICKS: dict[str, Any] = {"tickCount": 4, "labelOverlap": "greedy", "labelSeparation": 6}
"""Of an axis of a narrow panel."""
GRID: dict[str, Any] = {"grid": True, "gridOpacity": 0.6}
FROM_ZERO: dict[str, Any] = {"zero": True, "nice": True}
AS_WIDE_AS_VALUES: dict[str, Any] = {"zero": False, "nice": True}
KEY: dict[str, Any] = {"title": None, "orient": "right", "labelLimit": 150}
"""A key of colours at the right of a plot."""

SHOWN = (*texts(shown="Value", interval="Interval"), count())
"""What tooltips say of a number that may be undefined, see `table.Table.data`."""


def names_axis(field: str, names: Sequence[str], **axis: Any) -> Channel:
    """Return the channel of names, in their order."""
    return {
        "field": field,
        "type": "nominal",
        "scale": {"domain": list(names)},
        "axis": {"title": None, "domain": False, "ticks": False, "labelPadding": 8} | axis,
    }


def number_axis(
    field: str, title: str | None, scale: Mapping[str, Any], axis: Mapping[str, Any] | None = None
) -> Channel:
    """Return the channel of a number."""
    axis = {"tickCount": 6, "gridOpacity": 0.6} if axis is None else axis
    return {"field": field, "type": "quantitative", "title": title} | {
        "scale": dict(scale),
        "axis": dict(axis),
    }


def exactly(domain: Sequence[float]) -> dict[str, Any]:
    """Return the scale of exactly this range."""
    return {"domain": list(domain), "nice": False, "zero": False}


def padded(values: Sequence[float]) -> tuple[float, float]:
    """Return a range that leaves a margin around the values, and one unit around a single value."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    margin = (high - low) * 0.12 or max(abs(low) * 0.1, 0.5)
    return (low - margin, high + margin)


def panels(
    field: str, direction: str = "column", columns: int = 0, **header: Any
) -> dict[str, Any]:
    """Return panels in the order of `panel` in the data, see `table.Table.data`.

    With `columns` they are wrapped into rows of so many.
    """
    facet = {
        "field": field,
        "type": "nominal",
        "sort": {"field": "panel", "op": "min"},
        "header": {"title": None} | header,
    }
    return {"facet": facet, "columns": columns} if columns else {"facet": {direction: facet}}


def tooltip(*columns: Column) -> list[dict[str, str]]:
    """Return what is said of the mark under the pointer."""
    types = {"text": {"type": "nominal"}, "count": {"type": "quantitative"}}
    types["number"] = {"type": "quantitative", "format": ".3f"}
    return [{"field": c.key, "title": c.label} | types[c.kind] for c in columns]


def categories(
    field: str, names: Sequence[str], legend: Mapping[str, Any] | None
) -> dict[str, Channel]:
    """Return colour, dash and shape of each name, so that print in grey reads too."""
    every = range(len(names))
    ranges: dict[str, dict[str, Any]] = {
        "color": {},
        "strokeDash": {"range": [DASHES[place % len(DASHES)] for place in every]},
        "shape": {"range": [SHAPES[place % len(SHAPES)] for place in every]},
    }
    return {
        channel: {"field": field, "type": "nominal", "legend": legend}
        | {"scale": {"domain": list(names)} | scale}
        for channel, scale in ranges.items()
    }
