"""The figures of the accuracy report: how often metrics are right, of systems and of outputs."""

from collections.abc import Callable
from functools import partial

from analysis.charts.chart import Chart, format_number
from analysis.charts.dots import metric_dots
from analysis.charts.table import Row, number
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question
from analysis.reports.accuracy.report import NAMES, AccuracyReport
from analysis.reports.kind import Figures
from analysis.reports.metric_groups import by_comparison
from analysis.result_values import if_intervals, joined, result_values
from analysis.wording import metric_labels

CHARTS = {"system_pairs": "accuracy-systems", "ties_cross_fitted": "accuracy-outputs"}
MOST_METRICS = 24
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
    labels = metric_labels(content.rows)
    rows: list[Row] = []
    for row in content.rows:
        metric, compared_to = labels[row.run, row.metric]
        values = result_values(row.results[name])
        rows.append({"metric": metric, "compared_to": compared_to} | values)
    rows.sort(key=lambda row: -(number(row, "value") or 0.0))
    of_systems = name == "system_pairs"
    half = content.halves.get(name)
    highest = half.value if half else None
    best = f"the best {MOST_METRICS} of {len(rows)} metrics" if len(rows) > MOST_METRICS else ""
    return metric_dots(
        [row for _, group in by_comparison(rows[:MOST_METRICS]) for row in group],
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
