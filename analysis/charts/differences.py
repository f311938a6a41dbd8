"""Matrix of differences: each row less each column, marked where a difference was detected."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analysis.charts.chart import (
    LINK,
    SCHEMA,
    Chart,
    Column,
    Spec,
    counted,
    format_number,
    nothing_to_draw,
    require_finite,
    sentence,
    table,
    title_block,
)

MOST_WITH_NUMBERS = 12
"""Up to so many rows the numbers stand in the cells."""


@dataclass(frozen=True)
class Difference:
    """First less second; None where undefined. `detected` says that a test found it.

    `links` lead to the first and to the second.
    """

    first: str
    second: str
    value: float | None
    p_value: float | None = None
    detected: bool = False
    reason: str = ""
    links: tuple[str, str] = ("", "")


def difference_matrix(
    differences: Sequence[Difference],
    order: Sequence[str],
    *,
    title: str,
    statistic: str,
    things: str,
    subtitle: str = "",
    name: str = "differences",
) -> Chart:
    """Draw each row less each column; triangles mark the differences that were detected.

    A triangle points up where the row is higher and down where it is lower, so that the picture
    reads without its colours.

    Parameters
    ----------
    differences : sequence of Difference
        Each unordered pair once.
    order : sequence of str
        Names, best first.
    title, subtitle : str
        Lines over the picture.
    statistic : str
        Name of the number in the cells.
    things : str
        What is compared, in the plural: "metrics" or "systems".
    name : str
        Name of the chart for files and element ids.

    Returns
    -------
    Chart
        The table holds each pair once.

    Raises
    ------
    ValueError
        If a value is NaN or infinite.
    """
    columns = _columns(things[:-1])
    if not differences:
        return nothing_to_draw(name, title, columns, f"There are no two {things} to compare.")
    require_finite("difference", [pair.value for pair in differences])
    numbers = len(order) <= MOST_WITH_NUMBERS
    step = 46 if numbers else 20
    values = [_datum(p.first, p.second, p, 1, p.links[0]) for p in differences]
    values += [_datum(p.second, p.first, p, -1, p.links[1]) for p in differences]
    largest = max((abs(p.value) for p in differences if p.value is not None), default=0.0) or 1.0
    axis = {"title": None, "domain": False, "ticks": False, "labelPadding": 6, "labelLimit": 220}
    scale = {"domain": list(order)}
    spec: Spec = {
        "$schema": SCHEMA,
        "description": sentence(_describe(differences, len(order), statistic, things)),
        "title": title_block(title, subtitle, 240 + step * len(order)),
        "width": {"step": step},
        "height": {"step": step},
        "data": {"values": values},
        "encoding": {
            "x": {"field": "column", "type": "nominal", "scale": scale}
            | {"axis": axis | {"orient": "top", "labelAngle": -60}},
            "y": {"field": "row", "type": "nominal", "scale": scale, "axis": axis},
            "tooltip": [
                {"field": "row", "type": "nominal", "title": "Row"},
                {"field": "column", "type": "nominal", "title": "less column"},
                {"field": "shown", "type": "nominal", "title": "Difference"},
                {"field": "p", "type": "nominal", "title": "Adjusted p"},
                {"field": "found", "type": "nominal", "title": "Difference detected"},
            ],
        }
        | (LINK if any(any(p.links) for p in differences) else {}),
        "layer": _layers(largest, numbers),
    }
    return Chart(name, title, spec["description"], spec, columns, table(columns, differences))


def _columns(thing: str) -> tuple[Column, ...]:
    return (
        Column("first", sentence(thing)),
        Column("second", f"Other {thing}"),
        Column("value", "Difference", "number"),
        Column("p_value", "Adjusted p", "number", 4),
        Column("detected", "Detected"),
    )


def _datum(row: str, column: str, pair: Difference, sign: int, link: str) -> dict[str, Any]:
    value = None if pair.value is None else sign * pair.value
    up = value is not None and value > 0
    return {
        "row": row,
        "column": column,
        "value": value,
        "cell": format_number(value, 2),
        "shown": format_number(value) if value is not None else pair.reason,
        "p": format_number(pair.p_value, 4),
        "found": ("higher" if up else "lower") if pair.detected else "no",
        "link": link,
    }


def _layers(largest: float, numbers: bool) -> list[dict[str, Any]]:
    color = {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": [-largest, largest], "domainMid": 0, "range": "diverging"}
        | {"interpolate": "lab"},
        "legend": {"title": "Row less column", "orient": "bottom"}
        | {"direction": "horizontal", "gradientLength": 200, "gradientThickness": 8}
        | {"tickCount": 3},
    }
    shape = {
        "field": "found",
        "type": "nominal",
        "scale": {"domain": ["higher", "lower"], "range": ["triangle-up", "triangle-down"]},
        "legend": {"title": "Detected: the row is", "orient": "bottom"},
    }
    layers: list[dict[str, Any]] = [
        {
            "transform": [{"filter": {"field": "value", "valid": True}}],
            "mark": {"type": "rect"},
            "encoding": {"color": color},
        },
        {
            "transform": [{"filter": {"not": {"field": "value", "valid": True}}}],
            "mark": {"type": "rect", "style": "cell-undefined"},
        },
        {
            "transform": [{"filter": {"field": "found", "oneOf": ["higher", "lower"]}}],
            "mark": {"type": "point", "style": "cell-mark", "filled": True, "size": 36}
            | ({"yOffset": 12} if numbers else {}),
            "encoding": {"shape": shape},
        },
    ]
    if numbers:
        layers.append(
            {
                "transform": [{"filter": {"field": "value", "valid": True}}],
                "mark": {"type": "text", "style": "cell-value", "fontSize": 11, "yOffset": -4},
                "encoding": {"text": {"field": "cell", "type": "nominal"}},
            }
        )
    return layers


def _describe(pairs: Sequence[Difference], count: int, statistic: str, things: str) -> str:
    text = f"{statistic} of {counted(count, things[:-1])}, each row less each column"
    known = [pair for pair in pairs if pair.value is not None]
    if not known:
        return f"{text}; all of them undefined."
    found = sum(pair.detected for pair in known)
    text += f"; a difference was detected for {found} of {counted(len(known), 'pair')}"
    missing = len(pairs) - len(known)
    return f"{text}; {missing} undefined." if missing else f"{text}."
