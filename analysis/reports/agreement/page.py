"""The page of agreement."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from analysis.data.states import state_token
from analysis.data.study_data import StudyData
from analysis.estimates.agreement_resampling import resampling_of
from analysis.estimates.agreements import TOGETHER
from analysis.estimates.comparisons import bootstrap_of
from analysis.filter.field import Pairs
from analysis.filter.question import AGREEMENT_HEADLINE, DRAWS, OF_Z, RATINGS, Question
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
from analysis.reports.grouping import crossed, grouped
from analysis.reports.kind import Early, Report, ReportKind, whole_study
from analysis.reports.page_address import Address
from analysis.verdicts.trust import agreement_sentences, agreements, is_answered
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


def present(report: Report[AgreementReport], address: Address) -> dict[str, Any]:
    """Return the sections of the page: numbers with and without human-written systems."""
    content = report.content
    return {
        "intervals": _intervals(address.question),
        "summary": agreement_sentences(content),
        "answers": [each for each in agreements(content) if is_answered(each.result)],
        "not_pooled": next(filter(None, (s.not_pooled_because for s in content.scales)), ""),
        "undeclared": [
            scale
            for scale in content.scales
            if scale.aspect != TOGETHER and scale.source in ("assumed", "unknown")
        ],
        "headings": [AGREEMENT_NAMES[name] for name in AGREEMENT_HEADLINE],
        "parts": [
            _part(rows, humans)
            for humans, rows in grouped(content.numbers, lambda row: row.humans).items()
        ],
        "choices": choice_tables(content),
        "protocols": protocol_tables(content),
        "raters": crossed(content.raters, _rater, _aspect),
        "rater_aspects": list(grouped(content.raters, _aspect)),
        "relative": _relative(content.relative),
    }


def _intervals(question: Question) -> str:
    """Say how the intervals of the page were made."""
    drawn = question.resample
    if drawn == "standard" and question.interval != "standard":
        drawn = "segments"
    return INTERVALS[drawn] + (" BCa." if question.interval == "bca" else "")


def _part(rows: Sequence[AgreementRow], humans: str) -> dict[str, Any]:
    aspects = grouped(rows, _aspect)
    overall = crossed((row for row in rows if row.batch == ALL), _statistic, _aspect)
    defined = [name for name, cells in overall if any(cell and _is_defined(cell) for cell in cells)]
    undefined = grouped((each for each in overall if each[0] not in defined), _reasons)
    return {
        "humans": HUMANS[humans],
        "aspects": list(aspects),
        "groups": [
            (aspect, crossed(own, lambda row: row.batch, _statistic, AGREEMENT_HEADLINE))
            for aspect, own in aspects.items()
        ],
        "all": [(AGREEMENT_NAMES[name], cells) for name, cells in overall if name in defined],
        "columns": len(AGREEMENT_HEADLINE) + 3,
        "undefined": [
            (reason, [AGREEMENT_NAMES[name] for name, _ in own])
            for reason, own in undefined.items()
        ],
        "reasons": {}
        if any(map(_is_defined, rows))
        else {aspect: own[0].result.reason for aspect, own in aspects.items()},
    }


def _rater(row: RaterRow) -> tuple[str, str, int | None, str]:
    return row.rater, row.kind, row.raters, row.campaign


def _aspect(row: AgreementRow | RaterRow) -> str:
    return row.aspect


def _statistic(row: AgreementRow) -> str:
    return row.statistic


def _is_defined(row: AgreementRow) -> bool:
    return row.result.value is not None


def _reasons(undefined: tuple[str, Sequence[AgreementRow | None]]) -> str:
    """Return why a statistic is undefined on every aspect."""
    return "; ".join(dict.fromkeys(cell.result.reason for cell in undefined[1] if cell))


def _relative(rows: Sequence[RelativeRow]) -> list[tuple[str, bool, list[dict[str, Any]]]]:
    """Return tables of preferences, binned ratings and classifiers; single systems apart."""
    parts = grouped(rows, lambda row: row.conditions.get("systems") == [row.group])
    return [
        (
            "single systems" if single else "",
            single,
            [
                _relative_table(kind, [row for row in parts[single] if _kind(row) == kind])
                for kind in KINDS
                if kind in map(_kind, parts[single])
            ],
        )
        for single in sorted(parts)
    ]


KINDS = ("preferred", "binned", "binned above", "classifiers", "position")
"""Kinds of numbers of outputs against their sources, each a table."""


def _kind(row: RelativeRow) -> str:
    conditions = row.conditions
    if "threshold" in conditions:
        return "binned above" if conditions.get("at_threshold") == ["low"] else "binned"
    if "protocol" in conditions:
        return "classifiers"
    return "position" if "campaign" in conditions else "preferred"


def _relative_table(kind: str, rows: Sequence[RelativeRow]) -> dict[str, Any]:
    """Return the table of a kind of number, its columns being the statistics."""

    def named(row: RelativeRow) -> tuple[str, str]:
        return row.group, row.conditions["metric"][0] if kind == "classifiers" else ""

    return {
        "kind": kind,
        "headings": list(dict.fromkeys(map(_heading, rows))),
        "rows": crossed(rows, named, _heading),
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
        "ask_for_scales": lambda: ScaleForm(_undeclared(study, state_token(study)))
    },
)
