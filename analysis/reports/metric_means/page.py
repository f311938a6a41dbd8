"""The page of metric scores by system, with tests of their differences."""

from collections.abc import Iterator, Sequence
from typing import Any

from analysis.data.selection import select
from analysis.filter.field import Pairs
from analysis.filter.question import DRAWS, SETTINGS, Question
from analysis.reports.grouping import grouped
from analysis.reports.kind import Early, Report, ReportKind, Size
from analysis.reports.metric_means.figures import (
    NAME,
    STYLE,
    axis_labels,
    metric_means_figures,
    panel_labels,
)
from analysis.reports.metric_means.report import (
    MeansColumn,
    MeansRow,
    MetricMeansReport,
    directions_of,
    metric_means_cost,
    metric_means_report,
)
from analysis.reports.metric_means.system_tests import SystemTests
from analysis.reports.metrics_listed import (
    BETTER,
    better_sides,
    by_comparison,
    first_is_default,
    named,
)
from analysis.reports.page_address import Address
from analysis.reports.pair_tests import PLACES, TEST_COLUMNS, compared, ranked, tests_of
from analysis.reports.ranking.page import COSTS
from analysis.reports.summaries import Sentence, listed, said
from analysis.reports.system_groups import group_tables, shown_groups
from analysis.reports.table import Parts, Table
from analysis.tables.flat_table import METRIC_COLUMNS, RESULT_COLUMNS
from analysis.verdicts.contest import (
    Contest,
    answered,
    contest_sentences,
    verdict_of,
    verdict_words,
)
from analysis.wording import METRIC_TESTS, column_labels, metric_labels


def tested_sentences(
    content: MetricMeansReport, tested: SystemTests, question: Question
) -> list[Sentence]:
    """Say which system has the best score by the tested metric, and what tests detected."""
    contest = Contest(
        [each.system for each in tested.systems], tested.pairs, "systems", "Δ", question
    )
    evidence = contest_sentences(contest)
    if len(contest.names) < 2:
        return evidence + fewer_outputs(tested)
    column = content.columns[tested.column]
    best, worse, worst = "best", "worse", "the worst"
    compares_source = column.compared_to == "source" and column.better in ("higher", "lower")
    if compares_source:
        # Being near the source is no merit by itself.
        ends = ("highest", "lower", "the lowest"), ("lowest", "higher", "the highest")
        best, worse, worst = ends[column.better == "lower"]
    lead, rest = verdict_words(
        verdict_of(contest),
        first=f"has the {best} {column.value}",
        lower=worse,
        last=worst,
        on=f" by {tested.label}",
    )
    said_of_all = answered(lead, rest, evidence, is_told=not contest.detected)
    if compares_source:
        said_of_all.append(
            said(
                f"{tested.label} compares outputs with their sources, so a system that changes "
                "little can lead by it: that alone does not make it better."
            )
        )
    return said_of_all + fewer_outputs(tested)


def fewer_outputs(tested: SystemTests) -> list[Sentence]:
    """Say which systems have a score of fewer outputs than the others, if any have."""
    most = max((each.result.n for each in tested.systems), default=0)
    short = [f"{each.system} ({each.result.n})" for each in tested.systems if each.result.n < most]
    if not short:
        return []
    return [
        said(
            f"By {tested.label}, systems are scored over fewer than {most} outputs where the rest "
            f"has no score: {listed(short)}. Their ranks are not comparable with the others."
        )
    ]


def _numbers(content: MetricMeansReport) -> Iterator[Parts]:
    for column, row in zip(content.columns, content.rows, strict=True):
        for system, result, rank in zip(content.systems, row.results, row.ranks, strict=True):
            yield column, system, {"rank": rank}, result


def _directions(content: MetricMeansReport) -> Iterator[Parts]:
    for each in content.directions:
        for column, results in zip(content.columns, each.results, strict=True):
            for system, result in zip(content.systems, results, strict=True):
                yield each, column, system, result


def _pairs(content: MetricMeansReport) -> Iterator[Parts]:
    if tested := content.tested:
        for pair in tested.pairs:
            names = (tested.systems[place].system for place in (pair.first, pair.second))
            both = dict(zip(("system", "other_system"), names, strict=True))
            yield from tests_of(pair, tested, both)


TABLES: tuple[Table[Any], ...] = (
    Table(
        "metric-means",
        "Metric scores by system, one number a row",
        "rows",
        (
            *(*METRIC_COLUMNS, "number", "better", "system", "human_written", "baseline", "rank"),
            *RESULT_COLUMNS,
        ),
        _numbers,
        ("metric", "compared_to", "system", "rank", "value", "low", "high", "n"),
    ),
    Table(
        "directions",
        "Metric scores by system and direction, one number a row",
        "directions",
        (
            *(*METRIC_COLUMNS, "number", "better", "direction", "system", "human_written"),
            *RESULT_COLUMNS,
        ),
        _directions,
        ("metric", "compared_to", "direction", "system", "value", "low", "high", "n"),
    ),
    Table(
        "systems",
        "Systems by the metric tested, with rank ranges",
        "tested.systems",
        ("metric", "system", *PLACES, *RESULT_COLUMNS),
    ),
    Table(
        "pairs",
        "Differences between every two systems by that metric, one test a row",
        "tested",
        ("metric", "system", "other_system", *TEST_COLUMNS, *RESULT_COLUMNS),
        _pairs,
        ("system", "other_system", "test", "value", "low", "high", "p_value", "holm"),
    ),
    *group_tables("the metric tested"),
)


def present(report: Report[MetricMeansReport], address: Address) -> dict[str, Any]:
    """Return every number, and the systems compared by one metric."""
    content, question = report.content, address.question
    labels, names = column_labels(content.columns), metric_labels(content.columns)
    tested = content.tested
    shown: dict[str, Any] = {
        "has_baselines": any(system.baseline for system in content.systems),
        "groups": by_comparison(
            [
                _row(row, column, label, content.segments) | named(column, names)
                for row, column, label in zip(content.rows, content.columns, labels, strict=True)
            ]
        ),
        "values": {(each.value, each.toward_target) for each in content.columns},
        "better_sides": better_sides(
            (label, _better(column)) for label, column in zip(labels, content.columns, strict=True)
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
        "ranked": ranked(systems, tested.systems),
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
    return vars(row) | {
        "most": most if 0 < most < segments else 0,
        "label": label,
        "value": column.value,
        "toward_target": column.toward_target,
        "cells": [
            (result, rank, result.n if 0 < result.n < most else 0)
            for result, rank in zip(row.results, row.ranks, strict=True)
        ],
    }


def _compositions(content: MetricMeansReport, labels: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return what metrics are made of, each with the metrics that are."""
    made = [(column.made_of, label) for column, label in zip(content.columns, labels, strict=True)]
    found = grouped((each for each in made if each[0]), lambda each: each[0])
    return [(made_of, [label for _, label in own]) for made_of, own in found.items()]


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
    build=metric_means_report,
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
