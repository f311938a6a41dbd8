"""The report on groups of raters as tables."""

from collections.abc import Iterator

from analysis.reports.kind import Table
from analysis.reports.rater_groups.report import OTHERS, RaterGroupsReport
from analysis.tables.flat_table import (
    METRIC_COLUMNS,
    PRINTED,
    RESULT_COLUMNS,
    Row,
    metric_cells,
    result_cells,
)


def _groups(content: RaterGroupsReport) -> Iterator[Row]:
    named = [(metric_cells(row), row.groups) for row in content.rows]
    named.append(((OTHERS, "", "", ""), content.others))
    for cells, groups in named:
        for each in groups:
            results = {"mean-r": each.correlation, "minus-other-raters": each.difference}
            for name, result in results.items():
                yield (
                    *(*cells, content.aspect, content.grouped_by, each.group),
                    *(name, *result_cells(result)),
                )


def _judged(content: RaterGroupsReport) -> Iterator[Row]:
    for row in content.judged:
        for distance, result in row.results.items():
            yield (row.name, row.yardstick, content.aspect, distance, *result_cells(result))


TABLES = (
    Table(
        "rater-groups",
        "Metrics beside each group of raters",
        "rows",
        (*METRIC_COLUMNS, "aspect", "grouped_by", "group", "statistic", *RESULT_COLUMNS),
        _groups,
        ("metric", "group", "statistic", *PRINTED),
    ),
    Table(
        "judged-distributions",
        "Judges and metrics beside the distribution of human answers",
        "judged",
        ("judge", "yardstick", "aspect", "distance", *RESULT_COLUMNS),
        _judged,
        ("judge", "distance", *PRINTED),
    ),
)
