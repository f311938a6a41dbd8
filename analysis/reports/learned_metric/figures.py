"""The figure of the report of a learned metric: the weight of each metric."""

from functools import partial

from analysis.charts.chart import Chart
from analysis.charts.dots import metric_dots
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question
from analysis.reports.kind import Figures
from analysis.reports.learned_metric.report import LearnedReport
from analysis.reports.metric_groups import drawn_rows
from analysis.result_values import joined

NAME = "learned-weights"


def learned_figures(
    content: LearnedReport, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws the weights, if there are some."""
    if not any(row.weight.value is not None for row in content.rows):
        return {}
    return {NAME: partial(_weights, content, note)}


def _weights(content: LearnedReport, note: str) -> Chart:
    return metric_dots(
        drawn_rows(content.rows, lambda row: row.weight),
        title=f"What each metric weighs for {content.aspect}",
        statistic="weight",
        subtitle=joined(note, "shares of the fit to all ratings"),
        name=NAME,
    )
