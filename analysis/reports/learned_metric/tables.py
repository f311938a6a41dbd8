"""The report of a learned metric as tables."""

from collections.abc import Iterator

from analysis.reports.kind import Table
from analysis.reports.learned_metric.report import LearnedReport
from analysis.tables.flat_table import (
    METRIC_COLUMNS,
    PRINTED,
    RESULT_COLUMNS,
    Row,
    metric_cells,
    result_cells,
)


def _contenders(content: LearnedReport) -> Iterator[Row]:
    for row in content.contenders:
        results = {"pearson": row.correlation, "pearson-of-systems": row.systems}
        if row.better is not None:
            results["learned-minus-this"] = row.better
        for name, result in results.items():
            yield (content.aspect, row.contender, name, *result_cells(result))


def _weights(content: LearnedReport) -> Iterator[Row]:
    for row in content.rows:
        spread = row.weight.details
        yield (
            *(*metric_cells(row), content.aspect, row.chosen),
            spread.get("lowest of the folds"),
            spread.get("highest of the folds"),
            *result_cells(row.weight),
        )


TABLES = (
    Table(
        "learned-metric",
        "The learned metric and its simplest competitors, on unseen segments and systems",
        "contenders",
        ("aspect", "contender", "statistic", *RESULT_COLUMNS),
        _contenders,
        ("aspect", "contender", "statistic", *PRINTED),
    ),
    Table(
        "learned-weights",
        "Weights of metrics",
        "rows",
        (
            *(*METRIC_COLUMNS, "aspect", "best_single_in"),
            *("lowest_of_folds", "highest_of_folds", *RESULT_COLUMNS),
        ),
        _weights,
        ("metric", "aspect", "best_single_in", *PRINTED),
    ),
)
