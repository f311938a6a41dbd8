"""Box plots of one metric's scores: sources, references, people's and systems' outputs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analysis.charts.chart import (
    SCHEMA,
    Chart,
    Column,
    Spec,
    format_number,
    in_order,
    linked,
    nothing_to_draw,
    sentence,
    table,
    title_block,
)

_NUMBERS = (
    Column("n", "n", "count"),
    Column("mean", "Mean", "number"),
    Column("low", "5 %", "number"),
    Column("quarter", "25 %", "number"),
    Column("median", "Median", "number"),
    Column("three_quarters", "75 %", "number"),
    Column("high", "95 %", "number"),
)
_WIDTH, _ROW = 420, 30


@dataclass(frozen=True)
class Distribution:
    """Scores of a group of texts by their mean and five quantiles."""

    group: str
    n: int
    mean: float
    low: float
    quarter: float
    median: float
    three_quarters: float
    high: float
    link: str = ""


def score_distributions(
    groups: Sequence[Distribution],
    *,
    title: str,
    metric: str,
    subtitle: str = "",
    name: str = "score-distributions",
    things: str = "Texts",
) -> Chart:
    """Draw a box a group: quartiles, median, mean, and whiskers at 5 and 95 %.

    Parameters
    ----------
    groups : sequence of Distribution
        In the order in which they stand.
    title, subtitle : str
        Lines over the picture.
    metric : str
        Name of the metric, for the axis.
    name : str
        Name of the chart for files and element ids.
    things : str
        What a group is, over its column of the table.

    Returns
    -------
    Chart
    """
    columns = (Column("group", things), *_NUMBERS)
    if not groups:
        return nothing_to_draw(name, title, columns, "This metric has no score.")
    names = in_order(group.group for group in groups)
    x = {"type": "quantitative", "title": metric, "scale": {"zero": False}}
    spec: Spec = {
        "$schema": SCHEMA,
        "description": sentence(_describe(groups, metric)),
        "title": title_block(title, subtitle, _WIDTH + 120),
        "width": _WIDTH,
        "height": {"step": _ROW},
        "data": {"values": [_datum(group) for group in groups]},
        "encoding": {
            "y": {"field": "group", "type": "nominal", "scale": {"domain": names}}
            | {"axis": {"title": None, "domain": False, "ticks": False, "labelPadding": 8}},
            "tooltip": [
                {"field": "group", "type": "nominal", "title": things},
                {"field": "median", "type": "quantitative", "title": "Median", "format": ".3f"},
                {"field": "mean", "type": "quantitative", "title": "Mean", "format": ".3f"},
                {"field": "n", "type": "quantitative", "title": "n"},
            ],
        }
        | linked(groups),
        "layer": [
            {
                "mark": {"type": "rule", "style": "dot-interval"},
                "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "bar", "style": "box", "height": 14},
                "encoding": {"x": {"field": "quarter", **x}, "x2": {"field": "three_quarters"}},
            },
            {
                "mark": {"type": "tick", "style": "median", "thickness": 3, "height": 14},
                "encoding": {"x": {"field": "median", **x}},
            },
            {
                "mark": {"type": "point", "style": "mean", "shape": "diamond", "size": 40},
                "encoding": {"x": {"field": "mean", **x}},
            },
        ],
    }
    return Chart(name, title, spec["description"], spec, columns, table(columns, groups))


def _datum(group: Distribution) -> dict[str, Any]:
    numbers = {column.key: getattr(group, column.key) for column in _NUMBERS}
    return {"group": group.group, "link": group.link} | numbers


def _describe(groups: Sequence[Distribution], metric: str) -> str:
    medians = ", ".join(f"{group.group} {format_number(group.median)}" for group in groups)
    return f"{metric}, medians: {medians}; boxes are quartiles, whiskers 5 and 95 %."
