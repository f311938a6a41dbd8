"""The system comparison report as tables: one test or number a row, unrounded."""

from collections.abc import Iterator

from analysis.estimates.comparisons import CORRECTIONS
from analysis.reports.kind import Table
from analysis.reports.pair_tests import PLACES, TEST_COLUMNS, place_cells, rows_of_tests
from analysis.reports.system_comparison.report import SystemComparisonReport
from analysis.reports.system_groups import group_tables
from analysis.tables.flat_table import RESULT_COLUMNS, Row, result_cells


def _systems(content: SystemComparisonReport) -> Iterator[Row]:
    other = "z" if content.scores == "raw" else "raw"
    for entry in content.systems:
        described = (entry.system, entry.human, *place_cells(entry))
        yield (*described, content.scores, *result_cells(entry.result))
        yield (*described, other, *result_cells(entry.other))


def _pairs(content: SystemComparisonReport) -> Iterator[Row]:
    names = [entry.system for entry in content.systems]
    for pair in content.all_pairs:
        for cells in rows_of_tests(pair):
            yield (content.aspect, names[pair.first], names[pair.second], *cells)


def _strengths(content: SystemComparisonReport) -> Iterator[Row]:
    for fit in content.strengths:
        for each in fit.systems:
            yield (fit.aspect, each.system, *result_cells(each.result))
        for unbounded in fit.unbounded:
            yield (fit.aspect, unbounded.system, *result_cells(unbounded.result))


def _strength_pairs(content: SystemComparisonReport) -> Iterator[Row]:
    for fit in content.strengths:
        for pair in fit.all_pairs:
            numbers = pair.difference, pair.p_value, pair.holm
            yield (fit.aspect, pair.first, pair.second, *numbers)


def _mixed(content: SystemComparisonReport) -> Iterator[Row]:
    if not content.mixed:
        return
    names = [entry.system for entry in content.systems]
    model = "cumulative-link" if content.mixed.ordinal else "linear"
    for pair in content.mixed.pairs:
        adjusted = (pair.adjusted[name] for name in CORRECTIONS)
        both = names[pair.first], names[pair.second]
        yield (content.aspect, *both, model, *adjusted, *result_cells(pair.difference))


def _variances(content: SystemComparisonReport) -> Iterator[Row]:
    if not content.mixed:
        return
    for source, variance in content.mixed.variances.items():
        yield content.aspect, source, content.mixed.levels.get(source), variance


TABLES = (
    Table(
        "systems",
        "Mean human scores of systems, with rank ranges",
        "systems",
        ("system", "human_written", *PLACES, "scores", *RESULT_COLUMNS),
        _systems,
        ("system", *PLACES, "scores", "value", "low", "high", "n"),
    ),
    Table(
        "pairs",
        "Differences between every two systems, one test a row",
        "pairs",
        ("aspect", "system", "other_system", *TEST_COLUMNS, *RESULT_COLUMNS),
        _pairs,
        ("system", "other_system", "test", "value", "low", "high", "p_value", "holm"),
    ),
    Table(
        "mixed-model",
        "Differences between every two systems by a mixed-effects model",
        "mixed",
        ("aspect", "system", "other_system", "model", *TEST_COLUMNS[1:], *RESULT_COLUMNS),
        _mixed,
        ("system", "other_system", "model", "value", "low", "high", "p_value", "holm"),
    ),
    Table(
        "mixed-model-variances",
        "Variances of ratings by a mixed-effects model",
        "mixed",
        ("aspect", "source", "levels", "variance"),
        _variances,
    ),
    Table(
        "strengths",
        "Log strengths of systems judged against each other",
        "strengths",
        ("aspect", "system", *RESULT_COLUMNS),
        _strengths,
    ),
    Table(
        "strength-pairs",
        "Differences between every two log strengths",
        "strengths",
        ("aspect", "system", "other_system", "difference", "p_value", "holm"),
        _strength_pairs,
    ),
    *group_tables("human scores"),
)
