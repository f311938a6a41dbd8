"""The figure of the report of a learned metric: the weight of each metric."""

from functools import partial

from analysis.charts.chart import Chart
from analysis.charts.dots import metric_dots
from analysis.charts.table import Row, number
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question
from analysis.reports.kind import Figures
from analysis.reports.learned_metric.report import LearnedReport
from analysis.reports.metric_groups import by_comparison
from analysis.result_values import joined, result_values
from analysis.wording import metric_labels

NAME = "learned-weights"


def learned_figures(
    content: LearnedReport, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws the weights, if there are some."""
    if not any(row.weight.value is not None for row in content.rows):
        return {}
    return {NAME: partial(_weights, content, note)}


def _weights(content: LearnedReport, note: str) -> Chart:
    labels = metric_labels(content.rows)
    rows: list[Row] = []
    for row in content.rows:
        metric, compared_to = labels[row.run, row.metric]
        rows.append({"metric": metric, "compared_to": compared_to} | result_values(row.weight))
    rows.sort(key=lambda row: -(number(row, "value") or 0.0))
    return metric_dots(
        [row for _, group in by_comparison(rows) for row in group],
        title=f"What each metric weighs for {content.aspect}",
        statistic="weight",
        ceiling=None,
        subtitle=joined(note, "shares of the fit to all ratings"),
        name=NAME,
    )
