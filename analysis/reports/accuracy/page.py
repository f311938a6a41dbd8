"""The page of accuracies: metrics beside what the noise of the raters allows."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from analysis.ceilings import NAMES as CEILINGS
from analysis.forms import OF_RATINGS, Pairs
from analysis.reports.accuracy.report import NAMES
from analysis.reports.comparison.page import aspect_offer
from analysis.views.address import Address
from analysis.views.numbers import number
from analysis.views.pages import Report, ReportPage, report_page
from analysis.views.picked import picked_words
from analysis.wording import aspect_heading, column_labels, selection_words, variant_words
from corpus.access import study_view
from corpus.models import Study

HALVES = {
    "tau-like": "One half of the raters beside the other, τ-like",
    "system_pairs": "One half of the raters beside the other, pairs of systems",
}


def present(report: Report, address: Address) -> dict[str, Any]:
    """Return what noise allows, and one row a metric."""
    content, question = report["content"], address.question
    picked = content.get("picked", {})
    labels, left_out = column_labels(content["rows"]), column_labels(content["left_out"])
    over = {"ceilings": CEILINGS, "halves": HALVES}
    return {
        "selection": selection_words(question),
        "picked": picked_words(picked, content["aspect"], address),
        "variants": variant_words(question),
        "aspect": content["aspect"],
        "heading": aspect_heading(content["aspect"]),
        "systems": content["systems"],
        "segments": content["segments"],
        "headings": list(NAMES.values()),
        "noise": [
            (words, number(content[part][name]))
            for part, names in over.items()
            for name, words in names.items()
        ],
        "rows": [
            (label, row.get("trained", ()), [number(row["results"][name]) for name in NAMES])
            for label, row in zip(labels, content["rows"], strict=True)
        ],
        "left_out": [
            (label, entry["reason"])
            for label, entry in zip(left_out, content["left_out"], strict=True)
        ],
    }


def offers(report: Report | None) -> dict[str, Pairs]:
    """Return the aspects: the report is of one."""
    return aspect_offer(report)


PAGE = ReportPage(
    kind="accuracy",
    title="Accuracy",
    fields=(
        *("aspect", "candidates", "compared_to", "text_setting", "direction", "humans"),
        *("withdrawn", *OF_RATINGS, "metric", "systems", "leave_out", "where"),
        *("scores", "ddof", "resamples", "seed"),
    ),
    present=present,
    offers=offers,
)


@require_safe
@study_view
def accuracy(request: HttpRequest, study: Study) -> HttpResponse:
    """Show how often metrics are right, and what noise allows."""
    return report_page(request, study, PAGE)
