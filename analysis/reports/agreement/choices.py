"""Agreement on choices between texts, whether they fit an order, and judgements of naturalness."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.arrays import Floats, Integers
from analysis.data.judgements import CHOICES, Judgements
from analysis.data.measures import NOT_IDENTIFIED
from analysis.data.selection import MetricColumn, human_scores, measures_of, metric_columns, select
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
from analysis.estimates.evaluation import asked_about
from analysis.estimates.naturalness import (
    absolute_naturalness,
    classifier_share,
    naturalness_agreement,
    relative_judgements,
    relative_measures,
)
from analysis.filter.question import Question
from analysis.stats.agreement.choice_agreement import STATISTICS, TIE, Statistic
from analysis.stats.agreement.circular_triads import (
    TriadCounts,
    coefficient_of_consistence,
    count_triads,
    joined,
    share_of_circular_triads,
)
from analysis.stats.agreement.naturalness import position_bias, share_preferred
from analysis.stats.agreement.protocol_agreement import AtThreshold, binned_against_relative
from analysis.stats.pieces import Piece
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Result, Undefined

ASPECT = "naturalness"
MORE_NATURAL = "percent more natural"
POSITION = "preferences for the text on side A"
THRESHOLDS = (2.0, 3.0)
"""Where Mir et al. (2019) cut absolute ratings from 1 to 5."""
CUTS: Mapping[AtThreshold, str] = {"high": "of at least", "low": "above"}
"""Which ratings are high: their rule, from the threshold on; and the stricter one."""
TIES = {"disagreement": "a disagreement", "matched": "matched by a tie"}
Conditions = Mapping[str, Any]
"""What gives a number again, on the command line and as a published value."""


@dataclass(frozen=True)
class RelativeRow:
    """A statistic of outputs against their sources, over a group of systems or a campaign."""

    group: str
    statistic: str
    conditions: Conditions
    result: Result

    @property
    def is_share(self) -> bool:
        """Whether it is a share of outputs, shown in per cent."""
        return not self.statistic.startswith("Cohen")


def naturalness_rows(data: StudyData, question: Question) -> Iterator[RelativeRow]:
    """Yield the numbers that relative judgements give: over all, per model and per system."""
    if question.aspect and all(m.aspect != ASPECT for m in measures_of(data, question.aspect)):
        return
    names = relative_measures(data)
    for name in names:
        if len(names) == 1:
            yield from _of_measure(data, question, "")
        else:
            yield from _of_measure(data, question.but(aspect=name), f", {name}")


def _of_measure(data: StudyData, question: Question, of: str) -> Iterator[RelativeRow]:
    """Yield the numbers of one measure; where there are several, groups are named with it."""
    judged = relative_judgements(data, question.aspect)
    absolute = human_scores(data, question.but(scores="raw"), absolute_naturalness(data))
    for name, asked in _groups(data, question):
        group = name + of
        cells = select(data, asked)
        part = cells.of(judged)
        if np.isnan(part).all():
            continue
        shared = share_preferred(part)
        yield RelativeRow(group, MORE_NATURAL, asked.to_query(), shared)
        for column in _naturalness_columns(data):
            by_classifier = classifier_share(data, asked, column)
            if not isinstance(by_classifier, Undefined):
                statistic = f"{MORE_NATURAL} by {column.name}"
                own = {"metric": [column.name]}
                yield RelativeRow(group, statistic, asked.to_query() | own, by_classifier)
        if np.isfinite(cells.of(absolute)).any():
            yield from _binned(group, asked, cells.of(absolute), part)
        yield from _classifiers(data, group, asked)


def position_rows(data: StudyData, question: Question) -> Iterator[RelativeRow]:
    """Yield for each campaign of pairs whether its raters prefer a side, where it is known."""
    judged = data.judgements
    for index, campaign in enumerate(judged.campaigns):
        rows = sided(data, question, judged.campaign == index)
        if not rows.size:
            continue
        conditions = question.to_query() | {"campaign": [campaign.slug]}
        bias = position_bias(on_side_a(judged, rows))
        yield RelativeRow(campaign.slug, POSITION, conditions, bias)


def sided(data: StudyData, question: Question, among: NDArray[np.bool_]) -> Integers:
    """Return which judgements of two selected texts are known to have stood on which side."""
    judged = data.judgements
    rows = np.flatnonzero(
        among & asked_about(data, question) & (judged.choice >= 0) & (judged.side >= 0)
    )
    return rows[selected(data, question, rows)]


def on_side_a(judged: Judgements, rows: Integers) -> Floats:
    """Return 1 where the text on side A was preferred, 0 where that on B, NaN for ties."""
    first = (judged.choice[rows] == CHOICES.index("first")).astype(np.float64)
    preferred: Floats = np.where(judged.side[rows] == 1, 1 - first, first)
    preferred[judged.choice[rows] >= CHOICES.index("tie")] = np.nan
    return preferred


def _groups(data: StudyData, question: Question) -> Iterator[tuple[str, Question]]:
    yield "all systems", question
    systems = [data.systems[index] for index in select(data, question).systems]
    models = dict.fromkeys(str(system.attributes.get("model", "")) for system in systems)
    for model in models:
        if model:
            yield model, question.but(where=(*question.where, f"model:{model}"))
    if len(systems) > 1:
        for system in systems:
            # A system that is named enters, whoever wrote it.
            yield system.name, question.but(systems=(system.name,), humans="out")


def _binned(
    group: str, question: Question, absolute: Floats, relative: Floats
) -> Iterator[RelativeRow]:
    for (at_threshold, words), threshold in product(CUTS.items(), THRESHOLDS):
        shares = binned_against_relative(
            absolute.ravel(), relative.ravel(), threshold, at_threshold=at_threshold
        )
        own = {"threshold": [f"{threshold:g}"], "at_threshold": [at_threshold]}
        for name, result in zip(("percent agreement", "Cohen's kappa"), shares, strict=True):
            statistic = f"{name} of absolute ratings {words} {threshold:g} with relative judgements"
            yield RelativeRow(group, statistic, question.to_query() | own, result)


def _naturalness_columns(data: StudyData) -> list[MetricColumn]:
    columns = metric_columns(data, Question())
    return [column for column in columns if column.run.aspect_key == ASPECT]


def _classifiers(data: StudyData, group: str, question: Question) -> Iterator[RelativeRow]:
    for column in _naturalness_columns(data):
        for protocol, ties in product(("relative", "absolute"), TIES):
            result = naturalness_agreement(data, question, column, protocol=protocol, ties=ties)
            if isinstance(result, Undefined):
                continue
            statistic = f"agreement of {column.name} with {protocol} judgements, human tie "
            own = {"metric": [column.name], "protocol": [protocol], "ties": [ties]}
            yield RelativeRow(group, statistic + TIES[ties], question.to_query() | own, result)


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
