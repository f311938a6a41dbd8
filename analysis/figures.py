"""Report content as charts: each kind's figures by name, drawn only when asked for."""

from collections.abc import Callable, Mapping
from typing import Any

from analysis.charts.chart import Chart
from analysis.figure_choices import Choices
from analysis.flat_table import FlatTable, sources_of
from analysis.question import Question
from analysis.reports.agreement.figures import agreement_figures
from analysis.reports.comparison.figures import (
    comparison_figures,
    metric_means_figures,
    system_comparison_figures,
)
from analysis.reports.correlation.figures import correlation_figures
from analysis.reports.planning.figures import planning_figures
from analysis.reports.ranking.figures import ranking_figures
from analysis.reports.raters.figures import rater_figures
from analysis.reports.scores.figures import score_figures
from analysis.reports.subgroups.figures import subgroup_figures

SIMULATED = "Simulated ratings"


def figures(report: Mapping[str, Any], choices: Choices) -> dict[str, Callable[[], Chart]]:
    """Return what draws each figure of a report, in the order in which a page shows them.

    Parameters
    ----------
    report : mapping
        What `analysis.reports.service.report` returns.
    choices : Choices

    Returns
    -------
    dict
        Name of the chart to a function that makes it; replication reports have none.
    """
    content = report["content"]
    question = Question.parse(report["question"])
    note = SIMULATED if report["simulated"] else ""
    if report["kind"] == "agreement":
        return agreement_figures(content, choices, note)
    if report["kind"] == "correlation":
        return correlation_figures(content, question, choices, note)
    if report["kind"] == "planning":
        return planning_figures(content, note)
    if report["kind"] == "subgroups":
        return subgroup_figures(content, question, choices.drawn, note)
    if report["kind"] == "comparison":
        return comparison_figures(content, question, note)
    if report["kind"] == "system-comparison":
        return system_comparison_figures(content, question, note)
    if report["kind"] == "metric-means":
        return metric_means_figures(content, question, note)
    if report["kind"] == "ranking":
        return ranking_figures(content, question, note)
    if report["kind"] == "raters":
        return rater_figures(content, note)
    if report["kind"] == "scores":
        return score_figures(content, question, choices.distribution, note)
    return {}


def figure_table(chart: Chart, report: Mapping[str, Any]) -> FlatTable:
    """Return the numbers of a chart as a table to download."""
    return FlatTable(
        name=chart.name,
        title=chart.title,
        columns=tuple(column.key for column in chart.columns),
        rows=chart.rows,
        sources=sources_of(report),
        simulated=bool(report["simulated"]),
    )
