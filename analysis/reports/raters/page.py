"""The page that shows each rater beside the others."""

from collections.abc import Mapping
from typing import Any

from analysis.charts.chart import format_number
from analysis.estimates.comparisons import bootstrap_of
from analysis.filter.question import DRAWS, RATINGS
from analysis.reports.kind import Report, ReportKind
from analysis.reports.raters.figures import rater_figures
from analysis.reports.raters.report import raters_report
from analysis.reports.raters.tables import TABLES
from analysis.views.address import Address
from analysis.views.numbers import number
from analysis.wording import aspect_heading, selection_words

LONG_RUN = 10
"""Equal answers in a row from which on they are marked."""
RESULTS = ("severity", "spread", "agreement", "icc-without", "alpha-without", "order-without")


def present(report: Report, address: Address) -> dict[str, Any]:
    """Return one table an aspect."""
    content = report["content"]
    overall = {entry["aspect"]: entry for entry in content["overall"]}
    return {
        "selection": selection_words(address.question.but(humans="out")),
        "panels": [
            {
                "aspect": aspect,
                "heading": aspect_heading(aspect),
                "overall": [number(overall[aspect][name]) for name in ("icc", "alpha")],
                "timed": any(row["median_seconds"] is not None for row in rows),
                "rows": [_row(row) for row in rows],
            }
            for aspect in content["aspects"]
            if (rows := [row for row in content["rows"] if row["aspect"] == aspect])
        ],
        "sides": [
            {"rater": entry["rater"], "number": number(entry["result"], percent=True)}
            for entry in content["sides"]
        ],
        "long_run": LONG_RUN,
    }


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    results = row["results"]
    undefined = results["severity"] | {"kind": "undefined", "value": None, "interval": None}
    numbers = [number(results.get(name, undefined)) for name in RESULTS]
    share = row["commonest_share"]
    return {
        "rater": row["rater"],
        "kind": row["kind"],
        "ratings": row["ratings"],
        "numbers": numbers,
        "longest_run": row["longest_run"],
        "is_long": row["longest_run"] >= LONG_RUN,
        "commonest": f"{100 * share:.0f} %",
        "seconds": format_number(row["median_seconds"], 0),
    }


KIND = ReportKind(
    key="raters",
    title="Raters",
    group="People",
    answers="how each rater rates, compared with the others",
    fields=("aspect", "direction", *RATINGS, "systems", "leave_out", "where", *DRAWS),
    build=lambda asked: raters_report(asked.data, asked.question, bootstrap_of(asked.question)),
    present=present,
    cost=lambda size: len(size.data.judgements.annotators) * (size.cells * 40 + size.ratings),
    tables=TABLES,
    figures=rater_figures,
    sections={"rater-matrix": "Raters beside raters"},
    flat=("rater-matrix",),
)
