"""The saving report as tables."""

from collections.abc import Iterator

from analysis.reports.kind import Table
from analysis.reports.saving.report import SavingReport
from analysis.tables.flat_table import (
    METRIC_COLUMNS,
    PRINTED,
    RESULT_COLUMNS,
    Row,
    metric_cells,
    result_cells,
)


def _worth(content: SavingReport) -> Iterator[Row]:
    for row in content.rows:
        for name, result in row.results.items():
            yield (*metric_cells(row), content.aspect, name, *result_cells(result))


def _chosen(content: SavingReport) -> Iterator[Row]:
    for each in content.chosen:
        yield (
            *(each.by, content.aspect, each.segments, content.rated, content.pairs),
            *(each.told_apart, each.in_full_order, each.judged_by or "all ratings"),
        )


def _means(content: SavingReport) -> Iterator[Row]:
    for each in content.means:
        for name, result in (("classical", each.classical), ("powered", each.powered)):
            yield (
                *(each.name, content.aspect, each.system, each.unrated, each.weight, each.worth),
                *(name, *result_cells(result)),
            )


def _weighted(content: SavingReport) -> Iterator[Row]:
    for each in content.weighted:
        for name, result in (("hajek", each.hajek), ("horvitz-thompson", each.horvitz_thompson)):
            yield (each.system, content.aspect, each.plain, name, *result_cells(result))


TABLES = (
    Table(
        "worth-of-ratings",
        "What a rating is worth beside each metric",
        "rows",
        (*METRIC_COLUMNS, "aspect", "statistic", *RESULT_COLUMNS),
        _worth,
        ("metric", "aspect", "statistic", *PRINTED),
    ),
    Table(
        "chosen-segments",
        "Pairs of systems that the ratings of chosen segments tell apart",
        "chosen",
        (
            *("chosen_by", "aspect", "segments", "rated", "pairs"),
            *("told_apart", "in_full_order", "judged_by"),
        ),
        _chosen,
    ),
    Table(
        "powered-means",
        "Means of systems with the scores of unrated outputs",
        "means",
        (
            *("metric", "aspect", "system", "unrated", "weight", "worth"),
            *("mean", *RESULT_COLUMNS),
        ),
        _means,
        ("metric", "system", "worth", "mean", *PRINTED),
    ),
    Table(
        "weighted-means",
        "Means of systems weighted by how segments were chosen",
        "weighted",
        ("system", "aspect", "mean_of_chosen", "estimator", *RESULT_COLUMNS),
        _weighted,
        ("system", "mean_of_chosen", "estimator", *PRINTED),
    ),
)
