"""The page that says whom metrics and judges represent."""

from collections.abc import Iterator, Mapping
from typing import Any

from analysis.charts.chart import counted
from analysis.data.study_data import StudyData
from analysis.estimates.evaluation import check_scale_aspect
from analysis.filter.field import Pairs
from analysis.filter.question import DRAWS, RATINGS, SETTINGS, Question
from analysis.reports.kind import Report, ReportKind, Size, aspect_offer
from analysis.reports.metrics_listed import labelled
from analysis.reports.page_address import Address
from analysis.reports.rater_groups.report import (
    ALL_MODELS,
    EACH,
    MARGINAL,
    OTHERS,
    UNIFORM,
    RaterGroupsReport,
    check_groups,
    rater_groups_report,
)
from analysis.reports.summaries import Sentence, aspect_words, digits, effect_sign, said
from analysis.reports.table import Parts, Table
from analysis.tables.flat_table import METRIC_COLUMNS, PRINTED, RESULT_COLUMNS
from analysis.wording import column_labels


def _groups(content: RaterGroupsReport) -> Iterator[Sentence]:
    """Say where a metric follows one group more than the others."""
    labels = column_labels(content.rows)
    found = [
        (label, each.group, each.difference)
        for label, row in zip(labels, content.rows, strict=True)
        for each in row.groups
        if each.difference.interval
    ]
    if not found:
        return
    apart = [each for each in found if effect_sign(each[2])]
    things = "rater" if content.grouped_by == EACH else "group"
    if not apart:
        yield said(
            f"On {aspect_words(content.aspect)} no metric is seen to correlate more with one "
            f"{things} than with the others: each interval of a difference holds 0."
        )
        return
    label, group, result = max(apart, key=lambda each: abs(each[2].value or 0.0))
    more = "more" if (result.value or 0.0) > 0 else "less"
    whom = group if content.grouped_by == EACH else f"raters who answered “{group}”"
    yield said(
        f"{label} correlates {more} with {whom} than with the other raters of "
        f"{aspect_words(content.aspect)} (Δr = {digits(result.value or 0.0)}), the largest of "
        f"{counted(len(apart), 'difference')} whose intervals exclude 0, of {len(found)}; about "
        "1 in 20 would do so by chance."
    )


def _distributions(content: RaterGroupsReport) -> Iterator[Sentence]:
    """Say how near judges come to the distribution of human answers."""
    judges = [
        (result.value, row.name)
        for row in content.judged
        if not row.yardstick and (result := row.results["wasserstein"]).value is not None
    ]
    raters = [row.results["wasserstein"].value for row in content.judged if row.name == OTHERS]
    rater = next(iter(raters), None)
    if not judges or rater is None:
        return
    value, name = min(judges)
    yield said(
        f"{name} comes nearest to the distribution of human answers, {digits(value)} of the scale "
        f"away; one rater is {digits(rater)} away from the others."
    )


def _rows_of_groups(content: RaterGroupsReport) -> Iterator[Parts]:
    others = {**dict.fromkeys(METRIC_COLUMNS, ""), "metric": OTHERS}
    for named, groups in (*((row, row.groups) for row in content.rows), (others, content.others)):
        for each in groups:
            yield named, each, {"mean-r": each.correlation, "minus-other-raters": each.difference}


TABLES: tuple[Table[Any], ...] = (
    Table(
        "rater-groups",
        "Metrics compared with each group of raters",
        "rows",
        (*METRIC_COLUMNS, "aspect", "grouped_by", "group", "statistic", *RESULT_COLUMNS),
        _rows_of_groups,
        ("metric", "group", "statistic", *PRINTED),
    ),
    Table(
        "judged-distributions",
        "Judges and metrics compared with the distribution of human answers",
        "judged",
        ("judge", "yardstick", "aspect", "distance", *RESULT_COLUMNS),
        printed=("judge", "distance", *PRINTED),
    ),
)


NAMES = {
    OTHERS: "One rater, compared with the others",
    MARGINAL: "The overall distribution, for every output",
    UNIFORM: "All answers equally often",
    ALL_MODELS: "All models together",
}
"""What yardsticks and groups of models are, in words."""


def present(report: Report[RaterGroupsReport], address: Address) -> dict[str, Any]:
    """Return one row a metric with a number for each group, and one a judge."""
    content = report.content
    return {
        "summary": (*_groups(content), *_distributions(content)),
        "by_rater": content.grouped_by == EACH,
        "rows": labelled(content.rows),
        "judged": [vars(row) | {"name": NAMES.get(row.name, row.name)} for row in content.judged],
    }


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
    build=rater_groups_report,
    check=_check,
    present=present,
    cost=_cost,
    tables=TABLES,
    offers=_offers,
)
