"""The figure of the saving report: what a rating is worth beside each metric."""

from functools import partial

from analysis.charts.chart import Chart
from analysis.charts.dots import metric_dots
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question
from analysis.reports.kind import Figures
from analysis.reports.metric_groups import drawn_rows
from analysis.reports.saving.report import RESULTS, SavingReport
from analysis.result_values import joined

NAME = "saving"


def saving_figures(
    content: SavingReport, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws the worth of a rating beside each metric."""
    if not any(row.results[RESULTS[0]].value is not None for row in content.rows):
        return {}
    return {NAME: partial(_worth, content, note)}


def _worth(content: SavingReport, note: str) -> Chart:
    return metric_dots(
        drawn_rows(content.rows, lambda row: row.results[RESULTS[0]]),
        title=f"What a rating of {content.aspect} is worth where systems are compared",
        statistic="ratings",
        guess=1.0,
        subtitle=joined(note, "thin line: a metric that saves nothing"),
        name=NAME,
    )
