"""Heat map of how well each metric agrees with people on each aspect."""

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
    Column("metric", "Metric"),
    Column("compared_to", "Compared to"),
    Column("aspect", "Aspect"),
    Column("value", "Value", "number"),
    Column("low", "Low", "number"),
    Column("high", "High", "number"),
    Column("n", "n", "count"),
    Column("reason", "Undefined because"),
)
_CELL = {"width": 72, "height": 24}
_WIDEST_CELL = 180
_CHARACTER = 7.2
"""Width of a character of an aspect's name over its column, generously."""


@dataclass(frozen=True)
class HeatMapCell:
    """One correlation of a metric with human ratings of one aspect.

    `value` is None where the correlation is undefined, and `reason` says why; `low` and `high`
    bound its confidence interval; `n` counts what it rests on.
    """

    metric: str
    aspect: str
    value: float | None
    n: int | None = None
    compared_to: str = ""
    low: float | None = None
    high: float | None = None
    reason: str = ""
    link: str = ""
    """Where a press on the cell leads, relative to the page."""


def heat_map(
    cells: Sequence[HeatMapCell],
    *,
    title: str,
    statistic: str,
    subtitle: str = "",
    domain: tuple[float, float] = (-1.0, 1.0),
    name: str = "heat-map",
    rows_are: str = "metric",
    columns_are: str = "aspect",
) -> Chart:
    """Draw metrics (rows) against aspects (columns), one number in each cell.

    Rows and columns keep the order of the input. The colour scale diverges from the middle of the
    domain; undefined cells are grey with a dashed border and an en dash.

    Parameters
    ----------
    cells : sequence of HeatMapCell
        At most one per metric, compared-to and aspect.
    title, subtitle : str
        Lines over the picture.
    statistic : str
        Name of the number in the cells, such as ``Pearson r``.
    domain : (float, float)
        Smallest and largest value of the statistic.
    name : str
        Name of the chart for files and element ids.
    rows_are, columns_are : str
        What a row and a column stand for, in the singular.

    Returns
    -------
    Chart

    Raises
    ------
    ValueError
        If a value is NaN or infinite, or a cell comes twice.
    """
    columns = _columns(rows_are, columns_are)
    if not cells:
        return nothing_to_draw(name, title, columns, "There is no correlation to show.")
    places = [(cell.metric, cell.compared_to, cell.aspect) for cell in cells]
    for place, cell in zip(places, cells, strict=True):
        require_finite(" / ".join(filter(None, place)), (cell.value, cell.low, cell.high))
    if len(set(places)) < len(places):
        raise ValueError("a metric, compared-to and aspect come twice in one heat map")
    rows = in_order(_row_label(cell) for cell in cells)
    aspects = in_order(cell.aspect for cell in cells)
    width = _cell_width(aspects)
    spec: Spec = {
        "$schema": SCHEMA,
        "description": sentence(
            _describe(cells, rows, aspects, statistic, (rows_are, columns_are))
        ),
        "title": title_block(title, subtitle, 180 + width * len(aspects)),
        "width": {"step": width},
        "height": {"step": _CELL["height"]},
        "data": {"values": [_datum(cell) for cell in cells]},
        "encoding": {
            "x": {
                "field": "aspect",
                "type": "nominal",
                "scale": {"domain": aspects},
                "axis": {"orient": "top", "title": None, "labelAngle": 0, "domain": False}
                | {"ticks": False, "labelPadding": 6, "labelLimit": width - 4},
            },
            "y": {
                "field": "row",
                "type": "nominal",
                "scale": {"domain": rows},
                "axis": {"title": None, "domain": False, "ticks": False, "labelPadding": 8},
            },
            "tooltip": _tooltip(rows_are, columns_are),
        }
        | linked(cells),
        "layer": [
            *_defined_layers(statistic, domain),
            *_undefined_layers(),
        ],
    }
    return Chart(name, title, spec["description"], spec, columns, table(columns, cells))


