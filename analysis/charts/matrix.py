"""Heat map of metrics, or raters, against each other, like beside like."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analysis.charts.chart import (
    SCHEMA,
    Chart,
    Column,
    Spec,
    counted,
    format_number,
    linked,
    nothing_to_draw,
    sentence,
    table,
    title_block,
)

MOST_WITH_NUMBERS = 16
"""Metrics up to which the numbers stand in the cells."""


@dataclass(frozen=True)
class MatrixCell:
    """Correlation of two of them; None where undefined."""

    first: str
    second: str
    value: float | None
    n: int
    link: str = ""


def metric_matrix(
    cells: Sequence[MatrixCell],
    order: Sequence[str],
    *,
    title: str,
    statistic: str,
    things: str = "metrics",
    subtitle: str = "",
    name: str = "metric-matrix",
) -> Chart:
    """Draw a square of correlations; rows and columns stand in the given order.

    Parameters
    ----------
    cells : sequence of MatrixCell
        Each unordered pair once, and each metric with itself.
    order : sequence of str
        Names of what is compared.
    title, subtitle : str
        Lines over the picture.
    statistic : str
        Name of the number in the cells.
    things : str
        What is compared, in the plural.
    name : str
        Name of the chart for files and element ids.

    Returns
    -------
    Chart
        The table holds each pair once.
    """
    thing = things[:-1]
    columns = (
        Column("first", sentence(thing)),
        Column("second", f"Other {thing}"),
        Column("value", "Value", "number"),
        Column("n", "n", "count"),
    )
    pairs = [cell for cell in cells if cell.first != cell.second]
    if not pairs:
        return nothing_to_draw(name, title, columns, f"There are no two {things} to compare.")
    step = 34 if len(order) <= MOST_WITH_NUMBERS else 18
    values = [_datum(c.first, c.second, c) for c in cells]
    values += [_datum(c.second, c.first, c) for c in pairs]
    axis = {"title": None, "domain": False, "ticks": False, "labelPadding": 6, "labelLimit": 220}
    spec: Spec = {
        "$schema": SCHEMA,
        "description": sentence(_describe(pairs, len(order), statistic, thing)),
        "title": title_block(title, subtitle, 220 + step * len(order)),
        "width": {"step": step},
        "height": {"step": step},
        "data": {"values": values},
        "encoding": {
            "x": {"field": "column", "type": "nominal", "scale": {"domain": list(order)}}
            | {"axis": axis | {"orient": "top", "labelAngle": -60}},
            "y": {
                "field": "row",
                "type": "nominal",
                "scale": {"domain": list(order)},
                "axis": axis,
            },
            "tooltip": [
                {"field": "row", "type": "nominal", "title": "Row"},
                {"field": "column", "type": "nominal", "title": "Column"},
                {"field": "shown", "type": "nominal", "title": "Value"},
                {"field": "n", "type": "quantitative", "title": "n"},
            ],
        }
        | linked(cells),
        "layer": _layers(statistic, len(order) <= MOST_WITH_NUMBERS),
    }
    return Chart(name, title, spec["description"], spec, columns, table(columns, pairs))


def _datum(row: str, column: str, cell: MatrixCell) -> dict[str, Any]:
    return {
        "row": row,
        "column": column,
        "value": cell.value,
        "cell": format_number(cell.value, 2),
        "shown": format_number(cell.value),
        "n": cell.n,
        "link": cell.link,
    }


def _layers(statistic: str, numbers: bool) -> list[dict[str, Any]]:
    color = {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": [-1, 1], "domainMid": 0, "range": "diverging", "interpolate": "lab"},
        "legend": {"title": statistic, "orient": "bottom", "direction": "horizontal"}
        | {"gradientLength": 160, "gradientThickness": 8, "values": [-1, 0, 1]},
    }
    defined = [{"filter": {"field": "value", "valid": True}}]
    undefined = [{"filter": {"not": {"field": "value", "valid": True}}}]
    layers: list[dict[str, Any]] = [
        {"transform": defined, "mark": {"type": "rect"}, "encoding": {"color": color}},
        {"transform": undefined, "mark": {"type": "rect", "style": "cell-undefined"}},
    ]
    if numbers:
        text = {"text": {"field": "cell", "type": "nominal"}}
        layers.append(
            {
                "transform": defined,
                "mark": {"type": "text", "style": "cell-value", "fontSize": 10},
                "encoding": text,
            }
        )
    return layers


def _describe(pairs: Sequence[MatrixCell], count: int, statistic: str, thing: str) -> str:
    text = f"{statistic} between {counted(count, thing)}"
    known = [(cell.value, cell) for cell in pairs if cell.value is not None]
    if not known:
        return f"{text}; all of them undefined."
    highest, most = max(known, key=lambda pair: pair[0])
    lowest, least = min(known, key=lambda pair: pair[0])
    text += (
        f"; most alike {most.first} and {most.second} ({format_number(highest)}),"
        f" least {least.first} and {least.second} ({format_number(lowest)})"
    )
    missing = len(pairs) - len(known)
    return f"{text}; {missing} undefined." if missing else f"{text}."
