"""Names at the right ends of lines, moved apart, in place of a legend."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.charts.axes import Channel
from analysis.charts.chart import Value
from analysis.charts.labels import LABEL_HEIGHT, spread
from analysis.charts.layers import Layer, labels, layer
from analysis.charts.table import Row, number

_ASIDE = 14
"""Pixels between the plot and the names, for thin leaders."""
_WIDEST = 240
"""Pixels of a name; it is whole in the tooltip of its line."""


def line_names(
    last: Sequence[Row],
    x: Channel,
    y: Channel,
    *,
    domain: tuple[float, float],
    size: tuple[int, int],
    encoding: Mapping[str, Any],
) -> list[Layer]:
    """Return the names of lines at their right ends, with leaders.

    Parameters
    ----------
    last : sequence of Row
        The row of each `line` that is furthest to the right.
    x, y : dict
        Channels of the lines.
    domain : tuple of float
        Lowest and highest number of the vertical axis.
    size : tuple of int
        Width and height of the plot in pixels.
    encoding : mapping
        Further channels of the names, such as their colour.
    """
    width, height = size
    fields = ("line", str(x["field"]), str(y["field"]))
    ends = [number(row, fields[2]) or 0.0 for row in last]
    places = spread(ends, LABEL_HEIGHT * (domain[1] - domain[0]) / height, *domain)
    values: list[dict[str, Value]] = [
        {key: row[key] for key in fields} | {"place": place}
        for row, place in zip(last, places, strict=True)
    ]
    data = {"data": {"values": values}}
    side = {"x": {"value": width + _ASIDE}}
    leader = {"x": x, "y": y, "x2": side["x"], "y2": {"field": "place"}}
    label = {"style": "label", "align": "left", "dx": 4, "limit": _WIDEST}
    return [
        data | layer({"type": "rule", "style": "leader"}, leader),
        data | labels("line", label, **side, y=y | {"field": "place"}, **encoding),
    ]
