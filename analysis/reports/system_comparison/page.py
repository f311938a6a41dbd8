"""The page that compares systems with each other, by human judgements."""

from collections.abc import Iterator
from typing import Any

from analysis.charts.dots import system_means
from analysis.data.study_data import StudyData
from analysis.estimates.comparisons import CORRECTIONS
from analysis.explorer.links import explorer_link
from analysis.filter.field import Pairs
from analysis.filter.question import DRAWS, RATINGS, Question
from analysis.reports.figure import Figure, figure, intervals
from analysis.reports.kind import Early, Report, ReportKind, aspect_offer
from analysis.reports.page_address import Address, Choices
from analysis.reports.pair_tests import (
    PLACES,
    TEST_COLUMNS,
    compared,
    difference_figure,
    mean_rows,
    place_cells,
    ranked,
    rows_of_tests,
)
from analysis.reports.system_comparison.many_systems import MOST_LISTED
from analysis.reports.system_comparison.mixed_models import MIXED, check_model, mixed_cost
from analysis.reports.system_comparison.mixed_page import model_shown
from analysis.reports.system_comparison.report import (
    SystemComparisonReport,
    check_draws,
    check_strengths,
    check_system_comparison,
    system_comparison_cost,
    system_comparison_report,
)
from analysis.reports.system_comparison.strengths import Strengths
from analysis.reports.system_groups import group_tables, shown_groups
from analysis.reports.table import Table
from analysis.shown_numbers import number
from analysis.tables.flat_table import RESULT_COLUMNS, TableRow, result_cells
from analysis.verdicts.systems import system_sentences
from analysis.wording import MEANS, aspect_heading

_MEANS = {"raw": "Mean rating", "z": "Mean z-score", "rank": "Mean rank"}


def system_comparison_figures(
    content: SystemComparisonReport, question: Question, choices: Choices
) -> Iterator[Figure]:
    """Yield the means of systems and, of not too many, their differences."""
    if len(content.systems) < 2:
        return
    asked = question.but(aspect=content.aspect)
    names = [entry.system for entry in content.systems]
    links = [explorer_link(asked, systems=[name]) for name in names]
    yield figure(
        "system-means",
        system_means,
        lambda: mean_rows(content.systems, content.aspect, links),
        intervals("95 % intervals, Student's t over outputs"),
        title=f"Systems by human scores on {content.aspect}",
        score=_MEANS[question.scores],
    )
    if content.pairs and not content.pair_columns:
        yield difference_figure(
            names,
            links,
            content.pairs,
            question,
            title=f"Differences between systems on {content.aspect}",
            statistic=_MEANS[question.scores],
            things="systems",
        )


def _systems(content: SystemComparisonReport) -> Iterator[TableRow]:
    other = "z" if content.scores == "raw" else "raw"
    for entry in content.systems:
        described = (entry.system, entry.human, *place_cells(entry))
        yield (*described, content.scores, *result_cells(entry.result))
        yield (*described, other, *result_cells(entry.other))


def _pairs(content: SystemComparisonReport) -> Iterator[TableRow]:
    names = [entry.system for entry in content.systems]
    for pair in content.all_pairs:
        for cells in rows_of_tests(pair):
            yield (content.aspect, names[pair.first], names[pair.second], *cells)


def _rows_of_strengths(content: SystemComparisonReport) -> Iterator[TableRow]:
    for fit in content.strengths:
        for each in fit.systems:
            yield (fit.aspect, each.system, *result_cells(each.result))
        for unbounded in fit.unbounded:
            yield (fit.aspect, unbounded.system, *result_cells(unbounded.result))


def _strength_pairs(content: SystemComparisonReport) -> Iterator[TableRow]:
    for fit in content.strengths:
        for pair in fit.all_pairs:
            numbers = pair.difference, pair.p_value, pair.holm
            yield (fit.aspect, pair.first, pair.second, *numbers)


