"""The figures of the raters report: how every two raters go together."""

from functools import partial

from analysis.charts.chart import Chart
from analysis.charts.heat_map import metric_matrix
from analysis.charts.table import Row
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question
from analysis.reports.kind import Figures
from analysis.reports.raters.report import RaterMatrix, RatersReport
from analysis.result_values import joined


def rater_figures(
    content: RatersReport, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws the matrix of raters, one an aspect with two raters or more."""
    return {
        f"rater-matrix-{place}": partial(_matrix, matrix, f"rater-matrix-{place}", note)
        for place, matrix in enumerate(content.matrices, 1)
        if len(matrix.raters) > 1
    }


def _matrix(matrix: RaterMatrix, name: str, note: str) -> Chart:
    order, names = matrix.order, matrix.raters
    cells: list[Row] = [
        {
            "first": names[first],
            "second": names[second],
            "value": matrix.values[first][second],
            "n": matrix.counts[first][second],
        }
        for place, first in enumerate(order)
        for second in order[place:]
    ]
    said = "over outputs that both rated; ordered by hierarchical clustering"
    return metric_matrix(
        cells,
        [names[index] for index in order],
        title=f"Raters beside raters on {matrix.aspect}",
        statistic="Pearson r",
        things="raters",
        subtitle=joined(note, said),
        name=name,
    )
