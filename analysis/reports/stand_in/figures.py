"""The figure of the stand-in report: how often each judge or metric is as good as a rater."""

from functools import partial

import numpy as np

from analysis.charts.chart import Chart, format_number
from analysis.charts.dots import metric_dots
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question
from analysis.reports.kind import Figures
from analysis.reports.metric_groups import drawn_rows
from analysis.reports.stand_in.content import StandInReport
from analysis.result_values import joined

NAME = "stand-in"


def stand_in_figures(
    content: StandInReport, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws the advantage of each candidate, beside that of raters."""
    if not any(row.results["advantage"].value is not None for row in content.rows):
        return {}
    return {NAME: partial(_advantages, content, note)}


def _advantages(content: StandInReport, note: str) -> Chart:
    shares = [person.results["advantage"].value for person in content.people]
    known = [value for value in shares if value is not None]
    middle = float(np.median(known)) if known else None
    return metric_dots(
        drawn_rows(content.rows, lambda row: row.results["advantage"]),
        title=f"How often as good as a rater of {content.aspect}",
        statistic=f"share of {'pairs' if content.answered_by == 'choices' else 'outputs'}",
        ceiling=middle,
        subtitle=joined(
            note,
            f"dashed: the median rater among the others, {format_number(middle)}"
            if middle is not None
            else "",
        ),
        name=NAME,
    )
