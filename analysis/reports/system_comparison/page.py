"""The page that compares systems with each other, by human judgements."""

from collections.abc import Mapping
from typing import Any

from analysis.charts.chart import format_number
from analysis.data.study_data import StudyData
from analysis.filter.question import DRAWS, RATINGS, Question
from analysis.reports.comparison.page import compared, ranked
from analysis.reports.kind import Report, ReportKind
from analysis.reports.offers import aspect_offer
from analysis.reports.summaries import Contest, contest_sentences, with_anchors_of
from analysis.reports.system_comparison.figures import system_comparison_figures
from analysis.reports.system_comparison.many_systems import all_pair_rows, listed_pairs
from analysis.reports.system_comparison.report import (
    check_draws,
    check_system_comparison,
    system_comparison_cost,
    system_comparison_report,
)
from analysis.reports.system_comparison.tables import TABLES
from analysis.stats.results import Result, result_of
from analysis.stats.systems.rank_ranges import RankRange
from analysis.views.address import Address
from analysis.views.numbers import number
from analysis.wording import MEANS, aspect_heading, p_words, selection_words


def present(report: Report[Mapping[str, Any]], address: Address) -> dict[str, Any]:
    """Return the ranked systems, the summary, all pairs, and strengths from paired judgements."""
    content, question = report.content, address.question
    names = [entry["system"] for entry in content["systems"]]
    contest = Contest(names, list(all_pair_rows(content)), "systems", "Δ of means")
    pairs = listed_pairs(content)
    rows = ranked(_placed(entry) for entry in content["systems"])
    for row, entry in zip(rows, content["systems"], strict=True):
        row |= {"human": entry["human"], "others": [number(entry["other"])]}
    return {
        "selection": selection_words(question),
        "aspect": content["aspect"],
        "heading": aspect_heading(content["aspect"]),
        "segments": content["segments"],
        "summary": with_anchors_of(contest_sentences(contest, question), pairs),
        "ranked": rows,
        "value": MEANS[question.scores],
        "other_values": [MEANS["z" if question.scores == "raw" else "raw"]],
        "left_out": [(entry["system"], entry["reason"]) for entry in content["left_out"]],
        "strengths": [_strengths(entry) for entry in content["strengths"]],
        "all_pairs": len((content.get("pair_columns") or {}).get("first", ())),
        **compared(pairs, names, question, "Δ of means"),
    }


def _placed(entry: Mapping[str, Any]) -> tuple[str, Result, RankRange]:
    at = RankRange(*(entry[key] for key in ("index", "best", "worst", "cluster")))
    return entry["system"], result_of(entry["result"]), at


def _strengths(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "heading": aspect_heading(entry["aspect"]),
        "aspect": entry["aspect"],
        "judgements": entry["judgements"],
        "ties": entry["ties"],
        "left_out": entry.get("left_out", ()),
        "all_pairs": len((entry.get("pair_columns") or {}).get("first", ())),
        "why": entry["undefined"]["reason"] if entry["undefined"] else "",
        "position": number(entry["position"]) if entry["position"] else None,
        "systems": [(row["system"], number(row["result"])) for row in entry["systems"]],
        "pairs": [
            {
                "first": row["first"],
                "second": row["second"],
                "difference": format_number(row["difference"]),
                "p_value": p_words(row["p_value"]),
                "holm": p_words(row["holm"]),
            }
            for row in entry["pairs"]
        ],
    }


def _check(data: StudyData, question: Question) -> None:
    check_system_comparison(data, question)
    check_draws(data, question)


KIND = ReportKind(
    key="system-comparison",
    title="System comparison",
    group="Systems",
    answers="which systems human raters rate higher than which others",
    fields=(
        *("aspect", "test", "correction", "direction", "humans", *RATINGS),
        *("systems", "leave_out", "where", "scores", "ddof", "margin", *DRAWS),
    ),
    values={"test": ("permutation", "wilcoxon")},
    content=dict,
    build=lambda asked: system_comparison_report(asked.data, asked.question, asked.progress),
    present=present,
    cost=lambda size: system_comparison_cost(
        size.question, size.segments, size.systems, size.ratings
    ),
    check=_check,
    tables=TABLES,
    figures=system_comparison_figures,
    sections={"system-means": "Systems with intervals", "differences": "Differences"},
    flat=("differences",),
    offers=aspect_offer,
)
