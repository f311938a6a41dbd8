"""How much work a correlation report is, in the units of `analysis.reports.service.QUICK`.

A unit is about 50 ns of one core; the numbers were measured.
"""

from analysis.estimates.correlation_intervals import asked_interval
from analysis.filter.question import Question
from analysis.reports.correlation.content import MOST_SYSTEMS

COMPUTED = 5
"""Intervals of a metric beside an aspect: three headlines, and two more kinds of human scores."""
PER_CELL = {"spearman": 20, "kendall-tau-b": 60, "kendall-tau-c": 60}
"""What a coefficient of ranks takes beyond Pearson's, once for each kind of human scores."""
PER_DRAWN_CELL = {"pearson": 0.01, "spearman": 1.5, "kendall-tau-b": 3.5, "tau-like": 0.01}
DRAWN_BY_ANNOTATORS = 1.0
EACH_OF_SYSTEM = 1500
"""A correlation over the outputs of one system, in each of two directions or over both."""


def correlation_cost(
    question: Question, segments: int, systems: int, columns: int, aspects: int
) -> int:
    """Estimate the work of a report.

    Parameters
    ----------
    question
    segments, systems
        That are selected.
    columns, aspects
        Metrics, and aspects that each stands beside.
    """
    beside = columns * aspects
    work = values_cost(question, segments, systems, columns, aspects)
    # Sums over segments under every draw, and the draws themselves once.
    work += (beside * segments * 20 + segments * 600) * question.resamples // 1000
    if systems <= MOST_SYSTEMS:
        work += beside * systems * 3 * EACH_OF_SYSTEM
    return work + int(beside * _of_intervals(question, segments * systems, systems))


def values_cost(question: Question, segments: int, systems: int, columns: int, aspects: int) -> int:
    """Estimate the work of a report's values alone, which draw nothing."""
    cells = segments * systems
    each = 10 + systems // 4 + PER_CELL.get(question.statistic, 0)
    return columns * aspects * cells * each + columns * cells * systems * systems // 200


def _of_intervals(question: Question, cells: int, systems: int) -> float:
    asked = asked_interval(question)
    if not asked.bootstraps:
        return 0.0
    per_cell = PER_DRAWN_CELL.get(question.statistic, 0.0)
    if asked.drawn == "systems":
        # The headline of tau-like weighs every pair of systems in every segment.
        per_cell += systems / (250 * COMPUTED)
    if "annotators" in asked.drawn:
        per_cell += DRAWN_BY_ANNOTATORS
    return COMPUTED * cells * per_cell * question.resamples
