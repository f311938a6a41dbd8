"""The probes report as tables."""

from collections.abc import Iterator

from analysis.reports.kind import Table
from analysis.reports.probes.report import ProbesReport
from analysis.tables.flat_table import (
    METRIC_COLUMNS,
    PRINTED,
    RESULT_COLUMNS,
    Row,
    metric_cells,
    result_cells,
)


def _scores(content: ProbesReport) -> Iterator[Row]:
    for row in content.rows:
        for name, result in row.results.items():
            yield (
                *(*metric_cells(row), content.aspect, row.prompts, name),
                *result_cells(result),
            )


def _copies(content: ProbesReport) -> Iterator[Row]:
    for row in content.copies:
        for name, result in row.results.items():
            yield (row.name, row.model, row.signature, row.outputs, name, *result_cells(result))


def _pairs(content: ProbesReport) -> Iterator[Row]:
    for row in content.pairs:
        for name, result in row.results.items():
            yield (row.name, row.aspect, row.pairs, name, *result_cells(result))


TABLES = (
    Table(
        "probes-of-scores",
        "Length and own family in the scores of judges and metrics",
        "rows",
        (*METRIC_COLUMNS, "aspect", "prompts_tried", "probe", *RESULT_COLUMNS),
        _scores,
        ("metric", "aspect", "probe", *PRINTED),
    ),
    Table(
        "probes-of-copies",
        "Shifts of a judge's numbers by changed copies, and the spread of its samples",
        "copies",
        ("metric", "model", "run", "outputs", "probe", *RESULT_COLUMNS),
        _copies,
        ("model", "outputs", "probe", *PRINTED),
    ),
    Table(
        "probes-of-pairs",
        "How a judge of pairs depends on the order of the texts",
        "pairs",
        ("judge", "aspect", "judged_pairs", "probe", *RESULT_COLUMNS),
        _pairs,
        ("judge", "aspect", "judged_pairs", "probe", *PRINTED),
    ),
)
