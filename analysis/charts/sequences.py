"""A confidence sequence: how an interval that holds at every look narrows with each unit."""

from collections.abc import Sequence
from typing import Unpack

from analysis.charts.axes import exactly, number_axis, padded, tooltip
from analysis.charts.chart import Chart, format_interval, format_number
from analysis.charts.describing import described
from analysis.charts.drawing import Titles, draw, nothing_to_draw
from analysis.charts.layers import LINE, layer
from analysis.charts.table import Row, Table, count, number, numbers

_WIDTH, _HEIGHT = 420, 260


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
        title_width=_WIDTH,
        width=_WIDTH,
        height=_HEIGHT,
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
