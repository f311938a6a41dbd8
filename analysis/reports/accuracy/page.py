"""The page of accuracies: metrics beside what the noise of the raters allows."""

from typing import Any

from analysis.estimates.ceilings import NAMES as CEILINGS
from analysis.filter.question import DRAWS, OF_Z, RATINGS, SETTINGS
from analysis.reports.accuracy.figures import CHARTS, accuracy_figures
from analysis.reports.accuracy.report import NAMES, AccuracyReport, accuracy_report
from analysis.reports.accuracy.summary import accuracy_sentences
from analysis.reports.accuracy.tables import TABLES
from analysis.reports.kind import Early, Report, ReportKind, Size
from analysis.reports.offers import aspect_offer
from analysis.reports.page_address import Address
from analysis.reports.picked_metrics import picked_words
from analysis.shown_numbers import number
from analysis.wording import aspect_heading, column_labels, reasons, selection_words, variant_words

HALVES = {
    "tau-like": "One half of the raters beside the other, τ-like",
    "system_pairs": "One half of the raters beside the other, pairs of systems",
}


def present(report: Report[AccuracyReport], address: Address) -> dict[str, Any]:
    """Return what noise allows, and one row a metric."""
    content, question = report.content, address.question
    return {
        "selection": selection_words(question),
        "picked": picked_words(content.picked, content.aspect, address),
        "variants": variant_words(question),
        "summary": accuracy_sentences(content),
        "aspect": content.aspect,
        "heading": aspect_heading(content.aspect),
        "systems": content.systems,
        "segments": content.segments,
        "headings": list(NAMES.values()),
        "noise": [
            (words, number(results[name]))
            for results, names in ((content.ceilings, CEILINGS), (content.halves, HALVES))
            for name, words in names.items()
            if name in results
        ],
        "rows": [
            (
                label,
                row.trained,
                [number(row.results[name]) if name in row.results else None for name in NAMES],
            )
            for label, row in zip(column_labels(content.rows), content.rows, strict=True)
        ],
        "left_out": reasons(content.left_out),
    }


def _cost(size: Size) -> int:
    squared = size.systems * size.systems
    per_metric = size.segments * (3000 + squared * 100) * size.question.resamples // 1000
    return len(size.columns) * per_metric + 100 * size.segments * squared * 20


KIND = ReportKind(
    key="accuracy",
    fields=(
        *("aspect", "candidates", *SETTINGS, "direction", "humans", *RATINGS),
        *("metric", "systems", "leave_out", "where", "scores", "ddof", *DRAWS),
    ),
    needs={"ddof": OF_Z},
    content=AccuracyReport,
    build=lambda asked: accuracy_report(
        asked.data, asked.question, asked.bootstrap, asked.progress, asked.divide
    ),
    present=present,
    early=Early(
        cost=lambda size: len(size.columns) * size.segments * (60 + size.systems**2),
    ),
    cost=_cost,
    tables=TABLES,
    figures=accuracy_figures,
    picture=tuple(CHARTS.values()),
    sections={"accuracy-systems": "Pairs of systems", "accuracy-outputs": "Pairs of outputs"},
    offers=aspect_offer,
)
