"""The figure of the comparison report: metrics, each compared with each."""

from functools import partial

from analysis.explorer.links import metric_link
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question
from analysis.reports.comparison.report import ComparisonReport
from analysis.reports.kind import Figures
from analysis.reports.pair_tests import difference_chart
from analysis.wording import column_labels, statistic_words


def comparison_figures(
    content: ComparisonReport, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws the differences between metrics."""
    if len(content.metrics) < 2:
        return {}
    asked = question.but(aspect=content.aspect)
    return {
        "differences": partial(
            difference_chart,
            column_labels(content.metrics),
            [metric_link(asked, column) for column in content.metrics],
            content.pairs,
            question,
            title=f"Differences between metrics on {content.aspect}",
            statistic=statistic_words(question),
            things="metrics",
            note=note,
        )
    }
