"""Channels and layers of charts: axes, panels, colours, tooltips; intervals, dots, lines, labels.

Each function returns a part of a Vega-Lite specification; fields are keys of the rows. Names from
imported files are in data and scale domains only, see `analysis.charts.chart`.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from analysis.charts.chart import Column
from analysis.charts.table import count, texts
from analysis.charts.theme import DASHES, SHAPES

Channel = dict[str, Any]

FEW_TICKS: dict[str, Any] = {
    "tickCount": 4,
    "labelOverlap": "greedy",
    "labelSeparation": 6,
}
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


Layer = dict[str, Any]

LINE = {"type": "line", "strokeWidth": 1.8, "invalid": "break-paths-filter-domains"}
"""A line with a gap where its number is undefined."""


def known(field: str) -> dict[str, Any]:
    """Return the filter of rows in which a number is defined."""
    return {"filter": {"field": field, "valid": True}}


def unknown(field: str) -> dict[str, Any]:
    """Return the filter of rows in which a number is undefined."""
    return {"filter": {"not": {"field": field, "valid": True}}}


def where(field: str, value: str | bool) -> dict[str, Any]:
    """Return the filter of rows with a value."""
    if value == "":
        # Vega reads an empty text as none, which equals no text.
        return {"filter": f"!datum[{json.dumps(field)}]"}
    return {"filter": {"field": field, "equal": value}}


def layer(mark: Mapping[str, Any], encoding: Mapping[str, Any], *filters: dict[str, Any]) -> Layer:
    """Return marks of the rows that pass the filters."""
    transform = {"transform": list(filters)} if filters else {}
    return transform | {"mark": dict(mark), "encoding": dict(encoding)}


def intervals(
    channel: str, axis: Channel, low: str = "low", high: str = "high", style: str = "dot-interval"
) -> Layer:
    """Return rules between two numbers along a channel, x or y."""
    encoding = {channel: axis | {"field": low}, f"{channel}2": {"field": high}}
    return layer({"type": "rule", "style": style}, encoding, known(low))


def dots(
    channel: str, axis: Channel, *filters: dict[str, Any], size: int = 60, **encoding: Any
) -> Layer:
    """Return dots where the number of an axis is defined."""
    mark = {"type": "circle", "style": "dot", "size": size, "opacity": 1}
    return layer(mark, {channel: axis} | encoding, known(axis["field"]), *filters)


def dots_with_intervals(x: Channel, links: Mapping[str, Any]) -> list[Layer]:
    """Return a dot with its interval in each row, and a note where its number is undefined."""
    return [intervals("x", x), dots("x", x, **links), undefined_note(x["field"])]


def undefined_note(field: str) -> Layer:
    """Return a note in the rows in which a number is undefined."""
    mark = {"type": "text", "style": "note", "align": "left"}
    text = {"x": {"value": 4}, "text": {"value": "– undefined"}}
    return layer(mark, text, unknown(field))


def labels(field: str, mark: Mapping[str, Any], *filters: dict[str, Any], **encoding: Any) -> Layer:
    """Return the texts of a field as marks."""
    text = {"text": {"field": field, "type": "nominal"}}
    return layer({"type": "text"} | dict(mark), text | encoding, *filters)


def colored_cells(
    field: str, largest: float, legend: Mapping[str, Any] | None = None
) -> list[Layer]:
    """Return cells coloured by a number from minus to plus `largest`; the undefined are grey.

    Colours need no `legend` where the numbers are in the cells.
    """
    color = {
        "field": field,
        "type": "quantitative",
        "scale": {"domain": [-largest, largest], "domainMid": 0}
        | {"range": "diverging", "interpolate": "lab"},
        "legend": legend and {"gradientLength": 160, "gradientThickness": 8} | dict(legend),
    }
    undefined = {"type": "rect", "style": "cell-undefined"}
    return [
        layer({"type": "rect"}, {"color": color}, known(field)),
        layer(undefined, {}, unknown(field)),
    ]
