"""The page of metric scores by themselves: how metrics go together, and what they score high."""

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from itertools import combinations
from typing import Any

from analysis.charts.bars import score_distributions
from analysis.charts.chart import counted, decimals_of, format_number
from analysis.charts.heat_map import metric_matrix
from analysis.charts.outputs import histograms
from analysis.charts.table import Row
from analysis.explorer.links import metric_link
from analysis.filter.field import Pairs
from analysis.filter.question import SETTINGS, Question
from analysis.reports.figure import Figure, box, figure
from analysis.reports.kind import Early, Report, ReportKind, Size
from analysis.reports.metrics_listed import by_comparison, chosen_place, first_is_default, named
from analysis.reports.page_address import Address, Choices
from analysis.reports.scores.report import ScoreHistogram, ScoresReport, scores_report
from analysis.reports.summaries import MOST_NAMED, Sentence, digits, listed, said
from analysis.reports.table import Parts, Table, compared_with
from analysis.tables.flat_table import METRIC_COLUMNS
from analysis.wording import COEFFICIENTS, column_labels, metric_labels

ALIKE = 0.9
"""From where on two metrics are counted as saying the same: 81 % of the variance is shared."""
AS_THEY_ARE = "as they are, not turned"


def _alike(content: ScoresReport) -> Iterator[Sentence]:
    """Say which metrics go together."""
    labels, matrix = column_labels(content.columns), content.matrix
    if matrix is None:
        return
    known = [
        (value, f"{labels[one]} and {labels[other]}")
        for one, other in combinations(range(len(labels)), 2)
        if (value := matrix.values[one][other]) is not None
    ]
    if not known:
        return
    known.sort(key=lambda entry: -entry[0])
    alike = [f"{names} ({format_number(value, 2)})" for value, names in known if value >= ALIKE]
    coefficient, over = COEFFICIENTS[matrix.statistic], f"{matrix.level}s"
    over = "outputs" if matrix.level == "segment" else over
    many = f"{len(alike)} of {counted(len(known), 'pair')}" if alike else "No pair"
    start = (
        f"{many} of metrics {'correlate' if len(alike) > 1 else 'correlates'} at {ALIKE} or above "
        f"over {over} ({coefficient})"
    )
    if alike:
        more = len(alike) - MOST_NAMED
        yield said(
            f"{start}: {listed(alike[:MOST_NAMED])}{f', and {more} more' if more > 0 else ''}."
        )
    else:
        value, names = known[0]
        yield said(f"{start}; the most alike are {names} ({format_number(value, 2)}).")
    if len(known) > 1:
        value, names = known[-1]
        yield said(f"The least alike are {names} ({format_number(value, 2)}).")


def _medians(content: ScoresReport, chosen: int) -> Iterator[Sentence]:
    """Say how the chosen metric scores what people wrote."""
    found = [
        f"{row.group} {digits(row.quantiles[3])}"
        for row in content.distributions
        if row.column == chosen
    ]
    if len(found) > 1:
        label = column_labels(content.columns)[chosen]
        yield said(f"Median score by {label}: {listed(found)}.")


def score_figures(content: ScoresReport, question: Question, choices: Choices) -> Iterator[Figure]:
    """Yield the matrix of metrics and the distributions of one metric.

    Raises
    ------
    QuestionError
        If the report has no metric of the chosen name.
    """
    labels, matrix = column_labels(content.columns), content.matrix
    if not labels:
        return
    place = chosen_place("distribution", choices.distribution, labels)
    if matrix and len(labels) > 1:
        links = [metric_link(question, column) for column in content.columns]
        unit = "systems" if matrix.level == "system" else "outputs"
        yield figure(
            "metric-matrix",
            metric_matrix,
            partial(matrix.rows, labels, links),
            "higher is better where that is declared; ordered by hierarchical clustering",
            order=[labels[index] for index in matrix.order],
            title="Metrics compared with each other",
            statistic=f"{COEFFICIENTS[matrix.statistic]} over {unit}",
        )
    yield from _of_metric(content, question, place, labels[place])


def _of_metric(
    content: ScoresReport, question: Question, place: int, label: str
) -> Iterator[Figure]:
    """Yield one metric's scores by kind of text, how often it gives which, and by system."""
    column = content.columns[place]
    kinds = [row for row in content.distributions if row.column == place]
    systems = [row for row in content.system_distributions if row.column == place]
    bins = [row for row in content.histograms if row.column == place]
    yield figure(
        "score-distributions",
        score_distributions,
        lambda: (box(row.group, row, metric_link(question, column)) for row in kinds),
        AS_THEY_ARE,
        title=f"Scores of {label}",
        metric=label,
    )
    if bins:
        yield figure(
            "score-histograms",
            histograms,
            lambda: (row for found in bins for row in _bins(found)),
            f"share of the texts of each kind; {AS_THEY_ARE}",
            title=f"How often which score of {label}",
            score=label,
        )
    if systems:
        yield figure(
            "system-distributions",
            score_distributions,
            lambda: (
                box(row.system, row, metric_link(question.but(systems=(row.system,)), column))
                for row in systems
            ),
            AS_THEY_ARE,
            title=f"Scores of {label}, system by system",
            metric=label,
            things="System",
        )


