"""The figure of the saving report: what a rating is worth beside each metric."""

from functools import partial

from analysis.charts.chart import Chart
from analysis.charts.dots import metric_dots
from analysis.charts.table import Row, number
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question
from analysis.reports.kind import Figures
from analysis.reports.metric_groups import by_comparison
from analysis.reports.saving.report import RESULTS, SavingReport
from analysis.result_values import joined, result_values
from analysis.wording import metric_labels

NAME = "saving"
MOST_METRICS = 24


def saving_figures(
    content: SavingReport, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws the worth of a rating beside each metric."""
    if not any(row.results[RESULTS[0]].value is not None for row in content.rows):
        return {}
    return {NAME: partial(_worth, content, note)}


def _worth(content: SavingReport, note: str) -> Chart:
    labels = metric_labels(content.rows)
    rows: list[Row] = []
    for row in content.rows:
        metric, compared_to = labels[row.run, row.metric]
        values = result_values(row.results[RESULTS[0]])
        rows.append({"metric": metric, "compared_to": compared_to} | values)
    rows.sort(key=lambda row: -(number(row, "value") or 0.0))
    return metric_dots(
        [row for _, group in by_comparison(rows[:MOST_METRICS]) for row in group],
        title=f"What a rating of {content.aspect} is worth where systems are compared",
        statistic="ratings",
        guess=1.0,
        subtitle=joined(note, "thin line: a metric that saves nothing"),
        name=NAME,
    )
