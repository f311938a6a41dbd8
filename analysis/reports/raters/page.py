"""The page that shows each rater beside the others."""

from collections.abc import Sequence
from typing import Any

from analysis.charts.chart import format_number
from analysis.filter.question import DRAWS, RATINGS
from analysis.reports.kind import Early, Report, ReportKind
from analysis.reports.page_address import Address
from analysis.reports.raters.divided import Divided
from analysis.reports.raters.figures import rater_figures
from analysis.reports.raters.report import Rater, RatersReport, Side, raters_report
from analysis.reports.raters.summary import rater_sentences
from analysis.reports.raters.tables import TABLES
from analysis.reports.summaries import decimals_of
from analysis.shown_numbers import number
from analysis.stats.results import Undefined
from analysis.wording import aspect_heading, selection_words

MOST_LISTED = 200
"""Raters by side on the page; a download has all."""
LONG_RUN = 10
"""Equal answers in a row from which on they are marked."""
DIVISIONS = {
    "entropy": "Mean entropy, of the largest possible",
    "ordinal-agreement": "Mean agreement A of an item",
    "polarised": "Items with A below 0, %",
    "bimodal": "Items with two peaks, of those with ten answers, %",
}
"""Results of a divided aspect in words."""
SHARES = ("polarised", "bimodal")
RESULTS = ("severity", "spread", "agreement", "icc-without", "alpha-without", "order-without")


def present(report: Report[RatersReport], address: Address) -> dict[str, Any]:
    """Return one table an aspect."""
    content = report.content
    return {
        "selection": selection_words(address.question.but(humans="out")),
        "summary": rater_sentences(content),
        "panels": [
            {
                "aspect": overall.aspect,
                "heading": aspect_heading(overall.aspect),
                "place": place,
                "overall": [number(overall.icc), number(overall.alpha)],
                "timed": any(row.median_seconds is not None for row in rows),
                "rows": [_row(row, report.early) for row in rows],
                "decimals": decimals_of(
                    row.results["severity"].value for row in rows if "severity" in row.results
                ),
            }
            for place, overall in enumerate(content.overall, 1)
            if (rows := [row for row in content.rows if row.aspect == overall.aspect])
            or len(content.matrices[place - 1].raters) > 1
        ],
        "sides": [
            {"rater": side.rater, "number": number(side.result, percent=True)}
            for side in _listed(content.sides)
        ],
        "all_sides": len(content.sides),
        "labels": [
            {
                "aspect": found.aspect,
                "heading": aspect_heading(found.aspect),
                "items": found.items,
                "starts": found.starts,
                "prevalence": [
                    (category, number(share))
                    for category, share in zip(found.categories, found.prevalence, strict=True)
                ],
                "raters": [
                    {
                        "rater": each.rater,
                        "labels": each.labels,
                        "accuracy": number(each.accuracy),
                        "competence": format_number(each.competence, 2),
                    }
                    for each in found.raters
                ],
            }
            for found in content.labels
        ],
        "divided": [_divided(found) for found in content.divided],
        "long_run": LONG_RUN,
        "unnamed": content.unnamed,
    }


def _divided(found: Divided) -> dict[str, Any]:
    """Return how far raters are divided over an aspect, and over which items most."""
    return {
        "aspect": found.aspect,
        "heading": aspect_heading(found.aspect),
        "items": found.items,
        "kept": len(found.soft.segment),
        "ordered": found.ordered,
        "has_modes": any(item.bimodality is not None for item in found.most),
        "facts": [
            (words, number(found.results[name], percent=name in SHARES), 1 if name in SHARES else 2)
            for name, words in DIVISIONS.items()
            if found.ordered or name == "entropy"
        ],
        "most": [
            {
                "segment": item.segment,
                "system": f"{item.system}, {item.other}" if item.other else item.system,
                "answers": ", ".join(
                    f"{count} × {category}"
                    for category, count in zip(found.categories, item.counts, strict=True)
                    if count
                ),
                "entropy": format_number(item.entropy, 2),
                "agreement": format_number(item.agreement, 2),
                "bimodality": format_number(item.bimodality, 2),
            }
            for item in found.most
        ],
    }


def _listed(sides: Sequence[Side]) -> Sequence[Side]:
    """Return those that a page lists: of very many raters the ones with the most preferences."""
    if len(sides) <= MOST_LISTED:
        return sides
    return sorted(sides, key=lambda side: -side.result.n)[:MOST_LISTED]


def _row(row: Rater, early: bool) -> dict[str, Any]:
    missing = None if early else number(Undefined("fewer than two raters"))
    return {
        "rater": row.rater,
        "kind": row.kind,
        "ratings": row.ratings,
        "numbers": [
            number(row.results[name]) if name in row.results else missing for name in RESULTS
        ],
        "longest_run": row.longest_run,
        "is_long": row.longest_run >= LONG_RUN,
        "commonest": f"{100 * row.commonest_share:.0f} %",
        "seconds": format_number(row.median_seconds, 0),
    }


KIND = ReportKind(
    key="raters",
    lays_out=lambda data: bool(data.judgements.on_scale),
    fields=("aspect", "direction", *RATINGS, "systems", "leave_out", "where", *DRAWS),
    content=RatersReport,
    build=lambda asked: raters_report(asked.data, asked.question, asked.bootstrap),
    present=present,
    early=Early(
        cost=lambda size: len(size.data.judgements.annotators) * (size.cells * 8 + size.ratings),
    ),
    cost=lambda size: len(size.data.judgements.annotators) * (size.cells * 40 + size.ratings),
    tables=TABLES,
    figures=rater_figures,
    picture=("rater-matrix",),
    sections={"rater-matrix": "Raters beside raters"},
    flat=("rater-matrix",),
)