def _mixed(content: SystemComparisonReport) -> Iterator[TableRow]:
    if not content.mixed:
        return
    names = [entry.system for entry in content.systems]
    model = "cumulative-link" if content.mixed.ordinal else "linear"
    for pair in content.mixed.pairs:
        adjusted = (pair.adjusted[name] for name in CORRECTIONS)
        both = names[pair.first], names[pair.second]
        yield (content.aspect, *both, model, *adjusted, *result_cells(pair.difference))


def _variances(content: SystemComparisonReport) -> Iterator[TableRow]:
    if not content.mixed:
        return
    for source, variance in content.mixed.variances.items():
        yield content.aspect, source, content.mixed.levels.get(source), variance


TABLES: tuple[Table[Any], ...] = (
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
        _rows_of_strengths,
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


def present(report: Report[SystemComparisonReport], address: Address) -> dict[str, Any]:
    """Return the ranked systems, the summary, all pairs, and strengths from paired judgements."""
    content, question = report.content, address.question
    names = [entry.system for entry in content.systems]
    rows = ranked((entry.system, entry.result, entry) for entry in content.systems)
    for row, entry in zip(rows, content.systems, strict=True):
        row |= {"human": entry.human, "others": [entry.other]}
    columns = content.pair_columns
    return {
        "summary": system_sentences(content, question),
        "ranked": rows,
        "value": MEANS[question.scores],
        "other_values": [MEANS["z" if question.scores == "raw" else "raw"]],
        "left_out": [(entry.system, entry.reason) for entry in content.left_out],
        "strengths": [_strengths(fit) for fit in content.strengths],
        "penalised_query": address.query(penalty="win-and-loss"),
        "resampled_queries": [
            (words, address.query(resample=over))
            for over, words in (("segments", "segments"), ("annotators", "raters"))
        ],
        "all_pairs": len(columns.first) if columns else 0,
        "groups": shown_groups(content),
        "mixed": model_shown(content, question),
        "mixed_query": address.query(model=MIXED),
        **compared(content.pairs, names, question, "Δ of means"),
    }


def _strengths(fit: Strengths) -> dict[str, Any]:
    return vars(fit) | {
        "heading": aspect_heading(fit.aspect),
        "both_bad_share": number(fit.both_bad_share, percent=True) if fit.both_bad_share else None,
        "resampled": {"annotators": "raters"}.get(fit.resampled, fit.resampled),
        "without": fit.without,
        "penalised": fit.penalty != "none",
        "all_pairs": len(fit.pair_columns.first) if fit.pair_columns else 0,
        "why": fit.undefined.reason if fit.undefined else "",
    }


def _check(data: StudyData, question: Question) -> None:
    check_system_comparison(data, question)
    check_draws(data, question)
    check_strengths(data, question)
    check_model(data, question)


def offers(report: Report[SystemComparisonReport] | None) -> dict[str, Pairs]:
    """Return the aspects; without an aspect on a scale all votes are compared by default."""
    return aspect_offer(report) if report and report.content.aspect else {}


KIND = ReportKind(
    key="system-comparison",
    lays_out=lambda data: bool(data.judgements.on_scale),
    fields=(
        *("aspect", "test", "correction", "model", "direction", "humans", *RATINGS),
        *("systems", "leave_out", "where", "scores", "ddof", "penalty", "margin", "resample"),
        *DRAWS,
    ),
    values={
        "test": ("permutation", "wilcoxon"),
        "resample": ("standard", "segments", "annotators"),
    },
    content=SystemComparisonReport,
    build=system_comparison_report,
    present=present,
    early=Early(
        cost=lambda size: 3 * (size.ratings + size.cells),
        awaits=lambda content: ("differences",) * (1 < len(content.systems) <= MOST_LISTED),
    ),
    cost=lambda size: (
        system_comparison_cost(size.question, size.segments, size.systems, size.ratings)
        + mixed_cost(size.data, size.question, size.systems)
    ),
    check=_check,
    tables=TABLES,
    figures=system_comparison_figures,
    picture=("system-means", "differences"),
    sections={"system-means": "Systems with intervals", "differences": "Differences"},
    flat=("differences",),
    offers=offers,
)
