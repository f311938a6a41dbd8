"""The accuracy report as a table."""

from collections.abc import Iterator

from analysis.reports.accuracy.report import AccuracyReport
from analysis.reports.kind import Table
from analysis.tables.flat_table import (
    METRIC_COLUMNS,
    PRINTED,
    RESULT_COLUMNS,
    Row,
    metric_cells,
    result_cells,
)


def _accuracies(content: AccuracyReport) -> Iterator[Row]:
    for row in content.rows:
        for name, result in row.results.items():
            yield (*metric_cells(row), content.aspect, name, *result_cells(result))


TABLES = (
    Table(
        "accuracy",
        "Accuracy of metrics, one number a row",
        "rows",
        (*METRIC_COLUMNS, "aspect", "number", *RESULT_COLUMNS),
        _accuracies,
        ("metric", "compared_to", "number", *PRINTED),
    ),
)
