"""The page of metric scores by system, with tests of their differences."""

from collections.abc import Sequence
from typing import Any

from analysis.data.selection import select
from analysis.filter.question import DRAWS, SETTINGS
from analysis.reports.better_sides import BETTER, better_sides
from analysis.reports.comparison.page import compared, ranked
from analysis.reports.kind import Early, Pairs, Report, ReportKind, Size
from analysis.reports.metric_groups import by_comparison, named
from analysis.reports.metric_means.by_direction import directions_of
from analysis.reports.metric_means.direction_figures import NAME, panel_labels
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
from analysis.reports.metric_means.trade_off_figures import STYLE, axis_labels
from analysis.reports.offers import first_is_default
from analysis.reports.page_address import Address
from analysis.reports.ranking.trade_off_figures import COSTS
from analysis.reports.summaries import decimals_of
from analysis.reports.system_groups import shown_groups
from analysis.shown_numbers import number
from analysis.wording import METRIC_TESTS, column_labels, metric_labels, selection_words


def present(report: Report[MetricMeansReport], address: Address) -> dict[str, Any]:
    """Return every number, and the systems compared by one metric."""
    content, question = report.content, address.question
    labels, names = column_labels(content.columns), metric_labels(content.columns)
    tested = content.tested
    shown: dict[str, Any] = {
        "selection": selection_words(question),
        "segments": content.segments,
        "systems": content.systems,
        "has_baselines": any(system.baseline for system in content.systems),
        "groups": by_comparison(
            [
                _row(row, content.columns[row.column], labels[row.column], content.segments)
                | named(content.columns[row.column], names)
                for row in content.rows
            ]
        ),
        "values": {(each.value, each.toward_target) for each in content.columns},
        "better_sides": better_sides(
            (labels[row.column], _better(content.columns[row.column])) for row in content.rows
        ),
        "compositions": _compositions(content, labels),
        "tested": tested,
    }
    if tested is None:
        return shown
    systems = [each.system for each in tested.systems]
    column = content.columns[tested.column]
    return shown | {
        "system_groups": shown_groups(content),
        "summary": tested_sentences(content, tested, question),
        "ranked": ranked((each.system, each.result, each) for each in tested.systems),
        "left_out": [(each.system, each.reason) for each in tested.left_out],
        "value": column.value.capitalize() + (", turned" if tested.turned else ""),
        "better": _better(column),
        **compared(tested.pairs, systems, question, "Δ"),
        "decided_by": METRIC_TESTS[question.test],
        "tests": [
            METRIC_TESTS[name]
            for name in sorted(KIND.values["test"], key=lambda t: t != question.test)
        ],
    }


def _row(row: MeansRow, column: MeansColumn, label: str, segments: int) -> dict[str, Any]:
    most = max((result.n for result in row.results), default=0)
    return {
        "most": most if 0 < most < segments else 0,
        "label": label,
        "value": column.value,
        "toward_target": column.toward_target,
        "decimals": decimals_of(result.value for result in row.results),
        "cells": [
            (number(result), rank, result.n if 0 < result.n < most else 0)
            for result, rank in zip(row.results, row.ranks, strict=True)
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
    if column.better == "target" and column.target is not None:
        return f"nearer {column.target:g} is better"
    return BETTER[column.better]


def offers(report: Report[MetricMeansReport] | None) -> dict[str, Pairs]:
    """Return the tests, and the metrics that systems can be compared by."""
    offered: dict[str, Pairs] = {
        "test": tuple(
            ("" if name == "permutation" else name, METRIC_TESTS[name])
            for name in KIND.values["test"]
        )
    }
    if report is None:
        return offered
    content = report.content
    for field, families in (("style_axis", (STYLE,)), ("other_axis", COSTS)):
        if len(found := axis_labels(content, *families)) > 1:
            offered[field] = first_is_default(found)
    offered["panels"] = tuple((label, label) for label in panel_labels(content))
    if content.tested is None:
        return offered
    labels = column_labels(content.columns)
    usable = [
        label
        for label, row in zip(labels, content.rows, strict=True)
        if any(rank is not None for rank in row.ranks)
    ]
    return offered | {"tested": (("", "the first that can"), *((label, label) for label in usable))}


def _sums(size: Size) -> list[int]:
    return [max(2, len(column.run.statistics)) for column in size.columns]


def _cost(size: Size) -> int:
    segments = select(size.data, size.question).segments.tolist()
    directions = len(directions_of(size.data, segments))
    return metric_means_cost(size.question, size.segments, size.systems, _sums(size), directions)


KIND = ReportKind(
    key="metric-means",
    fields=(
        *("tested", "test", "correction", "aggregate", "aspect", *SETTINGS),
        *("panels", "style_axis", "other_axis"),
        *("direction", "humans", "metric", "systems", "leave_out", "where", "margin", *DRAWS),
    ),
    values={"test": ("permutation", "bootstrap")},
    content=MetricMeansReport,
    build=lambda asked: metric_means_report(
        asked.data, asked.question, asked.bootstrap, asked.progress
    ),
    present=present,
    early=Early(
        cost=lambda size: size.cells * sum(_sums(size)),
        awaits=lambda content: (
            ("differences",) * bool(content.tested and len(content.tested.systems) > 1)
        ),
    ),
    cost=_cost,
    tables=TABLES,
    figures=metric_means_figures,
    picture=("system-means", "differences", NAME),
    sections={
        NAME: "Several metrics by direction",
        "system-means": "Systems with intervals",
        "differences": "Differences",
        "trade-off": "What style costs",
    },
    flat=("differences",),
    offers=offers,
    statistics=True,
)
