"""The page that says what moves judges and metrics."""

from typing import Any

from analysis.estimates.evaluation import check_scale_aspect
from analysis.filter.question import RATINGS, SETTINGS
from analysis.reports.kind import Report, ReportKind, Size
from analysis.reports.offers import aspect_offer
from analysis.reports.page_address import Address
from analysis.reports.picked_metrics import picked_words
from analysis.reports.probes.report import (
    OF_COPIES,
    OF_PAIRS,
    OF_SCORES,
    ProbesReport,
    probes_report,
)
from analysis.reports.probes.summary import probes_sentences
from analysis.reports.probes.tables import TABLES
from analysis.shown_numbers import number
from analysis.wording import aspect_heading, column_labels, reasons, selection_words


def present(report: Report[ProbesReport], address: Address) -> dict[str, Any]:
    """Return one row a metric, one a run of probes, and one a judge of pairs."""
    content = report.content
    labels = column_labels(content.rows)
    return {
        "selection": selection_words(address.question),
        "picked": picked_words(content.picked, content.aspect, address),
        "summary": probes_sentences(content),
        "aspect": content.aspect,
        "heading": aspect_heading(content.aspect),
        "systems": content.systems,
        "segments": content.segments,
        "rows": [
            {
                "name": label,
                "trained": row.trained,
                "prompts": row.prompts if row.prompts > 1 else None,
                "numbers": [number(row.results[name]) for name in OF_SCORES],
            }
            for label, row in zip(labels, content.rows, strict=True)
        ],
        "copies": [
            {
                "model": row.model,
                "outputs": row.outputs,
                "numbers": [number(row.results[name]) for name in OF_COPIES],
            }
            for row in content.copies
        ],
        "pairs": [
            {
                "name": row.name,
                "aspect": row.aspect,
                "pairs": row.pairs,
                "numbers": [number(row.results[name]) for name in OF_PAIRS],
            }
            for row in content.pairs
        ],
        "left_out": reasons(content.left_out),
    }


def _cost(size: Size) -> int:
    return len(size.columns) * size.cells * 20 + size.cells * 10


KIND = ReportKind(
    key="probes",
    lays_out=lambda data: bool(data.judgements.on_scale or data.by_models),
    fields=(
        *("aspect", "candidates", *SETTINGS, "direction", "humans", *RATINGS),
        *("metric", "systems", "leave_out", "where"),
    ),
    content=ProbesReport,
    build=lambda asked: probes_report(asked.data, asked.question, asked.progress),
    check=check_scale_aspect,
    present=present,
    cost=_cost,
    tables=TABLES,
    offers=aspect_offer,
)
