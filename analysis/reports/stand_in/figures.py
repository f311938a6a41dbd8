"""The figure of the stand-in report: how often each judge or metric is as good as a rater."""

from functools import partial

import numpy as np

from analysis.charts.chart import Chart, format_number
from analysis.charts.dots import metric_dots
from analysis.charts.table import Row, number
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question
from analysis.reports.kind import Figures
from analysis.reports.metric_groups import by_comparison
from analysis.reports.stand_in.report import StandInReport
from analysis.result_values import joined, result_values
from analysis.wording import metric_labels

NAME = "stand-in"
MOST_METRICS = 24


def stand_in_figures(
    content: StandInReport, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws the advantage of each candidate, beside that of raters."""
    if not any(row.results["advantage"].value is not None for row in content.rows):
        return {}
    return {NAME: partial(_advantages, content, note)}


def _advantages(content: StandInReport, note: str) -> Chart:
    labels = metric_labels(content.rows)
    rows: list[Row] = []
    for row in content.rows:
        metric, compared_to = labels[row.run, row.metric]
        values = result_values(row.results["advantage"])
        rows.append({"metric": metric, "compared_to": compared_to} | values)
    rows.sort(key=lambda row: -(number(row, "value") or 0.0))
    shares = [person.results["advantage"].value for person in content.people]
    known = [value for value in shares if value is not None]
    middle = float(np.median(known)) if known else None
    return metric_dots(
        [row for _, group in by_comparison(rows[:MOST_METRICS]) for row in group],
        title=f"How often as good as a rater of {content.aspect}",
        statistic="share of outputs",
        ceiling=middle,
        subtitle=joined(
            note,
            f"dashed: the median rater among the others, {format_number(middle)}"
            if middle is not None
            else "",
        ),
        name=NAME,
    )
