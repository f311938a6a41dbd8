"""Bars side by side: one panel for each task, the same rows in all."""

from collections.abc import Sequence
from typing import Unpack

from analysis.charts.axes import SHOWN, names_axis, number_axis, panels, tooltip
from analysis.charts.chart import Chart, counted, format_number
from analysis.charts.describing import described, lowest_and_highest
from analysis.charts.drawing import Titles, draw, nothing_to_draw
from analysis.charts.layers import intervals, known, labels, layer
from analysis.charts.table import Row, Table, defined, measured, number, texts

_PANEL_WIDTH = 170
_COLUMNS = 4
"""Panels side by side; further ones stand below."""


def task_bars(rows: Sequence[Row], *, rows_are: str, **titles: Unpack[Titles]) -> Chart:
    """Draw a bar with its interval for each row and task, one panel a task.

    Each panel has an axis of its own: what tasks measure differs. Rows keep the order of the input.

    Parameters
    ----------
    rows : sequence of Row
        `name`, `task` and `value` with `low`, `high`, `n` and `reason`.
    rows_are : str
        What a row stands for, in the singular.
    """
    titles.setdefault("name", "task-bars")
    names = texts(name=rows_are.capitalize(), task="Task")
    table = Table((*names, *measured()), rows)
    if not defined(rows):
        return nothing_to_draw(table, titles, "There is no value to show.")
    entries, tasks = table.names("name"), table.names("task")
    ticks = {"tickCount": 3, "labelOverlap": "greedy", "labelSeparation": 6}
    x = number_axis("value", None, {"zero": True, "nice": True}, ticks)
    description = f"{counted(len(entries), rows_are)} in {counted(len(tasks), 'task')}"
    description += lowest_and_highest(defined(rows), "name", "task")
    return draw(
        table,
        titles,
        description=described(description, table),
        title_width=120 + _PANEL_WIDTH * min(_COLUMNS, len(tasks)),
        data={"values": [_labelled(datum) for datum in table.data(panels="task")]},
        facet=panels("task", {"labelLimit": _PANEL_WIDTH + 50}, "facet")["facet"],
        columns=_COLUMNS,
        resolve={"scale": {"x": "independent"}},
        spec={
            "width": _PANEL_WIDTH,
            "height": {"step": 20},
            "encoding": {"y": names_axis("name", entries), "tooltip": tooltip(*names, *SHOWN)},
            "layer": [
                layer(
                    {"type": "bar", "height": {"band": 0.62}, "style": "bar"},
                    {"x": x},
                    known("value"),
                ),
                intervals("x", x, style="whisker"),
                labels(
                    "cell", {"style": "label", "align": "left", "dx": 5}, x=x | {"field": "reach"}
                ),
            ],
        },
    )


def _labelled(row: Row) -> Row:
    """Add the number of a bar; it stands right of the bar or of its interval."""
    value = number(row, "value")
    reach = max(0.0, *(number(row, key) or 0.0 for key in ("value", "high")))
    cell = "–" if value is None else format_number(value, 2)
    return {**row, "cell": cell, "reach": reach}
