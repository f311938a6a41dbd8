"""The scores report as tables."""

from collections.abc import Iterator

from analysis.reports.kind import Table
from analysis.reports.scores.report import ScoresReport
from analysis.tables.flat_table import METRIC_COLUMNS, Row, metric_cells

_OTHER = tuple(f"other_{key}" for key in METRIC_COLUMNS)
_COUNTED = ("n", "missing", "mean", "sd")
_QUANTILES = ("minimum", "q05", "q25", "median", "q75", "q95", "maximum")
_FACTS = ("side", "segment", "people", "systems", "gap")


def _pairs(content: ScoresReport) -> Iterator[Row]:
    described = [metric_cells(column) for column in content.columns]
    matrix = content.matrix
    if matrix is None:
        return
    for first in range(len(described)):
        for second in range(first + 1, len(described)):
            numbers = (matrix.values[first][second], matrix.counts[first][second])
            yield (*described[first], *described[second], *numbers, matrix.signature)


def _distributions(content: ScoresReport) -> Iterator[Row]:
    for row in content.distributions:
        described = metric_cells(content.columns[row.column])
        yield (*described, row.group, row.n, row.missing, row.mean, row.sd, *row.quantiles)


def _histograms(content: ScoresReport) -> Iterator[Row]:
    for row in content.histograms:
        described, bins = metric_cells(content.columns[row.column]), row.bins
        for group, counts in zip(row.groups, bins.counts, strict=True):
            total = sum(counts)
            for low, high, n in zip(bins.edges, bins.edges[1:], counts, strict=False):
                yield (*described, group, low, high, n, n / total)


def _extremes(content: ScoresReport) -> Iterator[Row]:
    for row in content.extremes:
        described = metric_cells(content.columns[row.column])
        yield (*described, row.side, row.segment, row.people, row.systems, row.gap)


TABLES = (
    Table(
        "metric-matrix",
        "Correlations of metrics with metrics",
        "columns",
        (*METRIC_COLUMNS, *_OTHER, "value", "n", "signature"),
        _pairs,
    ),
    Table(
        "distributions",
        "Distributions of scores",
        "distributions",
        (*METRIC_COLUMNS, "texts", *_COUNTED, *_QUANTILES),
        _distributions,
    ),
    Table(
        "histograms",
        "Histograms of scores, one bin a row",
        "histograms",
        (*METRIC_COLUMNS, "texts", "low", "high", "n", "share"),
        _histograms,
    ),
    Table(
        "extremes",
        "Segments where human and system scores are furthest apart",
        "extremes",
        (*METRIC_COLUMNS, *_FACTS),
        _extremes,
    ),
)
