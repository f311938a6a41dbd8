"""The figures of the planning report: shares of variance, and what each size of a study reaches."""

from collections.abc import Callable
from functools import partial

from analysis.charts.bars import variance_shares
from analysis.charts.chart import Chart
from analysis.charts.lines import plan_curves
from analysis.charts.table import Row
from analysis.filter.question import Question
from analysis.reports.kind import Figures
from analysis.reports.page_address import Choices
from analysis.reports.planning.report import PlanningReport, PlanOfStudy
from analysis.result_values import joined

REACHED = {
    "difference": "Half-width of the interval for a difference of two systems",
    "mean": "Half-width of the interval for a system’s mean",
    "correlation": "Half-width of the interval for a metric’s r",
    "metrics": "Power to detect the difference of the two metrics",
}


def planning_figures(
    content: PlanningReport, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws the plan, and the shares of every aspect with components."""
    made: dict[str, Callable[[], Chart]] = {}
    plan = content.plan
    if plan and any(value is not None for row in plan.reached for value in row):
        made["plan"] = partial(_plan, content.aspect, plan, note)
    if any(entry.found for entry in content.components):
        made["variance-shares"] = partial(_shares, content, note)
    return made


def _shares(content: PlanningReport, note: str) -> Chart:
    shares: list[Row] = [
        {
            "aspect": entry.aspect,
            "source": source,
            "share": share,
            "estimate": entry.found.estimates[source],
        }
        for entry in content.components
        if entry.found
        for source, share in entry.found.shares.items()
    ]
    return variance_shares(
        shares,
        title="Where the variance of ratings comes from",
        subtitle=note,
    )


def _plan(aspect: str, plan: PlanOfStudy, note: str) -> Chart:
    points: list[Row] = [
        {"segments": segments, "raters": raters, "value": value}
        for segments, values in zip(plan.segments, plan.reached, strict=True)
        for raters, value in zip(plan.raters, values, strict=True)
    ]
    said = "dashed: the goal"
    return plan_curves(
        points,
        title=f"{REACHED[plan.goal]}, {aspect}",
        reached="Power" if plan.goal == "metrics" else "Half-width",
        wanted=plan.wanted,
        subtitle=joined(note, said),
    )
