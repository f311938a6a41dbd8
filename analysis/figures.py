"""Report content and other results as charts, drawn only when asked for."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from analysis.charts.calibration import reliability_diagram
from analysis.charts.chart import Chart
from analysis.charts.table import Row
from analysis.filter.question import Question
from analysis.reports.catalogue import report_kind
from analysis.reports.kind import Report
from analysis.reports.page_address import Choices
from analysis.tables.flat_table import FlatTable
from analysis.tables.of_reports import sources_of, standing_of

SIMULATED = "Simulated ratings"


def figures(report: Report[Any], choices: Choices) -> dict[str, Callable[[], Chart]]:
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
    made = report_kind(report.kind).figures(report.content, question, choices)
    return {name: partial(draw, note) for name, draw in made}


def figure_table(chart: Chart, report: Mapping[str, Any]) -> FlatTable:
    """Return the numbers of a chart as a table to download."""
    simulated, standing = bool(report["simulated"]), standing_of(report)
    return chart_table(chart, sources_of(report), simulated=simulated, registration=standing)


def chart_table(chart: Chart, sources: tuple[str, ...], **facts: Any) -> FlatTable:
    """Return the numbers of any chart as a table; `facts` are further fields of it."""
    columns = tuple(column.key for column in chart.columns)
    return FlatTable(chart.name, chart.title, columns, chart.rows, sources=sources, **facts)


def reliability(name: str, report: Mapping[str, Any]) -> Chart:
    """Draw a classifier's held-out texts by the probability of their predicted style.

    Parameters
    ----------
    name
        Of the model.
    report
        The dictionary of its evaluation, see `metrics.styles.evaluation.Classification`.
    """
    return reliability_diagram(
        [_bin(each) for each in report["bins"] if each["texts"]],
        title=f"Calibration of {name}",
        subtitle=f"{report['texts']:,} held-out texts; Wilson's 95 % intervals",
    )


def _bin(found: Mapping[str, Any]) -> Row:
    from scipy.stats import binomtest

    texts = found["texts"]
    interval = binomtest(round(found["accuracy"] * texts), texts).proportion_ci(method="wilson")
    return {
        "lowest": found["low"],
        "highest": found["high"],
        "confidence": found["confidence"],
        "accuracy": found["accuracy"],
        "n": texts,
        "low": float(interval.low),
        "high": float(interval.high),
    }
