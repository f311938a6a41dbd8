"""The page that shows each rater beside the others."""

from collections.abc import Sequence
from typing import Any

from analysis.charts.chart import format_number
from analysis.estimates.comparisons import bootstrap_of
from analysis.filter.question import DRAWS, RATINGS
from analysis.reports.kind import Report, ReportKind
from analysis.reports.raters.figures import rater_figures
from analysis.reports.raters.report import Rater, RatersReport, Side, raters_report
from analysis.reports.raters.summary import rater_sentences
from analysis.reports.raters.tables import TABLES
from analysis.stats.results import Undefined
from analysis.views.address import Address
from analysis.views.numbers import number
from analysis.wording import aspect_heading, selection_words

MOST_LISTED = 200
"""Raters by side on the page; a download has all."""
LONG_RUN = 10
"""Equal answers in a row from which on they are marked."""
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
                "rows": [_row(row) for row in rows],
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
        "long_run": LONG_RUN,
        "unnamed": content.unnamed,
    }


def _listed(sides: Sequence[Side]) -> Sequence[Side]:
    """Return those that a page lists: of very many raters the ones with the most preferences."""
    if len(sides) <= MOST_LISTED:
        return sides
    return sorted(sides, key=lambda side: -side.result.n)[:MOST_LISTED]


def _row(row: Rater) -> dict[str, Any]:
    undefined = Undefined("fewer than two raters")
    return {
        "rater": row.rater,
        "kind": row.kind,
        "ratings": row.ratings,
        "numbers": [number(row.results.get(name, undefined)) for name in RESULTS],
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
    build=lambda asked: raters_report(asked.data, asked.question, bootstrap_of(asked.question)),
    present=present,
    cost=lambda size: len(size.data.judgements.annotators) * (size.cells * 40 + size.ratings),
    tables=TABLES,
    figures=rater_figures,
    picture=("rater-matrix",),
    sections={"rater-matrix": "Raters beside raters"},
    flat=("rater-matrix",),
)
