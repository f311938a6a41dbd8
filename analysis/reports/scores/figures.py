"""The figures of the scores report."""

from collections.abc import Callable
from functools import partial

from analysis.charts.chart import Chart
from analysis.charts.heat_map import metric_matrix
from analysis.charts.table import Row
from analysis.explorer.links import metric_link
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question
from analysis.reports.distribution_figures import metric_distribution_figures
from analysis.reports.kind import Figures
from analysis.reports.offers import chosen_place
from analysis.reports.scores.report import MetricMatrix, ScoresReport
from analysis.result_values import joined
from analysis.wording import COEFFICIENTS, column_labels


def score_figures(
    content: ScoresReport, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws the matrix of metrics and the distributions of one metric.

    Raises
    ------
    QuestionError
        If the report has no metric of the chosen name.
    """
    if not content.columns:
        return {}
    labels = column_labels(content.columns)
    place = chosen_place("distribution", choices.distribution, labels)
    made: dict[str, Callable[[], Chart]] = {}
    if content.matrix and len(labels) > 1:
        made["metric-matrix"] = partial(_matrix, content, content.matrix, question, labels, note)
    return made | metric_distribution_figures(content, question, place, labels[place], note)


def _matrix(
    content: ScoresReport, matrix: MetricMatrix, question: Question, labels: list[str], note: str
) -> Chart:
    order = matrix.order
    cells: list[Row] = [
        {
            "first": labels[first],
            "second": labels[second],
            "value": matrix.values[first][second],
            "n": matrix.counts[first][second],
            "link": metric_link(question, content.columns[first]),
        }
        for place, first in enumerate(order)
        for second in order[place:]
    ]
    unit = "systems" if matrix.level == "system" else "outputs"
    statistic = f"{COEFFICIENTS[matrix.statistic]} over {unit}"
    said = "higher is better where that is declared; ordered by hierarchical clustering"
    return metric_matrix(
        cells,
        [labels[index] for index in order],
        title="Metrics beside metrics",
        statistic=statistic,
        subtitle=joined(note, said),
    )
