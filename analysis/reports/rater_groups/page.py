"""The page that says whom metrics and judges represent."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.data.study_data import StudyData
from analysis.estimates.evaluation import check_scale_aspect
from analysis.filter.question import DRAWS, RATINGS, SETTINGS, Question
from analysis.reports.kind import Pairs, Report, ReportKind, Size
from analysis.reports.offers import aspect_offer
from analysis.reports.page_address import Address
from analysis.reports.picked_metrics import picked_words
from analysis.reports.rater_groups.report import (
    ALL_MODELS,
    EACH,
    MARGINAL,
    OTHERS,
    UNIFORM,
    BesideGroup,
    RaterGroupsReport,
    check_groups,
    rater_groups_report,
)
from analysis.reports.rater_groups.summary import rater_groups_sentences
from analysis.reports.rater_groups.tables import TABLES
from analysis.shown_numbers import number
from analysis.wording import aspect_heading, column_labels, reasons, selection_words

NAMES = {
    OTHERS: "One rater, beside the others",
    MARGINAL: "The overall distribution, for every output",
    UNIFORM: "All answers equally often",
    ALL_MODELS: "All models together",
}
"""What yardsticks and groups of models are, in words."""


def present(report: Report[RaterGroupsReport], address: Address) -> dict[str, Any]:
    """Return one row a metric with a number for each group, and one a judge."""
    content, question = report.content, address.question
    labels = column_labels(content.rows)
    return {
        "selection": selection_words(question),
        "picked": picked_words(content.picked, content.aspect, address),
        "summary": rater_groups_sentences(content),
        "heading": aspect_heading(content.aspect),
        "aspect": content.aspect,
        "systems": content.systems,
        "segments": content.segments,
        "by_rater": content.grouped_by == EACH,
        "grouped_by": content.grouped_by,
        "groups": content.groups,
        "ungrouped": content.ungrouped,
        "reason": content.reason,
        "rows": [
            {"name": label, "trained": row.trained, "groups": _numbers(row.groups)}
            for label, row in zip(labels, content.rows, strict=True)
        ],
        "others": _numbers(content.others),
        "judged": [
            {
                "name": NAMES.get(row.name, row.name),
                "yardstick": row.yardstick,
                "numbers": [number(result) for result in row.results.values()],
            }
            for row in content.judged
        ],
        "items": content.items,
        "left_out": reasons(content.left_out),
    }


def _numbers(groups: Sequence[BesideGroup]) -> list[dict[str, Any]]:
    return [
        {"correlation": number(each.correlation), "difference": number(each.difference)}
        for each in groups
    ]


def _check(data: StudyData, question: Question) -> None:
    check_scale_aspect(data, question)
    check_groups(data, question)


def _offers(report: Report[Any] | None) -> Mapping[str, Pairs]:
    if report is None:
        return {}
    questions = report.stored["content"]["questions"]
    by = (("", f"by {questions[0]}" if questions else "each rater"),)
    others = [(name, f"by {name}") for name in questions[1:]]
    each = [(EACH, "each rater")] if questions else []
    return aspect_offer(report) | {"rater_groups": (*by, *others, *each)}


def _cost(size: Size) -> int:
    raters = len(size.data.judgements.annotators)
    draws = size.segments * size.question.resamples // 200
    return len(size.columns) * raters * (size.cells + draws)


KIND = ReportKind(
    key="rater-groups",
    lays_out=lambda data: bool(data.judgements.on_scale),
    fields=(
        *("aspect", "rater_groups", "candidates", "metric", *SETTINGS, "direction", "humans"),
        *(*RATINGS, "systems", "leave_out", "where", *DRAWS),
    ),
    content=RaterGroupsReport,
    build=lambda asked: rater_groups_report(asked.data, asked.question, asked.bootstrap),
    check=_check,
    present=present,
    cost=_cost,
    tables=TABLES,
    offers=_offers,
)
