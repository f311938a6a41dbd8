"""The page of agreement between raters."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.estimates.agreement_resampling import resampling_of
from analysis.estimates.agreements import TOGETHER
from analysis.estimates.comparisons import bootstrap_of
from analysis.filter.form import bars_offer
from analysis.filter.question import AGREEMENT_STATISTICS, DRAWS, OF_Z, RATINGS, Question
from analysis.reports.agreement.answers import answers
from analysis.reports.agreement.choice_tables import choice_tables, protocol_tables
from analysis.reports.agreement.cost import agreement_cost
from analysis.reports.agreement.figures import HUMANS, agreement_figures
from analysis.reports.agreement.report import ALL, HEADLINE, agreement_report
from analysis.reports.agreement.tables import TABLES
from analysis.reports.kind import Pairs, Report, ReportKind
from analysis.views.address import Address
from analysis.views.numbers import number
from analysis.wording import AGREEMENT_NAMES, selection_words
from annotation.imports.declared_scales import undeclared_aspects
from annotation.imports.scale_form import ScaleForm

DRAWN: Pairs = (
    ("", "nothing: textbook intervals"),
    ("segments", "segments"),
    ("systems", "systems"),
    ("annotators", "annotators"),
    ("segments-and-annotators", "segments and annotators"),
)
INTERVALS = {
    "standard": "Intervals are the textbook’s of each statistic, over outputs as if they were "
    "independent; α, Pearson and what has no formula by drawing outputs.",
    "segments": "Intervals by drawing segments, all outputs of a segment together.",
    "systems": "Intervals by drawing systems, all outputs of a system together: with few "
    "systems they are too narrow.",
    "annotators": "Intervals by drawing annotators among those who rated the same outputs; copies "
    "of one annotator never form a pair. They say nothing about other segments. Where fewer than "
    "six annotators rated, as in a batch, open a number for its range without one of them.",
    "segments-and-annotators": "Intervals by drawing segments and, among those who rated the same "
    "outputs, annotators; copies of one annotator never form a pair. Where fewer than six rated, "
    "as in a batch, open a number for its range without one of them.",
}
MADE: Pairs = (("", "the default"), ("percentile", "percentile"), ("bca", "BCa"))
Numbers = Sequence[Mapping[str, Any]]


def present(report: Report[Mapping[str, Any]], address: Address) -> dict[str, Any]:
    """Return the sections of the page: numbers with and without human-written systems."""
    content = report.content
    states = dict.fromkeys(row["humans"] for row in content["numbers"])
    return {
        "selection": selection_words(address.question.but(humans="out")),
        "batch_attribute": content["batch_attribute"],
        "intervals": _intervals(address.question),
        "answers": answers(content),
        **_scales(content.get("scales", [])),
        "headings": [AGREEMENT_NAMES[name] for name in HEADLINE],
        "parts": [
            _part(content, [row for row in content["numbers"] if row["humans"] == humans], humans)
            for humans in states
        ],
        "choices": choice_tables(content),
        "protocols": protocol_tables(content),
        "raters": _raters(content["raters"]),
        "rater_aspects": list(dict.fromkeys(row["aspect"] for row in content["raters"])),
        **_relative(content["relative"]),
    }


def _scales(rows: Numbers) -> dict[str, Any]:
    """Return why aspects are not pooled, and on which aspects no scale is declared."""
    aspects = [row for row in rows if row["aspect"] != TOGETHER]
    return {
        "not_pooled": next((r["not_pooled_because"] for r in rows if r["not_pooled_because"]), ""),
        "undeclared": [row for row in aspects if row["source"] in ("assumed", "unknown")],
    }


def _intervals(question: Question) -> str:
    """Say how the intervals of the page were made."""
    drawn = question.resample
    if drawn == "standard" and question.interval != "standard":
        drawn = "segments"
    return INTERVALS[drawn] + (" BCa." if question.interval == "bca" else "")


def _part(content: Mapping[str, Any], rows: Numbers, humans: str) -> dict[str, Any]:
    found = {(row["aspect"], row["batch"], row["statistic"]): row for row in rows}
    aspects = list(dict.fromkeys(row["aspect"] for row in rows))
    batches = list(dict.fromkeys(row["batch"] for row in rows))
    defined = [row for row in rows if row["result"]["kind"] == "estimate"]
    return {
        "humans": HUMANS[humans],
        "aspects": aspects,
        "groups": [
            (aspect, [_batch(found, aspect, batch) for batch in batches]) for aspect in aspects
        ],
        "all": [
            (AGREEMENT_NAMES[statistic], numbers)
            for statistic in AGREEMENT_STATISTICS
            if (numbers := _over_all(found, aspects, statistic))
        ],
        "columns": len(HEADLINE) + 3,
        "undefined": _undefined(found, aspects),
        "reasons": [] if defined else _reasons(rows),
    }


def _reasons(rows: Numbers) -> list[tuple[str, str]]:
    """Return why each aspect has no agreement, once."""
    reasons = {row["aspect"]: row["result"]["reason"] for row in reversed(rows)}
    return list(reversed(reasons.items()))


def _batch(
    found: Mapping[tuple[str, str, str], Mapping[str, Any]], aspect: str, batch: str
) -> dict[str, Any]:
    rows = [found[aspect, batch, statistic] for statistic in HEADLINE]
    return {
        "name": batch,
        "overall": batch == ALL,
        "outputs": rows[0]["units"],
        "raters": rows[0]["raters"],
        "numbers": [number(row["result"]) for row in rows],
    }


def _over_all(
    found: Mapping[tuple[str, str, str], Mapping[str, Any]], aspects: Sequence[str], statistic: str
) -> list[dict[str, Any]]:
    """Return a statistic on every aspect, nothing where it is undefined on all of them."""
    rows = [found[aspect, ALL, statistic] for aspect in aspects]
    if all(row["result"]["kind"] == "undefined" for row in rows):
        return []
    return [number(row["result"]) for row in rows]


def _undefined(
    found: Mapping[tuple[str, str, str], Mapping[str, Any]], aspects: Sequence[str]
) -> list[tuple[str, list[str]]]:
    """Return the reasons why statistics are undefined on every aspect, with their names."""
    reasons: dict[str, list[str]] = {}
    for statistic in AGREEMENT_STATISTICS:
        rows = [found[aspect, ALL, statistic]["result"] for aspect in aspects]
        if rows and all(row["kind"] == "undefined" for row in rows):
            reason = "; ".join(dict.fromkeys(row["reason"] for row in rows))
            reasons.setdefault(reason, []).append(AGREEMENT_NAMES[statistic])
    return list(reasons.items())


def _raters(rows: Numbers) -> list[dict[str, Any]]:
    """Return one row a rater with a cell for each aspect."""
    aspects = list(dict.fromkeys(row["aspect"] for row in rows))
    raters: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        rater = raters.setdefault((row["campaign"], row["rater"]), {**row, "cells": {}})
        rater["cells"][row["aspect"]] = row
    return [
        rater | {"cells": [rater["cells"].get(aspect) for aspect in aspects]}
        for rater in raters.values()
    ]


def _relative(rows: Numbers) -> dict[str, Any]:
    """Return tables of preferences, binned ratings and classifiers; single systems apart."""
    single = [row for row in rows if row["conditions"].get("systems") == [row["group"]]]
    together = [row for row in rows if row not in single]
    return {
        "relative": [
            (heading, folded, tables)
            for heading, folded, part in (("", False, together), ("single systems", True, single))
            if (tables := [table for table in _relative_tables(part) if table["rows"]])
        ]
    }


def _relative_tables(rows: Numbers) -> list[dict[str, Any]]:
    """Return one table for each kind of number, its columns being the statistics."""
    names = ("preferred", "binned", "binned above", "classifiers", "position")
    kinds: dict[str, list[Mapping[str, Any]]] = {name: [] for name in names}
    for row in rows:
        conditions = row["conditions"]
        kind = "preferred"
        if "threshold" in conditions:
            kind = "binned above" if conditions.get("at_threshold") == ["low"] else "binned"
        elif "protocol" in conditions:
            kind = "classifiers"
        elif "campaign" in conditions:
            kind = "position"
        kinds[kind].append(row)
    return [_relative_table(kind, part) for kind, part in kinds.items()]


def _relative_table(kind: str, rows: Numbers) -> dict[str, Any]:
    headings = dict.fromkeys(_heading(row) for row in rows)
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        metric = row["conditions"]["metric"][0] if kind == "classifiers" else ""
        percent = not row["statistic"].startswith("Cohen")
        cell = number(row["result"], percent=percent) | {"percent": percent}
        found.setdefault((row["group"], metric), {})[_heading(row)] = cell
    return {
        "kind": kind,
        "headings": list(headings),
        "rows": [
            (group, metric, [cells.get(heading) for heading in headings])
            for (group, metric), cells in found.items()
        ],
    }


def _heading(row: Mapping[str, Any]) -> str:
    """Return the statistic without the classifier's name, which has a column of its own."""
    statistic = str(row["statistic"])
    if "protocol" in row["conditions"]:
        statistic = statistic.replace(f"of {row['conditions']['metric'][0]} ", "")
    return statistic[:1].upper() + statistic[1:]


