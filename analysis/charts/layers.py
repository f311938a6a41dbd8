"""The layers that charts are made of: intervals, dots, cells, lines and labels.

Each function returns a part of a Vega-Lite specification; fields are keys of the rows. Names from
imported files are in data and scale domains only, see `analysis.charts.chart`.
"""

import json
from collections.abc import Mapping
from typing import Any

from analysis.charts.axes import Channel

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