def _columns(rows_are: str, columns_are: str) -> tuple[Column, ...]:
    row, column = _COLUMNS[0], _COLUMNS[2]
    named = {row: rows_are.capitalize(), column: columns_are.capitalize()}
    return tuple(Column(each.key, named.get(each, each.label), each.kind) for each in _COLUMNS)


def _tooltip(rows_are: str, columns_are: str) -> list[dict[str, str]]:
    return [
        {"field": "row", "type": "nominal", "title": rows_are.capitalize()},
        {"field": "aspect", "type": "nominal", "title": columns_are.capitalize()},
        {"field": "shown", "type": "nominal", "title": "Value"},
        {"field": "interval", "type": "nominal", "title": "Interval"},
        {"field": "n", "type": "quantitative", "title": "n"},
    ]


def _cell_width(aspects: Sequence[str]) -> int:
    """Return a width in which the aspects' names can be read."""
    longest = max(len(aspect) for aspect in aspects)
    return int(min(_WIDEST_CELL, max(_CELL["width"], 8 + _CHARACTER * longest)))


def _row_label(cell: HeatMapCell) -> str:
    return f"{cell.metric} · {cell.compared_to}" if cell.compared_to else cell.metric


def _datum(cell: HeatMapCell) -> dict[str, Any]:
    if cell.value is None:
        shown = f"undefined{', because ' + cell.reason if cell.reason else ''}"
    else:
        shown = format_number(cell.value)
    return {
        "row": _row_label(cell),
        "aspect": cell.aspect,
        "value": cell.value,
        "cell": format_number(cell.value, 2),
        "shown": shown,
        "interval": format_interval(cell.low, cell.high) or "none",
        "n": cell.n,
    } | ({"link": cell.link} if cell.link else {})


def _defined_layers(statistic: str, domain: tuple[float, float]) -> list[dict[str, Any]]:
    color = {
        "field": "value",
        "type": "quantitative",
        "scale": {
            "domain": list(domain),
            "domainMid": sum(domain) / 2,
            "range": "diverging",
            "interpolate": "lab",
        },
        "legend": {
            "title": statistic,
            "orient": "bottom",
            "direction": "horizontal",
            "gradientLength": 160,
            "gradientThickness": 8,
            "values": [domain[0], sum(domain) / 2, domain[1]],
        },
    }
    defined = [{"filter": {"field": "value", "valid": True}}]
    return [
        {"transform": defined, "mark": {"type": "rect"}, "encoding": {"color": color}},
        {
            "transform": defined,
            "mark": {"type": "text", "style": "cell-value"},
            "encoding": {"text": {"field": "cell", "type": "nominal"}},
        },
    ]


def _undefined_layers() -> list[dict[str, Any]]:
    undefined = [{"filter": {"not": {"field": "value", "valid": True}}}]
    return [
        {"transform": undefined, "mark": {"type": "rect", "style": "cell-undefined"}},
        {
            "transform": undefined,
            "mark": {"type": "text", "style": "cell-undefined-value"},
            "encoding": {"text": {"field": "cell", "type": "nominal"}},
        },
    ]


def _describe(
    cells: Sequence[HeatMapCell],
    rows: Sequence[str],
    aspects: Sequence[str],
    statistic: str,
    things: tuple[str, str],
) -> str:
    row, column = things
    text = f"{statistic} of {counted(len(rows), row)} with {counted(len(aspects), column)}"
    defined = [(cell.value, cell) for cell in cells if cell.value is not None]
    if not defined:
        return f"{text}; all of them undefined."
    (highest, best), (lowest, worst) = (
        max(defined, key=lambda pair: pair[0]),
        min(defined, key=lambda pair: pair[0]),
    )
    text += (
        f", from {format_number(lowest)} ({_row_label(worst)}, {worst.aspect})"
        f" to {format_number(highest)} ({_row_label(best)}, {best.aspect})"
    )
    missing = len(cells) - len(defined)
    return f"{text}; {missing} undefined." if missing else f"{text}."
