"""Ratings taken as categories: how often each rater is right, by models of raters."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.data.judgements import CHOICES
from analysis.data.measures import SINGLE_RATERS
from analysis.data.selection import select
from analysis.data.study_data import StudyData
from analysis.filter.question import Question
from analysis.stats.rater_models.dawid_skene import dawid_skene, dawid_skene_intervals
from analysis.stats.rater_models.labels import Labels
from analysis.stats.rater_models.mace import mace
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate, Interval, Result
from analysis.stats.signature import signature

MOST_CATEGORIES = 10
FEWEST_RATERS = 3
MOST_RESAMPLED = 5_000
"""Labels up to which intervals are drawn: each resample is a fit of its own."""
RESAMPLES = 200


@dataclass(frozen=True)
class LabelledRater:
    """One rater by both models."""

    rater: str
    labels: int
    accuracy: Result
    competence: float


@dataclass(frozen=True)
class AsLabels:
    """The ratings of an aspect as categories; `prevalence` is how frequent each truly is."""

    aspect: str
    categories: tuple[str, ...]
    items: int
    prevalence: tuple[Result, ...]
    raters: tuple[LabelledRater, ...]


def as_labels(
    data: StudyData, question: Question, aspect: str, bootstrap: Bootstrap
) -> AsLabels | None:
    """Return what models say of the raters of an aspect; None where they do not fit.

    They need three raters who are known by name, on items that two of them rated, and no more than
    `MOST_CATEGORIES` answers.
    """
    judged = data.judgements
    of_aspect = judged.aspect == judged.aspects.index(aspect)
    answered = (judged.choice >= 0) | (np.isfinite(judged.value) & (judged.second < 0))
    chosen = np.flatnonzero(of_aspect & answered & _selected(data, question))
    kinds = np.array([each.kind in SINGLE_RATERS for each in judged.annotators])
    who = judged.annotator[chosen]
    chosen = chosen[kinds[who] & ~data.unnamed_raters[who]]
    answers = np.where(judged.choice[chosen] >= 0, judged.choice[chosen], judged.value[chosen])
    categories, label = np.unique(answers, return_inverse=True)
    if not 1 < len(categories) <= MOST_CATEGORIES:
        return None
    texts = np.stack([judged.first[chosen], judged.second[chosen]], axis=1)
    _, item, times = np.unique(texts, axis=0, return_inverse=True, return_counts=True)
    several = times[item] > 1
    people, rater = np.unique(judged.annotator[chosen[several]], return_inverse=True)
    if len(people) < FEWEST_RATERS:
        return None
    number = np.unique(item[several], return_inverse=True)[1]
    labels = Labels(number, rater, label[several], len(categories))
    names = [judged.annotators[index].pseudonym for index in people]
    by_choice = bool((judged.choice[chosen] >= 0).all())
    return _modelled(
        aspect,
        labels,
        names,
        tuple(CHOICES[int(each)] if by_choice else f"{each:g}" for each in categories),
        bootstrap,
    )


def _selected(data: StudyData, question: Question) -> NDArray[np.bool_]:
    """Whether the texts of each judgement are of selected segments and systems."""
    cells = select(data, question)
    judged = data.judgements
    segments = np.isin(data.segment_of_output, cells.segments)
    outputs = segments & np.isin(data.column_of_output, cells.systems)
    return outputs[judged.first] & ((judged.second < 0) | outputs[judged.second])


def _modelled(
    aspect: str, labels: Labels, names: list[str], categories: tuple[str, ...], bootstrap: Bootstrap
) -> AsLabels:
    fitted = dawid_skene(labels)
    limits: Iterator[Interval | None] = iter(())
    if bootstrap and labels.item.size <= MOST_RESAMPLED:
        drawn = Bootstrap(min(RESAMPLES, bootstrap.resamples), bootstrap.seed, bootstrap.level)
        found = dawid_skene_intervals(labels, fitted, drawn)
        limits = iter((*found.prevalence, *found.accuracy))
    signed = signature("dawid-skene", start="average", categories=labels.categories)

    def result(value: float, n: int) -> Estimate:
        return Estimate(value, n, "items", signed, interval=next(limits, None))

    given = np.bincount(labels.rater)
    prevalence = tuple(result(float(share), labels.items) for share in fitted.prevalence)
    competence = mace(labels).competence
    return AsLabels(
        aspect=aspect,
        categories=categories,
        items=labels.items,
        prevalence=prevalence,
        raters=tuple(
            LabelledRater(name, int(count), result(float(share), int(count)), float(knows))
            for name, count, share, knows in zip(
                names, given, fitted.accuracy, competence, strict=True
            )
        ),
    )
