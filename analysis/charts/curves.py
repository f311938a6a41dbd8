"""How a number changes with how much it rests on: ever fewer systems, ever more segments."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Unpack

from analysis.charts.axes import SHOWN, Channel, categories, exactly, number_axis, padded, tooltip
from analysis.charts.chart import Chart, counted, format_interval, format_number, in_order
from analysis.charts.drawing import Titles, described, draw, nothing_to_draw
from analysis.charts.labels import LABEL_HEIGHT, line_names
from analysis.charts.layers import LINE, Layer, known, labels, layer, where
from analysis.charts.table import (
    Row,
    Table,
    compared,
    count,
    defined,
    measured,
    number,
    numbers,
    texts,
)

_WIDTH = 250
_PANELS = {"top": "Top N systems", "last": "Last N systems"}
_KEPT = {"top": "the top N", "last": "the last N"}
_MOST_SYSTEMS_WITH_POINTS = 24
_SYSTEMS = count("systems", "Systems")
_PLURALS = {"metric": "metrics", "stratum": "strata"}
_FADED = {"condition": {"param": "pointed_at", "value": 1}, "value": 0.15}
"""Opacity of the lines at which nobody points."""


def top_last_curves(
    rows: Sequence[Row],
    *,
    statistic: str,
    bands: bool = False,
    things: Literal["metric", "stratum"] = "metric",
    ends: Sequence[Literal["top", "last"]] = ("top", "last"),
    **titles: Unpack[Titles],
) -> Chart:
    """Draw one line per metric over the number of systems, from all down to three.

    Two panels share their axes: the N systems that human raters rate best on the left, worst on the
    right. Lines differ in colour, dash and point shape and carry their names, so that grey print
    reads too.

    Parameters
    ----------
    rows : sequence of Row
        `metric`, `compared_to`, `end` (``top`` or ``last``), `systems` (N) and `value` with `low`,
        `high`, `n` and `reason`; in any order. An undefined value leaves a gap in its line.
    statistic : str
        Name of the number on the vertical axis.
    bands : bool
        Whether confidence intervals are drawn as bands, their edges dashed as the line is; of use
        with few lines.
    things : {"metric", "stratum"}
        What a line stands for, in `metric`.
    ends : sequence of {"top", "last"}
        Which panels are drawn; rows of others are left out.
    """
    rows = [row for row in rows if row["end"] in ends]
    titles.setdefault("name", "top-last-curves")
    names = {"metric": "Metric", "compared_to": "Compared to"}
    if things == "stratum":
        names = {"metric": "Stratum"}
    table = Table(
        (*texts(end="Systems kept"), _SYSTEMS, *texts(**names), *measured()),
        [{**row, "line": compared(row)} for row in rows],
        flags=("line",),
    )
    if not rows:
        return nothing_to_draw(table, titles, "There is no curve to show.")
    lines = table.names("line")
    plot = _Plot(
        table,
        statistic,
        domain=_vertical_domain(table.numbers("value", *(("low", "high") if bands else ()))),
        height=max(260, int(LABEL_HEIGHT * len(lines)) + 20),
        styles=categories("line", lines, None),
        alone=len(ends) == 1,
    )
    pointed_at = {"type": "point", "fields": ["line"], "on": "pointerover", "clear": "pointerout"}
    return draw(
        table,
        titles,
        description=_describe(table, lines, statistic, things),
        title_width=len(ends) * _WIDTH + 200 * (len(ends) - 1),
        params=[{"name": "pointed_at", "select": pointed_at, "views": [*ends]}],
        data={"values": table.data()},
        hconcat=[plot.panel(end, bands, titled=end == ends[0]) for end in ends],
    )


def _vertical_domain(values: Sequence[float]) -> tuple[float, float]:
    """Return a range in steps of a tenth that holds every value that is plotted."""
    if not values:
        return (-1.0, 1.0)
    low, high = math.floor(min(values) * 10), math.ceil(max(values) * 10)
    if high - low < 2:
        low, high = low - 1, high + 1
    return (low / 10, high / 10)


@dataclass(frozen=True)
class _Plot:
    """What both panels share."""

    table: Table
    statistic: str
    domain: tuple[float, float]
    height: int
    styles: dict[str, Channel]
    alone: bool

    def panel(self, end: str, bands: bool, *, titled: bool) -> dict[str, Any]:
        """Return the panel of the best (`top`) or of the worst (`last`) systems."""
        most, fewest = self.limits()
        ticks = {"values": _ticks(most, fewest), "grid": False, "format": "d"}
        x = number_axis("systems", "N", exactly([most, fewest]), ticks)
        title = self.statistic if titled else None
        y = number_axis("value", title, exactly(self.domain), {})
        layers = self.bands(end, x) if bands else []
        if self.domain[0] < 0:
            layers.append(layer({"type": "rule", "style": "zero"}, {"y": {"datum": 0}}))
        layers += [self.lines(end, {"x": x, "y": y}), *self.names(end, x, y)]
        heading = {} if self.alone else {"title": {"text": _PANELS[end], "fontSize": 12}}
        return heading | {"width": _WIDTH, "height": self.height, "layer": layers}

    def limits(self) -> tuple[int, int]:
        """Return the largest and the smallest N."""
        systems = self.table.numbers("systems")
        return int(max(systems)), int(min(systems))

    def bands(self, end: str, x: Channel) -> list[Layer]:
        """Return the bands, faint, and their edges in the dashes of the lines."""
        within = where("end", end), known("low")
        encoding = {"x": x, "color": self.styles["color"]}
        low, high = ({"y": {"field": edge, "type": "quantitative"}} for edge in ("low", "high"))
        dashed = encoding | {"strokeDash": self.styles["strokeDash"]}
        line = {"type": "line", "strokeWidth": 0.7, "opacity": 0.75}
        return [
            layer(
                {"type": "area", "opacity": 0.1},
                encoding | low | {"y2": {"field": "high"}},
                *within,
            ),
            *(layer(line, dashed | edge, *within) for edge in (low, high)),
        ]

    def lines(self, end: str, encoding: dict[str, Any]) -> Layer:
        """Return the lines and their points, faint where another line is pointed at."""
        most, fewest = self.limits()
        size = 42 if most - fewest < _MOST_SYSTEMS_WITH_POINTS else 8
        point = {"type": "point", "filled": True, "size": size, "opacity": 1}
        fields = tooltip(*texts(line="Line"), _SYSTEMS, *SHOWN)
        encoding = encoding | {"color": self.styles["color"], "opacity": _FADED}
        points = encoding | {"shape": self.styles["shape"], "tooltip": fields} | self.table.links()
        return {
            "transform": [where("end", end)],
            "layer": [
                layer(LINE, encoding | {"strokeDash": self.styles["strokeDash"]}),
                layer(point, points, known("value")) | {"name": end},
            ],
        }

    def names(self, end: str, x: Channel, y: Channel) -> list[Layer]:
        """Return the names at the right end of the lines, moved apart, with thin leaders."""
        of_line: dict[str, list[Row]] = {}
        for _, row in defined(self.table.rows):
            if row["end"] == end:
                of_line.setdefault(str(row["line"]), []).append(row)
        last = [min(rows, key=_size) for rows in of_line.values()]
        if not last:
            values = {"data": {"values": [{"text": "undefined"}]}}
            return [values | labels("text", {"style": "note"})]
        color = {"color": self.styles["color"], "opacity": _FADED}
        return line_names(
            last, x, y, domain=self.domain, size=(_WIDTH, self.height), encoding=color
        )


def _ticks(most: int, fewest: int) -> list[int]:
    """Return at most about ten tick values, both ends included."""
    step = max(1, -(-(most - fewest) // 9))
    inner = [value for value in range(most, fewest, -step) if value - fewest >= step]
    return in_order([most, *inner, fewest])


def _size(row: Row) -> float:
    return number(row, "systems") or 0.0


def _describe(table: Table, lines: list[str], statistic: str, things: str) -> str:
    sizes = table.numbers("systems")
    text = (
        f"{statistic} of {counted(len(lines), things, _PLURALS[things])} over "
        + " and ".join(_KEPT[end] for end in table.names("end"))
        + f" systems, N from {max(sizes)} to {min(sizes)}"
    )
    falls = []
    for line in lines:
        own = [row for row in table.rows if row["line"] == line and row["end"] == "top"]
        points = [(_size(row), value) for value, row in defined(own)]
        if len(points) > 1:
            (fewest, final), (most, first) = min(points), max(points)
            falls.append((final - first, line, first, most, final, fewest))
    if falls:
        change, line, first, most, final, fewest = min(falls, key=lambda fall: fall[0])
        text += (
            f"; over the top systems {line} falls most, from {format_number(first)} "
            f"(N = {most}) to {format_number(final)} (N = {fewest})"
            if change < 0
            else f"; over the top systems no {things} falls"
        )
    return described(text, table)


_SEQUENCE_WIDTH, _SEQUENCE_HEIGHT = 420, 260


def narrowing(
    rows: Sequence[Row],
    *,
    units: str,
    axis: str,
    lines: Sequence[float],
    **titles: Unpack[Titles],
) -> Chart:
    """Draw estimate and limits over the number of units, and the lines of a rule.

    Parameters
    ----------
    rows : sequence of Row
        `units`, `estimate`, `low` and `high`, in order.
    units, axis : str
        What is counted, and what is estimated.
    lines : sequence of float
        Values at which a rule looks, drawn as dashed level lines.
    """
    titles.setdefault("name", "narrowing")
    table = Table(
        (count("units", units), *numbers(estimate="Estimate", low="Low", high="High")), list(rows)
    )
    if not rows:
        return nothing_to_draw(table, titles, "No segment has all of its ratings yet.")
    sizes = table.numbers("units")
    limits = [*table.numbers("low", "high"), *lines]
    x = number_axis("units", units, exactly([min(sizes), max(sizes)]), {"format": ",d"})
    y = number_axis("estimate", axis, exactly(padded(limits)), {})
    band = {"type": "area", "opacity": 0.18}
    last = rows[-1]
    interval = format_interval(number(last, "low"), number(last, "high"))
    description = (
        f"{axis} over {units.lower()}: after {int(number(last, 'units') or 0)} it is "
        f"{format_number(number(last, 'estimate'))} {interval}; dashed: the lines of the rule"
    )
    return draw(
        table,
        titles,
        description=described(description, table, "estimate"),
        title_width=_SEQUENCE_WIDTH,
        width=_SEQUENCE_WIDTH,
        height=_SEQUENCE_HEIGHT,
        data={"values": table.data()},
        layer=[
            layer(band, {"x": x, "y": y | {"field": "low"}, "y2": {"field": "high"}}),
            *(
                layer(
                    {"type": "rule", "style": "whisker", "strokeDash": [4, 3]},
                    {"y": {"datum": line}},
                )
                for line in lines
            ),
            layer(
                LINE,
                {
                    "x": x,
                    "y": y,
                    "tooltip": tooltip(
                        count("units", units),
                        *numbers(estimate="Estimate", low="Low", high="High"),
                    ),
                },
            ),
        ],
    )
