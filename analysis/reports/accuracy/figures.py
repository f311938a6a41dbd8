"""The figures of the accuracy report: how often metrics are right, of systems and of outputs."""

from collections.abc import Callable
from functools import partial

from analysis.charts.chart import Chart, format_number
from analysis.charts.dots import metric_dots
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question
from analysis.reports.accuracy.report import NAMES, AccuracyReport
from analysis.reports.kind import Figures
from analysis.reports.metric_groups import MOST_DRAWN, drawn_rows
from analysis.result_values import if_intervals, joined

CHARTS = {"system_pairs": "accuracy-systems", "ties_cross_fitted": "accuracy-outputs"}
GUESSED = 0.5
"""Share of pairs of systems that a metric which guesses puts in the order of human raters."""


def accuracy_figures(
    content: AccuracyReport, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws the shares of pairs that each metric puts in the order of human raters."""
    made: dict[str, Callable[[], Chart]] = {
        chart: partial(_shares, content, name, chart, note)
        for name, chart in CHARTS.items()
        if any(row.results[name].value is not None for row in content.rows)
    }
    return made


def _shares(content: AccuracyReport, name: str, chart: str, note: str) -> Chart:
    rows = drawn_rows(content.rows, lambda row: row.results[name])
    of_systems = name == "system_pairs"
    half = content.halves.get(name)
    highest = half.value if half else None
    fitting = len(content.rows)
    best = f"the best {MOST_DRAWN} of {fitting} metrics" if fitting > MOST_DRAWN else ""
    return metric_dots(
        rows,
        title=f"{NAMES[name]}: share in the order of human raters of {content.aspect}",
        statistic="share of pairs",
        ceiling=highest,
        guess=GUESSED if of_systems else None,
        subtitle=joined(
            note,
            if_intervals("95 % intervals", rows),
            "grey: guessing, 0.5" if of_systems else "",
            f"dashed: one half of the raters by the other {format_number(highest)}"
            if highest is not None
            else "",
            best,
        ),
        name=chart,
    )
