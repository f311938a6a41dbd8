"""The part of the agreement report on choices between texts, and whether they fit an order."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from analysis.data.arrays import Floats, Integers
from analysis.data.measures import NOT_IDENTIFIED
from analysis.data.study_data import StudyData
from analysis.estimates.agreement_resampling import Resampling
from analysis.estimates.agreements import RatedUnits
from analysis.estimates.choice_agreements import (
    OUTPUTS,
    AskedPairs,
    agreement_on_pairs,
    asked_pairs,
    canonical,
    judged_pairs,
    selected,
    single_raters,
)
from analysis.filter.question import Question
from analysis.reports.agreement.naturalness import Conditions
from analysis.stats.agreement.choice_agreement import STATISTICS, TIE, Statistic
from analysis.stats.agreement.circular_triads import (
    TriadCounts,
    coefficient_of_consistence,
    count_triads,
    joined,
    share_of_circular_triads,
)
from analysis.stats.pieces import Piece
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Result, Undefined

EVERYBODY, MAJORITY = "all raters", "majority"


def consistency(
    data: StudyData, question: Question, asked: AskedPairs, bootstrap: Bootstrap
) -> Iterator[tuple[str, str, str, Result, int]]:
    """Yield how far preferences between outputs fit an order: of raters, of all, of majorities.

    Raters of whom nothing is known for the same reasons are counted in one entry.

    Yields
    ------
    rater, campaign, statistic, result, rater_count
        The rater by pseudonym with the campaign, or "all raters" and "majority" without; and how
        many raters these are.
    """
    judged = data.judgements
    rows = asked.rows[selected(data, question, asked.rows)]
    rows = rows[single_raters(data)[judged.annotator[rows]]]
    first, second, choice = canonical(data, rows)
    segment = data.segment_of_output[first]
    one, other = data.column_of_output[first], data.column_of_output[second]
    unnamed = data.are_unnamed(rows)
    answer = np.where(choice == TIE, 0.0, 1 - 2 * choice)
    kept = (one >= 0) & (other >= 0) & (one != other)
    counts: dict[int, TriadCounts] = {}
    # By rater, in order: there may be as many thousand raters as rows.
    order = np.argsort(judged.annotator[rows], kind="stable")
    none = count_triads((), (), (), ())
    raters, starts = np.unique(judged.annotator[rows][order], return_index=True)
    for rater, places in zip(raters, np.split(order, starts)[1:], strict=True):
        own = places[kept[places]]
        # A pair of each segment makes no triad, which is so of most votes.
        alone = len(np.unique(segment[own])) == len(own)
        counts[int(rater)] = (
            none if alone else count_triads(segment[own], one[own], other[own], answer[own])
        )
    for statistic, found in _consistence(joined(list(counts.values())), bootstrap):
        if unnamed:
            found = Undefined(NOT_IDENTIFIED, found.n, found.unit, found.signature)
        yield EVERYBODY, "", statistic, found, len(counts)
    majority = _majority(segment[kept], one[kept], other[kept], answer[kept], data.shape[1])
    for statistic, found in _consistence(count_triads(*majority), bootstrap):
        yield MAJORITY, "", statistic, found, len(counts)
    alike: dict[tuple[Any, ...], list[tuple[str, dict[str, Result]]]] = {}
    for rater, own_counts in ({} if unnamed else counts).items():
        view = judged.annotators[rater]
        results = dict(_consistence(own_counts, bootstrap))
        is_known = any(result.value is not None for result in results.values())
        reasons = (rater,) if is_known else tuple(each.reason for each in results.values())
        key = judged.campaigns[view.campaign].slug, *reasons
        alike.setdefault(key, []).append((view.pseudonym, results))
    for (slug, *_), members in alike.items():
        pseudonym, results = members[0]
        name = pseudonym if len(members) == 1 else f"{len(members)} raters"
        for statistic, found in results.items():
            yield name, slug, statistic, found, len(members)


def _consistence(counts: TriadCounts, bootstrap: Bootstrap) -> Iterator[tuple[str, Result]]:
    yield "circular-triads", share_of_circular_triads(counts, bootstrap=bootstrap)
    yield "coefficient-of-consistence", coefficient_of_consistence(counts, bootstrap=bootstrap)


def _majority(
    segment: Integers, one: Integers, other: Integers, answer: Floats, systems: int
) -> tuple[Integers, Integers, Integers, Floats]:
    """Return what most raters preferred of each pair; as many on either side are a tie."""
    keys, index = np.unique((segment * systems + one) * systems + other, return_inverse=True)
    total = np.bincount(index, answer, minlength=len(keys))
    both, last = np.divmod(keys, max(1, systems))
    where, before = np.divmod(both, max(1, systems))
    return where, before, last, np.sign(total)


@dataclass(frozen=True)
class OfChoices:
    """What was asked as a choice between two texts."""

    asked: str
    aspect: str
    protocol: str
    ties: bool
    humans: str
    conditions: Conditions


@dataclass(frozen=True)
class ChoiceRow(OfChoices):
    """How far raters agree on choices in a batch, by a statistic."""

    batch: str
    statistic: str
    raters: int
    pairs: int
    result: Result


@dataclass(frozen=True)
class OrderRow(OfChoices):
    """How far the preferences of a rater, or of several, fit an order, by a statistic.

    Raters of whom nothing is known for the same reason are one row, with their number.
    """

    rater: str
    campaign: str
    statistic: str
    result: Result
    rater_count: int = 1


def choice_rows(
    data: StudyData,
    question: Question,
    humans: str,
    parts: Mapping[str, Question],
    resampling: Resampling | None,
    bootstrap: Bootstrap,
) -> Iterator[Piece[ChoiceRow]]:
    """Yield every statistic of agreement on choices, for each part (batch) of the study."""
    for asked in asked_pairs(data, question):
        for batch, part in parts.items():
            units = judged_pairs(data, part, asked)
            for statistic in STATISTICS:
                row = partial(
                    ChoiceRow,
                    *(asked.label, asked.aspect, asked.protocol, asked.ties, humans),
                    {
                        "agreement_statistic": statistic,
                        "aspect": asked.aspect,
                        **part.but(aspect="", batch="").to_query(),
                    },
                    batch=batch,
                    statistic=statistic,
                    raters=len(units.annotators),
                    pairs=len(units.slots),
                )
                yield partial(_choice, row, units, asked, statistic, bootstrap, resampling)


def _choice(
    row: Callable[..., ChoiceRow],
    units: RatedUnits,
    asked: AskedPairs,
    statistic: Statistic,
    bootstrap: Bootstrap,
    resampling: Resampling | None,
) -> ChoiceRow:
    return row(result=agreement_on_pairs(units, asked, statistic, bootstrap, resampling))


def order_rows(
    data: StudyData, question: Question, humans: str, bootstrap: Bootstrap
) -> tuple[OrderRow, ...]:
    """Return how far preferences between outputs fit an order."""
    return tuple(
        OrderRow(
            *(asked.label, asked.aspect, asked.protocol, asked.ties, humans),
            question.to_query(),
            *of_rater,
        )
        for asked in asked_pairs(data, question)
        if asked.compared == OUTPUTS
        for of_rater in consistency(data, question, asked, bootstrap)
    )
