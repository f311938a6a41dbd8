"""Report content as charts: each kind's figures by name, drawn only when asked for."""

from collections.abc import Mapping
from typing import Any

from analysis.charts.chart import Chart
from analysis.filter.question import Question
from analysis.reports.catalogue import report_kind
from analysis.reports.kind import Figures, Report
from analysis.reports.page_address import Choices
from analysis.tables.flat_table import FlatTable
from analysis.tables.of_reports import sources_of, standing_of

SIMULATED = "Simulated ratings"


def figures(report: Report[Any], choices: Choices) -> Figures:
    """Return what draws each figure of a report, in the order in which a page shows them.

    Parameters
    ----------
    report : Report
    choices : Choices

    Returns
    -------
    dict
        Name of the chart to a function that makes it.
    """
    question = Question.parse(report.stored["question"])
    note = SIMULATED if report.stored["simulated"] else ""
    return report_kind(report.kind).figures(report.content, question, choices, note)


def figure_table(chart: Chart, report: Mapping[str, Any]) -> FlatTable:
    """Return the numbers of a chart as a table to download."""
    simulated, standing = bool(report["simulated"]), standing_of(report)
    return chart_table(chart, sources_of(report), simulated=simulated, registration=standing)


def chart_table(chart: Chart, sources: tuple[str, ...], **facts: Any) -> FlatTable:
    """Return the numbers of any chart as a table; `facts` are further fields of it."""
    columns = tuple(column.key for column in chart.columns)
    return FlatTable(chart.name, chart.title, columns, chart.rows, sources=sources, **facts)
