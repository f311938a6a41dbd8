"""The page that compares systems with each other, by people's judgements."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from analysis.charts.chart import format_number
from analysis.fields_of_kinds import VALUES
from analysis.forms import OF_RATINGS, Pairs
from analysis.reports.comparison.page import aspect_offer, compared, ranked
from analysis.views.address import Address
from analysis.views.numbers import number
from analysis.views.pages import Report, ReportPage, report_page
from analysis.wording import MEANS, TESTS, aspect_heading, p_words, selection_words
from corpus.access import study_view
from corpus.models import Study


def present(report: Report, address: Address) -> dict[str, Any]:
    """Return the ranked systems, the summary, all pairs, and strengths from paired judgements."""
    content, question = report["content"], address.question
    names = [entry["system"] for entry in content["systems"]]
    rows = ranked(content["systems"], names)
    for row, entry in zip(rows, content["systems"], strict=True):
        row |= {"human": entry["human"], "others": [number(entry["other"])]}
    return {
        "selection": selection_words(question),
        "aspect": content["aspect"],
        "heading": aspect_heading(content["aspect"]),
        "segments": content["segments"],
        "summary": content["summary"],
        "ranked": rows,
        "value": MEANS[question.scores],
        "other_values": [MEANS["z" if question.scores == "raw" else "raw"]],
        "left_out": [(entry["system"], entry["reason"]) for entry in content["left_out"]],
        "strengths": [_strengths(entry) for entry in content["strengths"]],
        "all_pairs": len((content.get("pair_columns") or {}).get("first", ())),
        **compared(content["pairs"], names, question, "Δ of means"),
    }


def _strengths(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "heading": aspect_heading(entry["aspect"]),
        "aspect": entry["aspect"],
        "judgements": entry["judgements"],
        "ties": entry["ties"],
        "left_out": entry.get("left_out", ()),
        "all_pairs": len((entry.get("pair_columns") or {}).get("first", ())),
        "why": entry["undefined"]["reason"] if entry["undefined"] else "",
        "position": number(entry["position"]) if entry["position"] else None,
        "systems": [(row["system"], number(row["result"])) for row in entry["systems"]],
        "pairs": [
            {
                "first": row["first"],
                "second": row["second"],
                "difference": format_number(row["difference"]),
                "p_value": p_words(row["p_value"]),
                "holm": p_words(row["holm"]),
            }
            for row in entry["pairs"]
        ],
    }


def offers(report: Report | None) -> dict[str, Pairs]:
    """Return the choices that a comparison of systems knows."""
    tests = tuple(
        ("" if name == "permutation" else name, TESTS[name])
        for name in VALUES["system-comparison", "test"]
    )
    return {"test": tests} | aspect_offer(report)


PAGE = ReportPage(
    kind="system-comparison",
    title="System comparison",
    fields=(
        *("aspect", "test", "correction", "direction", "humans", "withdrawn", *OF_RATINGS),
        *("systems", "leave_out", "where"),
        *("scores", "ddof", "margin", "resamples", "seed"),
    ),
    present=present,
    offers=offers,
)


@require_safe
@study_view
def system_comparison(request: HttpRequest, study: Study) -> HttpResponse:
    """Show which systems people rate higher than which others."""
    return report_page(request, study, PAGE)
