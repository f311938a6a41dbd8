"""The figures of the system comparison report: means, and differences of not too many systems."""

from collections.abc import Sequence
from functools import partial

from analysis.charts.chart import Chart
from analysis.charts.dots import system_means
from analysis.explorer.links import explorer_link
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question
from analysis.reports.kind import Figures
from analysis.reports.pair_tests import difference_chart, mean_rows
from analysis.reports.system_comparison.report import SystemComparisonReport
from analysis.result_values import if_intervals, joined

_MEANS = {"raw": "Mean rating", "z": "Mean z-score", "rank": "Mean rank"}


def system_comparison_figures(
    content: SystemComparisonReport, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws the means of systems and, of not too many, their differences."""
    if len(content.systems) < 2:
        return {}
    asked = question.but(aspect=content.aspect)
    names = [entry.system for entry in content.systems]
    links = [explorer_link(asked, systems=[name]) for name in names]
    means = {"system-means": partial(_means, content, links, question.scores, note)}
    if not content.pairs or content.pair_columns:
        return means
    return means | {
        "differences": partial(
            difference_chart,
            names,
            links,
            content.pairs,
            question,
            title=f"Differences between systems on {content.aspect}",
            statistic=_MEANS[question.scores],
            things="systems",
            note=note,
        )
    }


def _means(content: SystemComparisonReport, links: Sequence[str], scores: str, note: str) -> Chart:
    means = [(entry.system, entry.result) for entry in content.systems]
    rows = list(mean_rows(means, content.aspect, links))
    return system_means(
        rows,
        title=f"Systems by human scores on {content.aspect}",
        score=_MEANS[scores],
        subtitle=joined(note, if_intervals("95 % intervals, Student's t over outputs", rows)),
    )