def offers(report: Report[Mapping[str, Any]] | None) -> dict[str, Pairs]:
    """Return the statistics that the chart can show, none where nothing is defined."""
    if report is None:
        return {}
    rows = report.content["numbers"]
    defined = any(row["result"]["kind"] == "estimate" for row in rows)
    offered = {"bars": bars_offer(HEADLINE), "resample": DRAWN, "interval": MADE}
    return offered if defined else {}


KIND = ReportKind(
    key="agreement",
    title="Agreement",
    group="People",
    answers="how far raters agree with each other",
    fields=(
        *("aspect", "direction", "batch", "bars", "humans", *RATINGS),
        *("systems", "leave_out", "where"),
        *("scores", "ddof", "resample", "interval", *DRAWS),
    ),
    values={"interval": ("standard", "percentile", "bca")},
    needs={"ddof": OF_Z},
    content=dict,
    build=lambda asked: agreement_report(asked.data, asked.question),
    present=present,
    cost=lambda size: agreement_cost(size.data, size.question, size.aspects),
    check=lambda data, question: resampling_of(question, bootstrap_of(question)),
    tables=TABLES,
    figures=agreement_figures,
    sections={"agreement": "Agreement as bars"},
    offers=offers,
    for_owners=lambda study: {
        "ask_for_scales": lambda: ScaleForm(undeclared_aspects(study)),
    },
)
