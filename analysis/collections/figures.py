"""The pictures of a collection: bars side by side, task by task."""

from collections.abc import Callable, Mapping
from typing import Any

from analysis.charts.bars import task_bars
from analysis.charts.chart import Chart
from analysis.collections.content import Comparison, Leaderboard, Matrix
from analysis.result_values import result_values

MOST_ROWS = 15
"""Entries in a picture, the highest first; tables have all."""


def figures_of(stored: Mapping[str, Any]) -> dict[str, Callable[[], Chart]]:
    """Return what makes each picture of a stored comparison, by its name."""
    if stored["by"]:
        board = Leaderboard.from_dict(stored["content"])
        title = f"Systems by {board.by}, task by task"
        return {"systems-by-metric": lambda: _bars(board.systems, title, "system", "by-metric")}
    content = Comparison.from_dict(stored["content"])
    return {
        "metrics": lambda: _bars(content.metrics, "Metrics, task by task", "metric", "metrics"),
        "systems": lambda: _bars(
            content.systems, "Systems by human scores, study by study", "system", "systems"
        ),
    }


def _bars(matrix: Matrix, title: str, rows_are: str, name: str) -> Chart:
    shown = matrix.rows[:MOST_ROWS]
    rows = [
        {"name": row.name, "task": column.name, **result_values(cell)}
        for place, column in enumerate(matrix.columns)
        for row, cell in ((each, each.cells[place]) for each in shown)
    ]
    left = len(matrix.rows) - len(shown)
    return task_bars(
        rows,
        rows_are=rows_are,
        title=title,
        subtitle=f"The {len(shown)} highest of {len(matrix.rows)}" if left > 0 else "",
        name=f"collection-{name}",
    )
