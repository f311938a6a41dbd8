"""The comparison report as tables: one test or number a row, unrounded."""

from collections.abc import Iterator

from analysis.reports.comparison.report import ComparisonReport
from analysis.reports.kind import Table
from analysis.reports.pair_tests import PLACES, TEST_COLUMNS, place_cells, rows_of_tests
from analysis.tables.flat_table import (
    METRIC_COLUMNS,
    RESULT_COLUMNS,
    Row,
    metric_cells,
    result_cells,
)

_OTHER = tuple(f"other_{key}" for key in METRIC_COLUMNS)


def _metrics(content: ComparisonReport) -> Iterator[Row]:
    for metric in content.metrics:
        yield (*metric_cells(metric), *place_cells(metric), *result_cells(metric.result))


def _pairs(content: ComparisonReport) -> Iterator[Row]:
    described = [metric_cells(metric) for metric in content.metrics]
    for pair in content.pairs:
        for cells in rows_of_tests(pair):
            yield (*described[pair.first], *described[pair.second], *cells)


TABLES = (
    Table(
        "metrics",
        "Metrics by correlation with human scores, with rank ranges",
        "metrics",
        (*METRIC_COLUMNS, *PLACES, *RESULT_COLUMNS),
        _metrics,
        ("metric", "compared_to", *PLACES, "value", "low", "high", "n"),
    ),
    Table(
        "pairs",
        "Differences between every two metrics, one test a row",
        "pairs",
        (*METRIC_COLUMNS, *_OTHER, *TEST_COLUMNS, *RESULT_COLUMNS),
        _pairs,
        (
            *("metric", "compared_to", "other_metric", "other_compared_to", "test"),
            *("value", "low", "high", "p_value", "holm"),
        ),
    ),
)
