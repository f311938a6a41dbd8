"""The page of systems by metrics: what each metric gives each system, and what tests say of it."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from analysis.fields_of_kinds import VALUES
from analysis.forms import Pairs
from analysis.reports.comparison.page import compared, ranked
from analysis.views.address import Address
from analysis.views.numbers import number
from analysis.views.pages import Report, ReportPage, report_page
from analysis.wording import METRIC_TESTS, column_labels, selection_words
from corpus.access import study_view
from corpus.models import Study

BETTER = {
    "higher": "higher",
    "lower": "lower",
    "target": "nearer {target:g}",
    "descriptive": "describes",
    "unknown": "not declared",
}


def present(report: Report, address: Address) -> dict[str, Any]:
    """Return every number, and the systems compared by one metric."""
    content, question = report["content"], address.question
    labels = column_labels(content["columns"])
    tested = content["tested"]
    shown: dict[str, Any] = {
        "selection": selection_words(question),
        "segments": content["segments"],
        "systems": content["systems"],
        "has_baselines": any(system["baseline"] for system in content["systems"]),
        "rows": [
            _row(row, content["columns"][row["column"]], labels[row["column"]])
            for row in content["rows"]
        ],
        "tested": tested,
    }
    if tested is None:
        return shown
    names = [entry["system"] for entry in tested["systems"]]
    return shown | {
        "summary": tested["summary"],
        "ranked": ranked(tested["systems"], names),
        "left_out": [(entry["system"], entry["reason"]) for entry in tested["left_out"]],
        "value": content["columns"][tested["column"]]["value"].capitalize()
        + (", turned" if tested["turned"] else ""),
        "better": _better(content["columns"][tested["column"]]),
        **compared(tested["pairs"], names, question, "Δ"),
        "decided_by": METRIC_TESTS[question.test],
        "tests": [
            METRIC_TESTS[name]
            for name in sorted(VALUES["metric-means", "test"], key=lambda t: t != question.test)
        ],
    }


def _row(row: Mapping[str, Any], column: Mapping[str, Any], label: str) -> dict[str, Any]:
    return {
        "label": label,
        "made_of": column["made_of"],
        "value": column["value"],
        "better": _better(column),
        "toward_target": column["toward_target"],
        "cells": [
            (number(result), rank)
            for result, rank in zip(row["results"], row["ranks"], strict=True)
        ],
    }


def _better(column: Mapping[str, Any]) -> str:
    return BETTER[column["better"]].format(target=column["target"] or 0.0)


def offers(report: Report | None) -> dict[str, Pairs]:
    """Return the tests, and the metrics that systems can be compared by."""
    offered: dict[str, Pairs] = {
        "test": tuple(
            ("" if name == "permutation" else name, METRIC_TESTS[name])
            for name in VALUES["metric-means", "test"]
        )
    }
    if report is None or report["content"]["tested"] is None:
        return offered
    content = report["content"]
    labels = column_labels(content["columns"])
    usable = [
        label
        for label, row in zip(labels, content["rows"], strict=True)
        if any(rank is not None for rank in row["ranks"])
    ]
    return offered | {"tested": (("", "the first that can"), *((label, label) for label in usable))}


PAGE = ReportPage(
    kind="metric-means",
    title="Systems by metrics",
    fields=(
        *("tested", "test", "correction", "aggregate", "aspect", "compared_to", "text_setting"),
        *("direction", "humans", "metric", "systems", "leave_out", "where"),
        *("margin", "resamples", "seed"),
    ),
    present=present,
    offers=offers,
)


@require_safe
@study_view
def metric_means(request: HttpRequest, study: Study) -> HttpResponse:
    """Show what each metric gives each system, and which differences are detected."""
    return report_page(request, study, PAGE)
