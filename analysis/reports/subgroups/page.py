"""The page that says where a metric holds: in which strata, among which systems."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from analysis.forms import OF_RATINGS, Pairs
from analysis.reports.comparison.page import aspect_offer
from analysis.reports.correlation.report import MOST_SYSTEMS_FOR_CURVES
from analysis.reports.subgroups.figures import SETS
from analysis.reports.subgroups.report import FEW_SEGMENTS, MOST_METRICS
from analysis.views.address import Address
from analysis.views.numbers import number
from analysis.views.pages import Report, ReportPage, report_page
from analysis.views.picked import picked_words
from analysis.wording import (
    COEFFICIENTS,
    aspect_heading,
    column_labels,
    p_words,
    selection_words,
    statistic_words,
    variant_words,
)
from corpus.access import study_view
from corpus.models import Study


def present(report: Report, address: Address) -> dict[str, Any]:
    """Return the table of strata, and of the differences between them."""
    content, question = report["content"], address.question
    picked = content.get("picked", {})
    labels = column_labels(content["metrics"])
    strata = content["strata"]
    return {
        "selection": selection_words(question),
        "picked": picked_words(picked, content["aspect"], address),
        "variants": variant_words(question),
        "aspect": content["aspect"],
        "heading": aspect_heading(content["aspect"]),
        "title": content["title"],
        "divided": bool(content["divisions"]),
        "statistic": statistic_words(question),
        "systems": content["systems"],
        "segments": content["segments"],
        "strata": strata,
        "left_out": content["left_out"],
        "paired": content["paired"],
        "few": [s["name"] for s in strata if s["segments"] < FEW_SEGMENTS],
        "few_segments": FEW_SEGMENTS,
        "rows": [
            (label, metric["note"], [number(r) for r in (metric["all"], *metric["results"])])
            for label, metric in zip(labels, content["metrics"], strict=True)
        ],
        "more_metrics": content["more_metrics"],
        "most_metrics": MOST_METRICS,
        "differences": [_difference(row, labels, strata) for row in content["differences"]],
        "detected": sum(row["detected"] for row in content["differences"]),
        "sets": SETS[question.sets],
        "too_many_systems": len(content["systems"]) > MOST_SYSTEMS_FOR_CURVES,
        "most_systems": MOST_SYSTEMS_FOR_CURVES,
    }


def _difference(
    row: Mapping[str, Any], labels: Sequence[str], strata: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    p_value = row["p_value"]
    return {
        "metric": labels[row["metric"]],
        "first": strata[row["first"]]["name"],
        "second": strata[row["second"]]["name"],
        "number": number(row["result"]),
        "p": "–" if p_value is None else p_words(p_value),
        "detected": row["detected"],
        "undefined": row["result"]["kind"] == "undefined",
    }


def offers(report: Report | None) -> dict[str, Pairs]:
    """Return the divisions of the study, the metrics of the curves, and the statistics."""
    offered: dict[str, Pairs] = {
        "statistic": tuple(
            ("" if name == "pearson" else name, words)
            for name, words in COEFFICIENTS.items()
            if name != "kendall-tau-c"
        )
    }
    if report is None:
        return offered
    content = report["content"]
    if content["divisions"]:
        (_, title), *others = content["divisions"]
        offered["by"] = (("", title), *((name, words) for name, words in others))
    if content["metrics"]:
        first, *more = column_labels(content["metrics"])
        offered["drawn"] = (("", first), *((label, label) for label in more))
    return offered | aspect_offer(report)


PAGE = ReportPage(
    kind="subgroups",
    title="Where it holds",
    fields=(
        *("aspect", "by", "statistic", "level", "sets", "drawn", "candidates"),
        *("compared_to", "text_setting", "direction", "humans", "withdrawn", *OF_RATINGS),
        *("metric", "systems", "leave_out", "where"),
        *("grouping", "scores", "ddof", "orientation", "min_gap", "metric_ties", "average"),
        *("resamples", "seed"),
    ),
    present=present,
    offers=offers,
)


@require_safe
@study_view
def subgroups(request: HttpRequest, study: Study) -> HttpResponse:
    """Show in which parts of a study metrics track people."""
    return report_page(request, study, PAGE)
