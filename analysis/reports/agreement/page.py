"""The page of agreement."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from analysis.data.states import state_token
from analysis.data.study_data import StudyData
from analysis.estimates.agreement_resampling import resampling_of
from analysis.estimates.agreements import TOGETHER
from analysis.estimates.comparisons import bootstrap_of
from analysis.filter.field import Pairs
from analysis.filter.question import (
    AGREEMENT_HEADLINE,
    AGREEMENT_STATISTICS,
    DRAWS,
    OF_Z,
    RATINGS,
    Question,
)
from analysis.reports.agreement.choices import RelativeRow
from analysis.reports.agreement.report import (
    ALL,
    AgreementReport,
    AgreementRow,
    RaterRow,
    agreement_report,
)
from analysis.reports.agreement.tables import (
    HUMANS,
    TABLES,
    agreement_figures,
    choice_tables,
    protocol_tables,
)
from analysis.reports.kind import Early, Report, ReportKind, whole_study
from analysis.reports.page_address import Address
from analysis.shown_numbers import number
from analysis.stats.results import Result
from analysis.verdicts.trust import agreement_sentences, answers
from analysis.wording import AGREEMENT_NAMES
from annotation.imports.declared_scales import Ends, ScaleForm, undeclared_aspects
from corpus.models import Study

PER_RATING = 40
PER_DRAWN_RATING = 100
PER_PAIR = 100
"""Two ratings of one output, which enter the r of their raters in 1,000 draws."""
PER_RATING_AND_RATER = 1
"""Ratings of each rater looked up among those of all others."""


def agreement_cost(data: StudyData, question: Question, aspects: int) -> int:
    """Estimate the work of a report on all ratings of some data."""
    judged = data.judgements
    ratings = len(judged.value)
    if question.resample != "standard" or question.interval != "standard":
        return ratings * PER_DRAWN_RATING * question.resamples
    unit = judged.first * max(1, len(judged.aspects)) + judged.aspect
    each = np.unique(unit, return_counts=True)[1]
    pairs = int((each * (each - 1) // 2).sum())
    return values_cost(data, aspects) + _rounds(aspects) * (
        pairs * PER_PAIR * question.resamples // 1000
    )


def values_cost(data: StudyData, aspects: int) -> int:
    """Estimate the work of a report's values alone, which draw nothing."""
    judged = data.judgements
    ratings = len(judged.value)
    beside = ratings * len(judged.annotators) * PER_RATING_AND_RATER
    return ratings * PER_RATING * aspects + _rounds(aspects) * beside


def _rounds(aspects: int) -> int:
    """Return how often raters are held against each other: on every aspect, and on all together."""
    return 1 if aspects == 1 else 2


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
    "segments": "Intervals by resampling segments, all outputs of a segment together.",
    "systems": "Intervals by drawing systems, all outputs of a system together: with few "
    "systems they are too narrow.",
    "annotators": "Intervals by drawing annotators among those who rated the same outputs; copies "
    "of one annotator never form a pair. They say nothing about other segments. Where fewer than "
    "six annotators rated, as in a batch, open a number for its range without one of them.",
    "segments-and-annotators": "Intervals by resampling segments and, among those who rated the "
    "same outputs, annotators; copies of one annotator never form a pair. Where fewer than six "
    "rated, as in a batch, open a number for its range without one of them.",
}
MADE: Pairs = (("", "the default"), ("percentile", "percentile"), ("bca", "BCa"))
Found = Mapping[tuple[str, str, str], AgreementRow]
"""Rows by aspect, batch and statistic."""


def present(report: Report[AgreementReport], address: Address) -> dict[str, Any]:
    """Return the sections of the page: numbers with and without human-written systems."""
    content = report.content
    rater_aspects = list(dict.fromkeys(row.aspect for row in content.raters))
    return {
        "intervals": _intervals(address.question),
        "summary": agreement_sentences(content),
        "answers": answers(content),
        "not_pooled": next(filter(None, (s.not_pooled_because for s in content.scales)), ""),
        "undeclared": [
            scale
            for scale in content.scales
            if scale.aspect != TOGETHER and scale.source in ("assumed", "unknown")
        ],
        "headings": [AGREEMENT_NAMES[name] for name in AGREEMENT_HEADLINE],
        "parts": [
            _part([row for row in content.numbers if row.humans == humans], humans)
            for humans in dict.fromkeys(row.humans for row in content.numbers)
        ],
        "choices": choice_tables(content),
        "protocols": protocol_tables(content),
        "raters": _raters(content.raters, rater_aspects),
        "rater_aspects": rater_aspects,
        "relative": _relative(content.relative),
    }


def _intervals(question: Question) -> str:
    """Say how the intervals of the page were made."""
    drawn = question.resample
    if drawn == "standard" and question.interval != "standard":
        drawn = "segments"
    return INTERVALS[drawn] + (" BCa." if question.interval == "bca" else "")


def _part(rows: Sequence[AgreementRow], humans: str) -> dict[str, Any]:
    found = {(row.aspect, row.batch, row.statistic): row for row in rows}
    aspects = list(dict.fromkeys(row.aspect for row in rows))
    batches = list(dict.fromkeys(row.batch for row in rows))
    defined = any(row.result.value is not None for row in rows)
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
        "columns": len(AGREEMENT_HEADLINE) + 3,
        "undefined": _undefined(found, aspects),
        "reasons": [] if defined else _reasons(rows),
    }


