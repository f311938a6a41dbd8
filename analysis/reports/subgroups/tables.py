"""The subgroups report as tables: strata, their differences, curves; one number a row."""

from collections.abc import Iterator

from analysis.reports.kind import Table
from analysis.reports.subgroups.content import SubgroupsReport
from analysis.tables.flat_table import (
    METRIC_COLUMNS,
    PRINTED,
    RESULT_COLUMNS,
    Row,
    as_json,
    metric_cells,
    result_cells,
)

_NAMED = (*METRIC_COLUMNS, "aspect", "divided_by")
_PRINTED = ("metric", "compared_to")


def _strata(content: SubgroupsReport) -> Iterator[Row]:
    names = ("(all)", *(stratum.name for stratum in content.strata))
    for metric in content.metrics:
        described = (*metric_cells(metric), content.aspect, content.by)
        for name, result in zip(names, (metric.all, *metric.results), strict=True):
            yield (*described, name, *result_cells(result))


def _differences(content: SubgroupsReport) -> Iterator[Row]:
    for row in content.differences:
        described = metric_cells(content.metrics[row.metric])
        sides = (content.strata[side].name for side in (row.first, row.second))
        of_pair = (content.aspect, content.by, *sides, row.p_value)
        yield (*described, *of_pair, *result_cells(row.result))


def _curves(content: SubgroupsReport) -> Iterator[Row]:
    for curve in content.curves:
        described = metric_cells(content.metrics[curve.metric])
        of_curve = (content.aspect, content.by, curve.stratum)
        for subset in curve.subsets:
            of_subset = (subset.side, subset.size, as_json(subset.systems))
            yield (*described, *of_curve, *of_subset, *result_cells(subset.result))


TABLES = (
    Table(
        "strata",
        "Correlation of metrics with human scores in each stratum",
        "metrics",
        (*_NAMED, "stratum", *RESULT_COLUMNS),
        _strata,
        (*_PRINTED, "stratum", *PRINTED),
    ),
    Table(
        "differences",
        "Differences between strata of each metric",
        "differences",
        (*_NAMED, "stratum", "other_stratum", "holm", *RESULT_COLUMNS),
        _differences,
        (*_PRINTED, "stratum", "other_stratum", "holm", *PRINTED),
    ),
    Table(
        "top-last",
        "Correlation over the top N and last N systems, by stratum",
        "curves",
        (*_NAMED, "stratum", "side", "size", "systems", *RESULT_COLUMNS),
        _curves,
        (*_PRINTED, "stratum", "side", "size", *PRINTED),
    ),
)
