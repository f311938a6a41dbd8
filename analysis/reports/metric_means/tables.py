"""Metric scores by system as tables: every number, and the tests by one metric."""

from collections.abc import Iterator

from analysis.reports.kind import Table
from analysis.reports.metric_means.report import MetricMeansReport
from analysis.reports.pair_tests import PLACES, TEST_COLUMNS, place_cells, rows_of_tests
from analysis.reports.system_groups import group_tables
from analysis.tables.flat_table import (
    METRIC_COLUMNS,
    RESULT_COLUMNS,
    Row,
    metric_cells,
    result_cells,
)


def _numbers(content: MetricMeansReport) -> Iterator[Row]:
    for row in content.rows:
        column = content.columns[row.column]
        described = (*metric_cells(column), column.value, column.better)
        for system, result, rank in zip(content.systems, row.results, row.ranks, strict=True):
            of_system = (system.system, system.human, system.baseline)
            yield (*described, *of_system, rank, *result_cells(result))


def _directions(content: MetricMeansReport) -> Iterator[Row]:
    for each in content.directions:
        for row, results in zip(content.rows, each.results, strict=True):
            column = content.columns[row.column]
            for system, result in zip(content.systems, results, strict=True):
                described = (*metric_cells(column), column.value, column.better, each.direction)
                yield (*described, system.system, system.human, *result_cells(result))


def _systems(content: MetricMeansReport) -> Iterator[Row]:
    if tested := content.tested:
        for each in tested.systems:
            yield (tested.label, each.system, *place_cells(each), *result_cells(each.result))


def _pairs(content: MetricMeansReport) -> Iterator[Row]:
    if tested := content.tested:
        names = [each.system for each in tested.systems]
        for pair in tested.pairs:
            for cells in rows_of_tests(pair):
                yield (tested.label, names[pair.first], names[pair.second], *cells)


TABLES = (
    Table(
        "metric-means",
        "Metric scores by system, one number a row",
        "rows",
        (
            *(*METRIC_COLUMNS, "number", "better", "system", "human_written", "baseline", "rank"),
            *RESULT_COLUMNS,
        ),
        _numbers,
        ("metric", "compared_to", "system", "rank", "value", "low", "high", "n"),
    ),
    Table(
        "directions",
        "Metric scores by system and direction, one number a row",
        "directions",
        (
            *(*METRIC_COLUMNS, "number", "better", "direction", "system", "human_written"),
            *RESULT_COLUMNS,
        ),
        _directions,
        ("metric", "compared_to", "direction", "system", "value", "low", "high", "n"),
    ),
    Table(
        "systems",
        "Systems by the metric tested, with rank ranges",
        "tested",
        ("metric", "system", *PLACES, *RESULT_COLUMNS),
        _systems,
    ),
    Table(
        "pairs",
        "Differences between every two systems by that metric, one test a row",
        "tested",
        ("metric", "system", "other_system", *TEST_COLUMNS, *RESULT_COLUMNS),
        _pairs,
        ("system", "other_system", "test", "value", "low", "high", "p_value", "holm"),
    ),
    *group_tables("the metric tested"),
)
