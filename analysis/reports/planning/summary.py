"""The answer of the planning report: what the study at hand reaches, and what would be enough."""

from collections.abc import Iterator

from analysis.charts.chart import counted, format_number
from analysis.reports.planning.figures import REACHED
from analysis.reports.planning.report import PanelPlan, PlanOfStudy
from analysis.reports.summaries import Sentence, aspect_words, said


def plan_sentences(aspect: str, plan: PlanOfStudy) -> list[Sentence]:
    """Say what is expected and wanted, and how many segments a panel of raters needs."""
    return [] if plan.correlations.reason else list(_sentences(aspect, plan))


def decimals(plan: PlanOfStudy) -> int:
    """Return with how many decimals a plan's half-widths or powers are shown."""
    return 2 if plan.wanted >= 1 else 3


def _sentences(aspect: str, plan: PlanOfStudy) -> Iterator[Sentence]:
    now, places = plan.now, decimals(plan)
    sign = "" if plan.goal == "metrics" else "±"
    yield said(
        f"{REACHED[plan.goal]} on {aspect_words(aspect)}: "
        f"{sign}{format_number(now.reached, places)} is expected of this study, with "
        f"{counted(now.segments, 'segment')} and {counted(now.raters, 'rater')} of each output; "
        f"the goal is {sign}{format_number(plan.wanted, places)}."
    )
    for entry in plan.plans:
        if entry.raters == plan.panel:
            yield _enough(entry)


def _enough(entry: PanelPlan) -> Sentence:
    panel = f"With {counted(entry.raters, 'rater')} of each output"
    if entry.plan is None:
        return said(f"{panel} there is no plan: {entry.reason}.")
    segments, ratings = entry.plan.segments, entry.plan.ratings
    return said(
        f"{panel}, {counted(segments, 'segment is', 'segments are')} expected to be enough: "
        f"{ratings:,} ratings in all."
    )