def _bins(found: ScoreHistogram) -> Iterator[Row]:
    """Yield the bins of a metric, of one kind of text after another."""
    edges = found.bins.edges
    for group, counts in zip(found.groups, found.bins.counts, strict=True):
        for low, high, n in zip(edges, edges[1:], counts, strict=False):
            yield {"group": group, "low": low, "high": high, "n": n, "share": n / sum(counts)}


_OTHER = tuple(f"other_{key}" for key in METRIC_COLUMNS)
_COUNTED = ("n", "missing", "mean", "sd")
_QUANTILES = ("minimum", "q05", "q25", "median", "q75", "q95", "maximum")
_FACTS = ("side", "segment", "people", "systems", "gap")


def _pairs(content: ScoresReport) -> Iterator[Parts]:
    if matrix := content.matrix:
        for first, second, numbers in matrix.pairs():
            other = compared_with(content.columns[second])
            yield matrix, content.columns[first], other, numbers


def _distributions(content: ScoresReport) -> Iterator[Parts]:
    for row in content.distributions:
        quantiles = dict(zip(_QUANTILES, row.quantiles, strict=True))
        yield content.columns[row.column], row, {"texts": row.group} | quantiles


def _histograms(content: ScoresReport) -> Iterator[Parts]:
    for row in content.histograms:
        for each in _bins(row):
            yield content.columns[row.column], each, {"texts": each["group"]}


TABLES: tuple[Table[Any], ...] = (
    Table(
        "metric-matrix",
        "Correlations of metrics with metrics",
        "columns",
        (*METRIC_COLUMNS, *_OTHER, "value", "n", "signature"),
        _pairs,
    ),
    Table(
        "distributions",
        "Distributions of scores",
        "distributions",
        (*METRIC_COLUMNS, "texts", *_COUNTED, *_QUANTILES),
        _distributions,
    ),
    Table(
        "histograms",
        "Histograms of scores, one bin a row",
        "histograms",
        (*METRIC_COLUMNS, "texts", "low", "high", "n", "share"),
        _histograms,
    ),
    Table(
        "extremes",
        "Segments where human and system scores are furthest apart",
        "extremes",
        (*METRIC_COLUMNS, *_FACTS),
        lambda content: ((content.columns[row.column], row) for row in content.extremes),
    ),
)


SIDES = {"above": "Human-written texts score higher", "below": "Systems score higher"}


def present(report: Report[ScoresReport], address: Address) -> dict[str, Any]:
    """Return the distributions of every metric and the extreme segments of the chosen one."""
    content = report.content
    labels, names = column_labels(content.columns), metric_labels(content.columns)
    chosen = address.choices.distribution
    place = labels.index(chosen) if chosen in labels else 0
    return {
        "summary": (*_alike(content), *_medians(content, place)),
        "labels": labels,
        "groups": by_comparison(
            [
                asdict(row) | {"metric": label} | named(content.columns[row.column], names)
                for row in content.distributions
                for label in (labels[row.column],)
            ]
        ),
        "trained": [
            (label, column.trained)
            for label, column in zip(labels, content.columns, strict=True)
            if column.trained
        ],
        "chosen": labels[place] if labels else "",
        "commonest": [
            asdict(each)
            | {"group": group, "n": sum(counts), "share": 100 * each.count / sum(counts)}
            | {"decimals": decimals_of([each.value])}
            for row in content.histograms
            if row.column == place
            for group, counts, each in zip(
                row.groups, row.bins.counts, row.bins.commonest, strict=True
            )
            if each
        ],
        "extremes": [
            (words, found)
            for side, words in SIDES.items()
            if (found := [e for e in content.extremes if (e.column, e.side) == (place, side)])
        ],
    }


def offers(report: Report[ScoresReport] | None) -> dict[str, Pairs]:
    """Return the metrics whose distribution can be shown."""
    if report is None or not report.content.columns:
        return {}
    return {"distribution": first_is_default(column_labels(report.content.columns))}


def _cost_of_values(size: Size) -> int:
    return 6 * len(size.columns) * len(size.data.segment_of_output)


def _cost(size: Size) -> int:
    """Estimate the work as `Snapshot.cost` counts it, from measured times."""
    columns, ranks = len(size.columns), 9 * (size.question.statistic == "spearman")
    of_matrix = columns * (1 + columns // 12 + ranks) if size.question.level == "segment" else 0
    return _cost_of_values(size) + of_matrix * size.cells


def _awaited(content: ScoresReport) -> tuple[str, ...]:
    return ("metric-matrix",) if content.matrix is None and len(content.columns) > 1 else ()


KIND = ReportKind(
    key="scores",
    fields=(
        *("aspect", "statistic", "level", *SETTINGS, "direction", "humans"),
        *("distribution", "metric", "systems", "leave_out", "where"),
    ),
    values={"statistic": ("pearson", "spearman")},
    build=scores_report,
    present=present,
    early=Early(
        cost=_cost_of_values, awaits=_awaited, rest="the correlations of metrics with each other"
    ),
    cost=_cost,
    tables=TABLES,
    figures=score_figures,
    picture=("metric-matrix", "score-distributions"),
    sections={
        "metric-matrix": "Metrics compared with each other",
        "score-distributions": "Sources, references, outputs",
        "score-histograms": "How often which score",
        "system-distributions": "System by system",
    },
    flat=("metric-matrix",),
    offers=offers,
)
