"""The page that compares systems with each other, by human judgements."""

from collections.abc import Iterator
from typing import Any

from analysis.charts.dots import system_means
from analysis.data.study_data import StudyData
from analysis.estimates.comparisons import CORRECTIONS, PairTests
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
    ranked,
    tests_of,
)
from analysis.reports.system_comparison.many_systems import MOST_LISTED
from analysis.reports.system_comparison.mixed_models import (
    MIXED,
    MixedPair,
    check_model,
    mixed_cost,
)
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
from analysis.reports.table import Parts, Table
from analysis.tables.flat_table import RESULT_COLUMNS
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


def _systems(content: SystemComparisonReport) -> Iterator[Parts]:
    other = "z" if content.scores == "raw" else "raw"
    for entry in content.systems:
        yield entry, {"scores": content.scores}, entry.result
        yield entry, {"scores": other}, entry.other


def _both(content: SystemComparisonReport, pair: PairTests | MixedPair) -> dict[str, str]:
    first, second = (content.systems[place].system for place in (pair.first, pair.second))
    return {"system": first, "other_system": second}


def _rows_of_strengths(content: SystemComparisonReport) -> Iterator[Parts]:
    for fit in content.strengths:
        for each in fit.systems:
            yield fit, each, {"share_won": each.won.value}, each.result
        for unbounded in fit.unbounded:
            yield fit, unbounded, {"share_won": None}, unbounded.result


def _mixed(content: SystemComparisonReport) -> Iterator[Parts]:
    if mixed := content.mixed:
        for pair in mixed.pairs:
            model = {"model": "cumulative-link" if mixed.ordinal else "linear"}
            adjusted = (pair.adjusted[name] for name in CORRECTIONS)
            own = dict(zip(TEST_COLUMNS[1:], adjusted, strict=True))
            yield _both(content, pair), model, own, pair.difference


def _variances(content: SystemComparisonReport) -> Iterator[Parts]:
    if mixed := content.mixed:
        for source, variance in mixed.variances.items():
            yield ({"source": source, "levels": mixed.levels.get(source), "variance": variance},)


TABLES: tuple[Table[Any], ...] = (
    Table(
        "systems",
        "Mean human scores of systems, with rank ranges",
        "systems",
        ("system", "human_written", *PLACES, "scores", *RESULT_COLUMNS),
        _systems,
    ),
    Table(
        "pairs",
        "Differences between every two systems, one test a row",
        "pairs",
        ("aspect", "system", "other_system", *TEST_COLUMNS, *RESULT_COLUMNS),
        lambda content: (
            row for pair in content.all_pairs for row in tests_of(pair, _both(content, pair))
        ),
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
        ("aspect", "system", "share_won", *RESULT_COLUMNS),
        _rows_of_strengths,
    ),
    Table(
        "strength-pairs",
        "Differences between every two log strengths",
        "strengths",
        ("aspect", "system", "other_system", "difference", "p_value", "holm"),
        lambda content: ((fit, pair) for fit in content.strengths for pair in fit.all_pairs),
    ),
    *group_tables("human scores"),
)


def present(report: Report[SystemComparisonReport], address: Address) -> dict[str, Any]:
    """Return the ranked systems, the summary, all pairs, and strengths from paired judgements."""
    content, question = report.content, address.question
    names = [entry.system for entry in content.systems]
    columns = content.pair_columns
    return {
        "summary": system_sentences(content, question),
        "ranked": [row | {"others": [row["other"]]} for row in ranked(names, content.systems)],
        "value": MEANS[question.scores],
        "other_values": [MEANS["z" if question.scores == "raw" else "raw"]],
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


OF_SCALES = ("test", "correction", "model", "scores", "ddof", "margin")


KIND = ReportKind(
    key="system-comparison",
    idle=lambda data: () if data.judgements.on_scale else OF_SCALES,
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
