"""The page of metric scores by themselves: how metrics go together, and what they score high."""

from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

from analysis.charts.chart import format_number
from analysis.filter.question import SETTINGS
from analysis.reports.kind import Early, Pairs, Report, ReportKind, Size
from analysis.reports.metric_groups import by_comparison, named
from analysis.reports.offers import first_is_default
from analysis.reports.page_address import Address
from analysis.reports.scores.figures import score_figures
from analysis.reports.scores.report import Extreme, GroupScores, ScoresReport, scores_report
from analysis.reports.scores.summary import score_sentences
from analysis.reports.scores.tables import TABLES
from analysis.reports.summaries import decimals_of
from analysis.stats.systems.distribution import Commonest
from analysis.wording import column_labels, metric_labels, selection_words

SIDES = {"above": "What people wrote scores higher", "below": "Systems score higher"}


def present(report: Report[ScoresReport], address: Address) -> dict[str, Any]:
    """Return the distributions of every metric and the extreme segments of the chosen one."""
    content = report.content
    labels, names = column_labels(content.columns), metric_labels(content.columns)
    chosen = address.choices.distribution
    place = labels.index(chosen) if chosen in labels else 0
    return {
        "selection": selection_words(address.question),
        "summary": score_sentences(content, place),
        "labels": labels,
        "groups": by_comparison(
            [
                _row(row, labels) | named(content.columns[row.column], names)
                for row in content.distributions
            ]
        ),
        "trained": [
            (label, column.trained)
            for label, column in zip(labels, content.columns, strict=True)
            if column.trained
        ],
        "chosen": labels[place] if labels else "",
        "commonest": [
            _commonest(group, counts, each)
            for row in content.histograms
            if row.column == place
            for group, counts, each in zip(
                row.groups, row.bins.counts, row.bins.commonest, strict=True
            )
            if each
        ],
        "extremes": [
            (words, [_extreme(row) for row in content.extremes if _is(row, place, side)])
            for side, words in SIDES.items()
            if any(_is(row, place, side) for row in content.extremes)
        ],
    }


def _is(row: Extreme, place: int, side: str) -> bool:
    return row.column == place and row.side == side


def _row(row: GroupScores, labels: list[str]) -> dict[str, Any]:
    shown = partial(format_number, decimals=decimals_of(row.quantiles))
    _, low, quarter, median, three_quarters, high, _ = map(shown, row.quantiles)
    return {
        "metric": labels[row.column],
        "group": row.group,
        "n": row.n,
        "missing": row.missing,
        "mean": shown(row.mean),
        "sd": shown(row.sd),
        "quantiles": (low, quarter, median, three_quarters, high),
    }


def _commonest(group: str, counts: Sequence[int], found: Commonest) -> dict[str, Any]:
    return {
        "group": group,
        "score": format_number(found.value, decimals_of([found.value])),
        "count": found.count,
        "n": sum(counts),
        "share": 100 * found.count / sum(counts),
    }


def _extreme(row: Extreme) -> dict[str, Any]:
    numbers = (row.people, row.systems, row.gap)
    decimals = decimals_of(numbers)
    return {
        "segment": row.segment,
        "link": f"../disagreement/?{urlencode({'segment': row.segment})}",
        "numbers": [format_number(value, decimals) for value in numbers],
    }


def offers(report: Report[ScoresReport] | None) -> dict[str, Pairs]:
    """Return the metrics whose distribution can be shown."""
    if report is None or not report.content.columns:
        return {}
    return {"distribution": first_is_default(column_labels(report.content.columns))}


def _cost_of_values(size: Size) -> int:
    return 6 * len(size.columns) * len(size.data.segment_of_output)


def _cost(size: Size) -> int:
    """Estimate the work as `analysis.reports.service.cost` counts it, from measured times."""
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
    content=ScoresReport,
    build=lambda asked: scores_report(asked.data, asked.question, matrix=not asked.early),
    present=present,
    early=Early(
        cost=_cost_of_values, awaits=_awaited, rest="the correlations of metrics with each other"
    ),
    cost=_cost,
    tables=TABLES,
    figures=score_figures,
    picture=("metric-matrix", "score-distributions"),
    sections={
        "metric-matrix": "Metrics beside metrics",
        "score-distributions": "Sources, references, outputs",
        "score-histograms": "How often which score",
        "system-distributions": "System by system",
    },
    flat=("metric-matrix",),
    offers=offers,
)
