"""Relative judgements of naturalness: win rates, binned ratings, classifiers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.arrays import Floats, Integers
from analysis.data.judgements import CHOICES, Judgements
from analysis.data.selection import MetricColumn, human_scores, measures_of, metric_columns, select
from analysis.data.study_data import StudyData
from analysis.estimates.choice_agreements import selected
from analysis.estimates.evaluation import asked_about
from analysis.estimates.naturalness import (
    absolute_naturalness,
    classifier_share,
    naturalness_agreement,
    relative_judgements,
    relative_measures,
)
from analysis.filter.question import Question
from analysis.stats.agreement.naturalness import position_bias, share_preferred
from analysis.stats.agreement.protocol_agreement import AtThreshold, binned_against_relative
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
