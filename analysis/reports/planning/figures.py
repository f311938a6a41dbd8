"""The figures of the planning report: shares of variance, and what each size of a study reaches."""

from collections.abc import Iterator, Sequence

from analysis.charts.bars import variance_shares
from analysis.charts.lines import plan_curves
from analysis.charts.table import Row
from analysis.filter.question import Question
from analysis.reports.figure import Figure, figure
from analysis.reports.page_address import Choices
from analysis.reports.planning.report import AspectComponents, PlanningReport, PlanOfStudy

REACHED = {
    "difference": "Half-width of the interval for a difference of two systems",
    "mean": "Half-width of the interval for a system’s mean",
    "correlation": "Half-width of the interval for a metric’s r",
    "metrics": "Power to detect the difference of the two metrics",
}


def planning_figures(
    content: PlanningReport, question: Question, choices: Choices
) -> Iterator[Figure]:
    """Yield the plan, and the shares of every aspect with components."""
    plan = content.plan
    if plan and any(value is not None for row in plan.reached for value in row):
        yield figure(
            "plan",
            plan_curves,
            lambda: _sizes(plan),
            "dashed: the goal",
            title=f"{REACHED[plan.goal]}, {content.aspect}",
            reached="Power" if plan.goal == "metrics" else "Half-width",
            wanted=plan.wanted,
        )
    if any(entry.found for entry in content.components):
        yield figure(
            "variance-shares",
            variance_shares,
            lambda: _shares(content.components),
            title="Where the variance of ratings comes from",
        )


def _sizes(plan: PlanOfStudy) -> Iterator[Row]:
    for segments, values in zip(plan.segments, plan.reached, strict=True):
        for raters, value in zip(plan.raters, values, strict=True):
            yield {"segments": segments, "raters": raters, "value": value}


def _shares(components: Sequence[AspectComponents]) -> Iterator[Row]:
    for entry in components:
        if found := entry.found:
            for source, share in found.shares.items():
                numbers = {"share": share, "estimate": found.estimates[source]}
                yield {"aspect": entry.aspect, "source": source, **numbers}
