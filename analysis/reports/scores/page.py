"""The page of metric scores by themselves: how metrics go together, and what they score high."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from analysis.charts.chart import format_number
from analysis.forms import Pairs
from analysis.views.address import Address
from analysis.views.pages import Report, ReportPage, report_page
from analysis.wording import column_labels, selection_words
from corpus.access import study_view
from corpus.models import Study

SIDES = {"above": "What people wrote scores higher", "below": "Systems score higher"}


def present(report: Report, address: Address) -> dict[str, Any]:
    """Return the distributions of every metric and the extreme segments of the chosen one."""
    content = report["content"]
    labels = column_labels(content["columns"])
    chosen = address.choices.distribution
    place = labels.index(chosen) if chosen in labels else 0
    return {
        "selection": selection_words(address.question),
        "labels": labels,
        "rows": [_row(row, labels) for row in content["distributions"]],
        "trained": [
            (label, column["trained"])
            for label, column in zip(labels, content["columns"], strict=True)
            if "trained" in column
        ],
        "chosen": labels[place] if labels else "",
        "extremes": [
            (words, [_extreme(row) for row in content["extremes"] if _is(row, place, side)])
            for side, words in SIDES.items()
            if any(_is(row, place, side) for row in content["extremes"])
        ],
        "matrix_signature": content["matrix"]["signature"],
    }


def _is(row: Mapping[str, Any], place: int, side: str) -> bool:
    return bool(row["column"] == place and row["side"] == side)


def _row(row: Mapping[str, Any], labels: list[str]) -> dict[str, Any]:
    shown = {name: format_number(row[name]) for name in ("mean", "sd")}
    _, low, quarter, median, three_quarters, high, _ = map(format_number, row["quantiles"])
    return {
        "metric": labels[row["column"]],
        "group": row["group"],
        "n": row["n"],
        "missing": row["missing"],
        **shown,
        "quantiles": (low, quarter, median, three_quarters, high),
    }


def _extreme(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "segment": row["segment"],
        "link": f"../disagreement/?{urlencode({'segment': row['segment']})}",
        "numbers": [format_number(row[name]) for name in ("people", "systems", "gap")],
    }


def offers(report: Report | None) -> dict[str, Pairs]:
    """Return the metrics whose distribution can be shown."""
    if report is None or not report["content"]["columns"]:
        return {}
    first, *others = column_labels(report["content"]["columns"])
    return {"distribution": (("", first), *((label, label) for label in others))}


PAGE = ReportPage(
    kind="scores",
    title="Scores",
    fields=(
        *("aspect", "statistic", "level", "compared_to", "text_setting", "direction", "humans"),
        *("distribution", "metric", "systems", "leave_out", "where"),
    ),
    present=present,
    offers=offers,
)


@require_safe
@study_view
def scores(request: HttpRequest, study: Study) -> HttpResponse:
    """Show how metrics go together and what they give sources, references and outputs."""
    return report_page(request, study, PAGE)