def _reasons(rows: Sequence[AgreementRow]) -> list[tuple[str, str]]:
    """Return why each aspect has no agreement, once."""
    reasons = {row.aspect: row.result.reason for row in reversed(rows)}
    return list(reversed(reasons.items()))


def _batch(found: Found, aspect: str, batch: str) -> dict[str, Any]:
    rows = [found[aspect, batch, statistic] for statistic in AGREEMENT_HEADLINE]
    return {
        "name": batch,
        "overall": batch == ALL,
        "outputs": rows[0].units,
        "raters": rows[0].raters,
        "numbers": [row.result for row in rows],
    }


def _over_all(found: Found, aspects: Sequence[str], statistic: str) -> list[Result]:
    """Return a statistic on every aspect, nothing where it is undefined on all of them."""
    results = [found[aspect, ALL, statistic].result for aspect in aspects]
    if all(result.value is None for result in results):
        return []
    return results


def _undefined(found: Found, aspects: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return the reasons why statistics are undefined on every aspect, with their names."""
    reasons: dict[str, list[str]] = {}
    for statistic in AGREEMENT_STATISTICS:
        results = [found[aspect, ALL, statistic].result for aspect in aspects]
        if results and all(result.value is None for result in results):
            reason = "; ".join(dict.fromkeys(result.reason for result in results))
            reasons.setdefault(reason, []).append(AGREEMENT_NAMES[statistic])
    return list(reasons.items())


def _raters(
    rows: Sequence[RaterRow], aspects: Sequence[str]
) -> list[tuple[RaterRow, list[RaterRow | None]]]:
    """Return each rater with a cell for each aspect."""
    raters: dict[tuple[str, str], dict[str, RaterRow]] = {}
    for row in rows:
        raters.setdefault((row.campaign, row.rater), {})[row.aspect] = row
    return [
        (next(iter(own.values())), [own.get(aspect) for aspect in aspects])
        for own in raters.values()
    ]


def _relative(rows: Sequence[RelativeRow]) -> list[tuple[str, bool, list[dict[str, Any]]]]:
    """Return tables of preferences, binned ratings and classifiers; single systems apart."""
    parts: dict[bool, list[RelativeRow]] = {False: [], True: []}
    for row in rows:
        parts[row.conditions.get("systems") == [row.group]].append(row)
    return [
        ("single systems" if single else "", single, tables)
        for single, part in parts.items()
        if (tables := _relative_tables(part))
    ]


def _relative_tables(rows: Sequence[RelativeRow]) -> list[dict[str, Any]]:
    """Return one table for each kind of number, its columns being the statistics."""
    names = ("preferred", "binned", "binned above", "classifiers", "position")
    kinds: dict[str, list[RelativeRow]] = {name: [] for name in names}
    for row in rows:
        conditions = row.conditions
        kind = "preferred"
        if "threshold" in conditions:
            kind = "binned above" if conditions.get("at_threshold") == ["low"] else "binned"
        elif "protocol" in conditions:
            kind = "classifiers"
        elif "campaign" in conditions:
            kind = "position"
        kinds[kind].append(row)
    return [_relative_table(kind, part) for kind, part in kinds.items() if part]


def _relative_table(kind: str, rows: Sequence[RelativeRow]) -> dict[str, Any]:
    headings = dict.fromkeys(_heading(row) for row in rows)
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        metric = row.conditions["metric"][0] if kind == "classifiers" else ""
        percent = not row.statistic.startswith("Cohen")
        cell = number(row.result, percent=percent) | {"percent": percent}
        found.setdefault((row.group, metric), {})[_heading(row)] = cell
    return {
        "kind": kind,
        "headings": list(headings),
        "rows": [
            (group, metric, [cells.get(heading) for heading in headings])
            for (group, metric), cells in found.items()
        ],
    }


def _heading(row: RelativeRow) -> str:
    """Return the statistic without the classifier's name, which has a column of its own."""
    statistic = row.statistic
    if "protocol" in row.conditions:
        statistic = statistic.replace(f"of {row.conditions['metric'][0]} ", "")
    return statistic[:1].upper() + statistic[1:]


def offers(report: Report[AgreementReport] | None) -> dict[str, Pairs]:
    """Return the statistics that the chart can show, none where nothing is defined."""
    if report is None or all(row.result.value is None for row in report.content.numbers):
        return {"bars": ()}
    return {"resample": DRAWN, "interval": MADE}


@lru_cache(maxsize=16)
def _undeclared(study: Study, state: str) -> dict[str, Ends]:
    """Return what lacks a scale in this state: finding it reads every rating."""
    return undeclared_aspects(study)


KIND = ReportKind(
    key="agreement",
    lays_out=lambda data: False,
    fields=(
        *("aspect", "direction", "batch", "bars", "marks", "humans", *RATINGS),
        *("systems", "leave_out", "where"),
        *("scores", "ddof", "resample", "interval", *DRAWS),
    ),
    values={"interval": ("standard", "percentile", "bca")},
    needs={"ddof": OF_Z},
    build=agreement_report,
    present=present,
    early=Early(cost=lambda size: values_cost(size.data, size.aspects)),
    cost=lambda size: agreement_cost(size.data, size.question, size.aspects),
    check=lambda data, question: resampling_of(question, bootstrap_of(question)),
    parts=whole_study,
    tables=TABLES,
    figures=agreement_figures,
    picture=("agreement",),
    sections={
        "agreement-with-human": "Agreement with human-written systems as bars",
        "agreement": "Agreement as bars",
    },
    offers=offers,
    for_owners=lambda study: {
        "ask_for_scales": lambda: ScaleForm(_undeclared(study, state_token(study))),
    },
)
