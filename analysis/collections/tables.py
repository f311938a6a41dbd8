"""The comparison of a collection as tables and pictures to download."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from analysis import figures
from analysis.charts.bars import task_bars
from analysis.charts.chart import Chart
from analysis.collections.content import Comparison, Leaderboard, Matrix
from analysis.result_values import result_values
from analysis.tables.flat_table import (
    PRINTED,
    RESULT_COLUMNS,
    FlatTable,
    TableRow,
    as_json,
    result_cells,
)

PAIR_COLUMNS = ("column", "better", "worse", "difference", "p_value", "p_for_ranks")
TITLES = {
    "metrics": "Metrics by tasks, one number a row",
    "metric-tests": "Every two metrics, in each task and over all",
    "systems": "Systems by human scores, one number a row",
    "system-tests": "Every two systems by human scores, in each column and over all",
    "tasks": "Tasks: what each rests on",
}
OF_BOARD = {
    "systems-by-metric": "Systems by a metric, one number a row",
    "tests-by-metric": "Every two systems by a metric",
}


def tables_of(stored: Mapping[str, Any]) -> list[FlatTable]:
    """Return the tables of a stored comparison, or of a leaderboard by a metric."""
    sources = sources_of(stored)
    if stored["by"]:
        board = Leaderboard.from_dict(stored["content"])
        first, second = OF_BOARD
        title = f"Systems by {board.by}"
        return [
            _numbers(first, title, "system", board.systems, sources),
            _tests(second, f"{title}, every two", board.systems, sources),
        ]
    content = Comparison.from_dict(stored["content"])
    simulated = any(task.simulated for task in content.tasks)
    return [
        _numbers("metrics", TITLES["metrics"], "metric", content.metrics, sources, simulated),
        _tests("metric-tests", TITLES["metric-tests"], content.metrics, sources, simulated),
        _numbers("systems", TITLES["systems"], "system", content.systems, sources, simulated),
        _tests("system-tests", TITLES["system-tests"], content.systems, sources, simulated),
        _tasks(content, sources, simulated),
    ]


def chart_table(chart: Chart, stored: Mapping[str, Any]) -> FlatTable:
    """Return the numbers of a chart as a table to download."""
    simulated = any(task["simulated"] for task in stored["content"].get("tasks", ()))
    return figures.chart_table(chart, sources_of(stored), simulated=simulated)


def sources_of(stored: Mapping[str, Any]) -> tuple[str, ...]:
    """Say in lines of text where the numbers come from."""
    versions = ", ".join(f"{name} {version}" for name, version in stored["versions"].items())
    return (
        f"collection: {stored['collection']}",
        f"settings: {json.dumps(stored['settings'], sort_keys=True)}",
        f"signature: {stored['signature']}",
        f"versions: {versions}",
    )


def _numbers(
    name: str,
    title: str,
    entry: str,
    matrix: Matrix,
    sources: tuple[str, ...],
    simulated: bool = False,
) -> FlatTable:
    def rows() -> Iterator[TableRow]:
        for each in matrix.rows:
            yield (each.name, "average", None, each.rank or None, *result_cells(each.average))
            for column, rank, cell in zip(matrix.columns, each.ranks, each.cells, strict=True):
                yield (each.name, column.name, column.weight, rank or None, *result_cells(cell))

    columns = (entry, "column", "weight", "rank", *RESULT_COLUMNS)
    printed = (entry, "column", "rank", *PRINTED)
    return FlatTable(name, title, columns, tuple(rows()), printed, sources, simulated)


def _tests(
    name: str, title: str, matrix: Matrix, sources: tuple[str, ...], simulated: bool = False
) -> FlatTable:
    def rows() -> Iterator[TableRow]:
        for pairs in matrix.pairs:
            for better, worse, *numbers in pairs.each():
                named = (matrix.rows[better].name, matrix.rows[worse].name)
                yield (pairs.column, *named, *numbers)

    return FlatTable(name, title, PAIR_COLUMNS, tuple(rows()), (), sources, simulated)


def _tasks(content: Comparison, sources: tuple[str, ...], simulated: bool) -> FlatTable:
    columns = (
        *("task", "study", "statistic", "weight", "pool", "reference", "human_ties", "aspect"),
        *("systems", "segments", "rated_segments", "question", "left_out", "metrics_passed_over"),
    )
    rows = tuple(
        (
            *(task.name, task.study, task.statistic, task.weight, task.pool),
            *(task.standard_reference, task.human_ties, task.aspect),
            *(", ".join(task.systems), task.segments, task.rated, as_json(task.question)),
            *(as_json(task.left_out), as_json(task.passed_over)),
        )
        for task in content.tasks
    )
    printed = ("task", "statistic", "weight", "reference", "segments", "rated_segments")
    return FlatTable("tasks", TITLES["tasks"], columns, rows, printed, sources, simulated)


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
