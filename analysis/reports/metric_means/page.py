"""The page of metric scores by system, with tests of their differences."""

from collections.abc import Sequence
from typing import Any

from analysis.filter.question import DRAWS, SETTINGS
from analysis.reports.better_sides import better_sides
from analysis.reports.comparison.page import compared, ranked
from analysis.reports.kind import Pairs, Report, ReportKind, Size
from analysis.reports.metric_means.figures import metric_means_figures
from analysis.reports.metric_means.report import (
    MeansColumn,
    MeansRow,
    MetricMeansReport,
    metric_means_cost,
    metric_means_report,
)
from analysis.reports.metric_means.summary import tested_sentences
from analysis.reports.metric_means.tables import TABLES
from analysis.reports.summaries import decimals_of
from analysis.views.address import Address
from analysis.views.numbers import number
from analysis.wording import METRIC_TESTS, column_labels, selection_words

BETTER = {
    "higher": "higher is better",
    "lower": "lower is better",
    "target": "nearer {target:g} is better",
    "descriptive": "describes, no better side",
    "unknown": "better side not declared",
}


def present(report: Report[MetricMeansReport], address: Address) -> dict[str, Any]:
    """Return every number, and the systems compared by one metric."""
    content, question = report.content, address.question
    labels = column_labels(content.columns)
    tested = content.tested
    shown: dict[str, Any] = {
        "selection": selection_words(question),
        "segments": content.segments,
        "systems": content.systems,
        "has_baselines": any(system.baseline for system in content.systems),
        "rows": [
            _row(row, content.columns[row.column], labels[row.column]) for row in content.rows
        ],
        "values": {(each.value, each.toward_target) for each in content.columns},
        "better_sides": better_sides(
            (labels[row.column], _better(content.columns[row.column])) for row in content.rows
        ),
        "compositions": _compositions(content, labels),
        "tested": tested,
    }
    if tested is None:
        return shown
    names = [each.system for each in tested.systems]
    column = content.columns[tested.column]
    return shown | {
        "summary": tested_sentences(content, tested, question),
        "ranked": ranked((each.system, each.result, each) for each in tested.systems),
        "left_out": [(each.system, each.reason) for each in tested.left_out],
        "value": column.value.capitalize() + (", turned" if tested.turned else ""),
        "better": _better(column),
        **compared(tested.pairs, names, question, "Δ"),
        "decided_by": METRIC_TESTS[question.test],
        "tests": [
            METRIC_TESTS[name]
            for name in sorted(KIND.values["test"], key=lambda t: t != question.test)
        ],
    }


def _row(row: MeansRow, column: MeansColumn, label: str) -> dict[str, Any]:
    return {
        "label": label,
        "value": column.value,
        "toward_target": column.toward_target,
        "decimals": decimals_of(result.value for result in row.results),
        "cells": [
            (number(result), rank) for result, rank in zip(row.results, row.ranks, strict=True)
        ],
    }


def _compositions(content: MetricMeansReport, labels: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return what metrics are made of, each with the metrics that are."""
    found: dict[str, list[str]] = {}
    for row in content.rows:
        if made_of := content.columns[row.column].made_of:
            found.setdefault(made_of, []).append(labels[row.column])
    return list(found.items())


def _better(column: MeansColumn) -> str:
    return BETTER[column.better].format(target=column.target or 0.0)


def offers(report: Report[MetricMeansReport] | None) -> dict[str, Pairs]:
    """Return the tests, and the metrics that systems can be compared by."""
    offered: dict[str, Pairs] = {
        "test": tuple(
            ("" if name == "permutation" else name, METRIC_TESTS[name])
            for name in KIND.values["test"]
        )
    }
    if report is None or report.content.tested is None:
        return offered
    content = report.content
    labels = column_labels(content.columns)
    usable = [
        label
        for label, row in zip(labels, content.rows, strict=True)
        if any(rank is not None for rank in row.ranks)
    ]
    return offered | {"tested": (("", "the first that can"), *((label, label) for label in usable))}


def _cost(size: Size) -> int:
    sums = [max(2, len(column.run.statistics)) for column in size.columns]
    return metric_means_cost(size.question, size.segments, size.systems, sums)


KIND = ReportKind(
    key="metric-means",
    fields=(
        *("tested", "test", "correction", "aggregate", "aspect", *SETTINGS),
        *("direction", "humans", "metric", "systems", "leave_out", "where", "margin", *DRAWS),
    ),
    values={"test": ("permutation", "bootstrap")},
    content=MetricMeansReport,
    build=lambda asked: metric_means_report(asked.data, asked.question, asked.progress),
    present=present,
    cost=_cost,
    tables=TABLES,
    figures=metric_means_figures,
    picture=("system-means", "differences"),
    sections={"system-means": "Systems with intervals", "differences": "Differences"},
    flat=("differences",),
    offers=offers,
    statistics=True,
)
