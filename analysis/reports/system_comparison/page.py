"""The page that compares systems with each other, by human judgements."""

from typing import Any

from analysis.charts.chart import format_number
from analysis.data.study_data import StudyData
from analysis.filter.question import DRAWS, RATINGS, Question
from analysis.reports.comparison.page import compared, ranked
from analysis.reports.kind import Early, Pairs, Report, ReportKind
from analysis.reports.offers import aspect_offer
from analysis.reports.page_address import Address
from analysis.reports.system_comparison.figures import system_comparison_figures
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
from analysis.reports.system_comparison.summary import system_sentences
from analysis.reports.system_comparison.tables import TABLES
from analysis.reports.system_groups import shown_groups
from analysis.shown_numbers import number
from analysis.wording import MEANS, aspect_heading, p_words, selection_words


def present(report: Report[SystemComparisonReport], address: Address) -> dict[str, Any]:
    """Return the ranked systems, the summary, all pairs, and strengths from paired judgements."""
    content, question = report.content, address.question
    names = [entry.system for entry in content.systems]
    rows = ranked((entry.system, entry.result, entry) for entry in content.systems)
    for row, entry in zip(rows, content.systems, strict=True):
        row |= {"human": entry.human, "others": [number(entry.other)]}
    columns = content.pair_columns
    return {
        "selection": selection_words(question),
        "aspect": content.aspect,
        "heading": aspect_heading(content.aspect),
        "segments": content.segments,
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
    return {
        "heading": aspect_heading(fit.aspect),
        "aspect": fit.aspect,
        "judgements": fit.judgements,
        "ties": fit.ties,
        "both_bad": fit.both_bad,
        "both_bad_share": number(fit.both_bad_share, percent=True) if fit.both_bad_share else None,
        "resampled": {"annotators": "raters"}.get(fit.resampled, fit.resampled),
        "left_out": fit.left_out,
        "within": fit.within,
        "without": fit.without,
        "penalised": fit.penalty != "none",
        "all_pairs": len(fit.pair_columns.first) if fit.pair_columns else 0,
        "why": fit.undefined.reason if fit.undefined else "",
        "position": number(fit.position) if fit.position else None,
        "systems": [(each.system, number(each.result)) for each in fit.systems],
        "pairs": [
            {
                "first": pair.first,
                "second": pair.second,
                "difference": format_number(pair.difference),
                "p_value": p_words(pair.p_value),
                "holm": p_words(pair.holm),
            }
            for pair in fit.pairs
        ],
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
    build=lambda asked: system_comparison_report(
        asked.data, asked.question, asked.bootstrap, asked.progress, asked.divide
    ),
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
