"""A small picture of dots with intervals, row by row, of which the width is known beforehand."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from analysis.charts.axes import SHOWN, Channel, exactly, names_axis, number_axis, padded, tooltip
from analysis.charts.chart import Chart
from analysis.charts.drawing import Titles, draw, summary
from analysis.charts.labels import text_width
from analysis.charts.layers import Layer, dots, intervals, labels, layer, undefined_note, where
from analysis.charts.table import Row, Table, measured, texts

WIDTHS = {"wide": 560, "middle": 420, "narrow": 320}
"""Pixels: beside another picture, on a small screen too, and on a phone."""
_FEW, _ROOMY, _DENSE = 4, 32, 22
"""Rows that are roomy, and pixels of a row of few and of many."""
_AXIS_HEIGHT = 64
_NAMES = 0.36
"""Share of the width that names may take."""


@dataclass(frozen=True)
class Band:
    """A range of usual values, from where the band before it ends."""

    name: str
    end: float


def small_dots(
    rows: Sequence[Row],
    *,
    statistic: str,
    bands: Sequence[Band] = (),
    line: tuple[str, float] | None = None,
    least: tuple[float, float] | None = None,
    width: int = WIDTHS["wide"],
    **titles: Unpack[Titles],
) -> Chart:
    """Draw one dot with its interval for each row, in their order, without a title in the picture.

    Parameters
    ----------
    rows : sequence of Row
        `name`, `value` with `low`, `high`, `n` and `reason`; `behind` where a test found it to be
        lower than the first.
    statistic : str
        What the values are, for the axis.
    bands : sequence of Band
        Ranges that the background shows, the lowest first.
    line : tuple of str and float
        Name and place of a line across all rows.
    least : tuple of float
        The range that the axis shows at least; without it, that of the values.
    width : int
        Pixels of the whole picture.
    """
    columns = (*texts(name="Name"), *measured())
    table = Table(columns, rows, flags=("behind",))
    domain = _domain(table, bands, line, least)
    ticks: dict[str, Any] = {"tickCount": 5}
    if bands:
        ticks = {"values": [*domain, *(band.end for band in bands)], "format": ".3~g"}
    x = number_axis("value", statistic, exactly(domain), ticks | {"gridOpacity": 0.6})
    names = table.names("name")
    said = f" ({line[0]} at {line[1]:.2f})" if line else ""
    return draw(
        table,
        titles,
        "small-dots",
        description=summary(f"{statistic}{said}", table, "name", things="row"),
        titled=False,
        width=width,
        height=small_height(len(names)),
        autosize={"type": "fit", "contains": "padding"},
        data={"values": table.data()},
        layer=[
            *_bands(bands, x, width * (1 - _NAMES) - 60),
            *(_line(*line) if line else ()),
            {
                "encoding": {
                    "y": names_axis("name", names, labelLimit=int(width * _NAMES)),
                    "tooltip": tooltip(*columns[:1], *SHOWN),
                },
                "layer": [
                    *_marks(x, "dot", behind=False),
                    *_marks(x, "dot-behind", behind=True),
                    undefined_note("value"),
                ],
            },
        ],
    )


def small_height(rows: int) -> int:
    """Return how high the picture of some rows is, in pixels."""
    return rows * (_ROOMY if rows <= _FEW else _DENSE) + _AXIS_HEIGHT


def _marks(x: Channel, style: str, *, behind: bool) -> list[Layer]:
    of_these = where("behind", value=behind)
    dot, rule = dots("x", x, of_these, size=70), intervals("x", x, style=f"{style}-interval")
    dot["mark"]["style"] = style
    rule["transform"].append(of_these)
    return [rule, dot]


def _domain(
    table: Table,
    bands: Sequence[Band],
    line: tuple[str, float] | None,
    least: tuple[float, float] | None,
) -> tuple[float, float]:
    values = table.numbers("value", "low", "high") or [0.0, 1.0]
    if bands:
        return min(0.0, *values), bands[-1].end
    if least:
        return min(least[0], *values), max(least[1], *values)
    return padded([*values, *([line[1]] if line else [])])


def _bands(bands: Sequence[Band], x: Channel, room: float) -> list[Layer]:
    """Return the background, with the names that fit into it."""
    found: list[Layer] = []
    low, high = x["scale"]["domain"]
    start = low
    for place, band in enumerate(bands):
        ends = {"start": start, "end": band.end, "middle": (start + band.end) / 2}
        data = {"data": {"values": [ends | {"band": band.name}]}}
        across = {"x": x | {"field": "start"}, "x2": {"field": "end"}}
        found.append(data | layer({"type": "rect", "style": f"band-{place + 1}"}, across))
        if text_width(band.name) < room * (band.end - start) / (high - low):
            mark = {"style": "note", "baseline": "bottom", "y": -3}
            found.append(data | labels("band", mark, x=x | {"field": "middle"}))
        start = band.end
    return found


def _line(name: str, value: float) -> list[Layer]:
    data = {"data": {"values": [{"line": name, "at": value}]}}
    x = {"field": "at", "type": "quantitative"}
    text = {"style": "note", "align": "right", "baseline": "bottom", "y": -3}
    return [
        data | layer({"type": "rule", "style": "ceiling"}, {"x": x}),
        data | labels("line", text, x=x),
    ]
