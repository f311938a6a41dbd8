"""The page of metric scores by themselves: how metrics go together, and what they score high."""

from typing import Any
from urllib.parse import urlencode

from analysis.charts.chart import format_number
from analysis.filter.question import SETTINGS
from analysis.reports.kind import Pairs, Report, ReportKind, Size
from analysis.reports.offers import first_is_default
from analysis.reports.scores.figures import score_figures
from analysis.reports.scores.report import Extreme, GroupScores, ScoresReport, scores_report
from analysis.reports.scores.summary import score_sentences
from analysis.reports.scores.tables import TABLES
from analysis.views.address import Address
from analysis.wording import column_labels, selection_words

SIDES = {"above": "What people wrote scores higher", "below": "Systems score higher"}


def present(report: Report[ScoresReport], address: Address) -> dict[str, Any]:
    """Return the distributions of every metric and the extreme segments of the chosen one."""
    content = report.content
    labels = column_labels(content.columns)
    chosen = address.choices.distribution
    place = labels.index(chosen) if chosen in labels else 0
    return {
        "selection": selection_words(address.question),
        "summary": score_sentences(content, place),
        "labels": labels,
        "rows": [_row(row, labels) for row in content.distributions],
        "trained": [
            (label, column.trained)
            for label, column in zip(labels, content.columns, strict=True)
            if column.trained
        ],
        "chosen": labels[place] if labels else "",
        "extremes": [
            (words, [_extreme(row) for row in content.extremes if _is(row, place, side)])
            for side, words in SIDES.items()
            if any(_is(row, place, side) for row in content.extremes)
        ],
        "matrix_signature": content.matrix.signature,
    }


def _is(row: Extreme, place: int, side: str) -> bool:
    return row.column == place and row.side == side


def _row(row: GroupScores, labels: list[str]) -> dict[str, Any]:
    _, low, quarter, median, three_quarters, high, _ = map(format_number, row.quantiles)
    return {
        "metric": labels[row.column],
        "group": row.group,
        "n": row.n,
        "missing": row.missing,
        "mean": format_number(row.mean),
        "sd": format_number(row.sd),
        "quantiles": (low, quarter, median, three_quarters, high),
    }


def _extreme(row: Extreme) -> dict[str, Any]:
    return {
        "segment": row.segment,
        "link": f"../disagreement/?{urlencode({'segment': row.segment})}",
        "numbers": [format_number(value) for value in (row.people, row.systems, row.gap)],
    }


def offers(report: Report[ScoresReport] | None) -> dict[str, Pairs]:
    """Return the metrics whose distribution can be shown."""
    if report is None or not report.content.columns:
        return {}
    return {"distribution": first_is_default(column_labels(report.content.columns))}


def _cost(size: Size) -> int:
    columns = len(size.columns)
    return columns * len(size.data.segment_of_output) * (20 + columns)


KIND = ReportKind(
    key="scores",
    fields=(
        *("aspect", "statistic", "level", *SETTINGS, "direction", "humans"),
        *("distribution", "metric", "systems", "leave_out", "where"),
    ),
    values={"statistic": ("pearson", "spearman")},
    content=ScoresReport,
    build=lambda asked: scores_report(asked.data, asked.question),
    present=present,
    cost=_cost,
    tables=TABLES,
    figures=score_figures,
    picture=("metric-matrix", "score-distributions"),
    sections={
        "metric-matrix": "Metrics beside metrics",
        "score-distributions": "Sources, references, outputs",
        "system-distributions": "System by system",
    },
    flat=("metric-matrix",),
    offers=offers,
)
