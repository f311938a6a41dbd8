"""The answer of the report on groups of raters: whom metrics represent."""

from collections.abc import Iterator

from analysis.charts.chart import counted
from analysis.reports.rater_groups.report import EACH, OTHERS, RaterGroupsReport
from analysis.reports.summaries import Sentence, aspect_words, digits, said
from analysis.stats.results import Result
from analysis.wording import column_labels


def rater_groups_sentences(content: RaterGroupsReport) -> list[Sentence]:
    """Say where a metric follows one group more than the others, and how near judges come."""
    return [*_groups(content), *_distributions(content)]


def _groups(content: RaterGroupsReport) -> Iterator[Sentence]:
    labels = column_labels(content.rows)
    found = [
        (label, each.group, each.difference)
        for label, row in zip(labels, content.rows, strict=True)
        for each in row.groups
        if each.difference.interval
    ]
    if not found:
        return
    apart = [each for each in found if _excludes_zero(each[2])]
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


def _excludes_zero(result: Result) -> bool:
    limits = result.interval
    return limits is not None and not limits.low <= 0 <= limits.high
