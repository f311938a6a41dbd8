"""Ratings taken as categories: how often each rater is right, by models of raters."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.data.study_data import StudyData
from analysis.reports.raters.answers import Answers
from analysis.stats.rater_models.labels import (
    STARTS,
    DawidSkene,
    Labels,
    bounded_starts,
    dawid_skene,
    dawid_skene_intervals,
    mace,
)
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate, Interval, Result
from analysis.stats.signature import signature

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
    """The ratings of an aspect as categories.

    `prevalence` is how frequent each truly is, `starts` from how many starts MACE was fitted.
    """

    aspect: str
    categories: tuple[str, ...]
    items: int
    prevalence: tuple[Result, ...]
    raters: tuple[LabelledRater, ...]
    starts: int = STARTS


@dataclass(frozen=True)
class Fitted:
    """Answers with the model that was fitted to them; `met` are the categories that were given."""

    answers: Answers
    labels: Labels
    people: tuple[str, ...]
    met: tuple[int, ...]
    model: DawidSkene
    signature: str


def fitted_labels(data: StudyData, answers: Answers | None) -> Fitted | None:
    """Fit Dawid and Skene's model to answers of raters who are known by name.

    None where there are fewer than three of them.
    """
    if answers is None:
        return None
    people, rater = np.unique(answers.annotator, return_inverse=True)
    if len(people) < FEWEST_RATERS:
        return None
    met, label = np.unique(answers.label, return_inverse=True)
    labels = Labels(answers.item, rater, label, len(met))
    return Fitted(
        answers=answers,
        labels=labels,
        people=tuple(data.judgements.annotators[index].pseudonym for index in people),
        met=tuple(met.tolist()),
        model=dawid_skene(labels),
        signature=signature("dawid-skene", start="average", categories=labels.categories),
    )


def as_labels(aspect: str, fitted: Fitted, bootstrap: Bootstrap) -> AsLabels:
    """Return what models say of the raters of an aspect."""
    labels, model = fitted.labels, fitted.model
    limits: Iterator[Interval | None] = iter(())
    if bootstrap and labels.item.size <= MOST_RESAMPLED:
        drawn = Bootstrap(min(RESAMPLES, bootstrap.resamples), bootstrap.seed, bootstrap.level)
        found = dawid_skene_intervals(labels, model, drawn)
        limits = iter((*found.prevalence, *found.accuracy))

    def result(value: float, n: int) -> Estimate:
        return Estimate(value, n, "items", fitted.signature, interval=next(limits, None))

    given = np.bincount(labels.rater)
    prevalence = tuple(result(float(share), labels.items) for share in model.prevalence)
    starts = bounded_starts(labels.label.size)
    competence = mace(labels, starts=starts).competence
    return AsLabels(
        aspect=aspect,
        categories=tuple(fitted.answers.categories[each] for each in fitted.met),
        items=labels.items,
        prevalence=prevalence,
        raters=tuple(
            LabelledRater(name, int(count), result(float(share), int(count)), float(knows))
            for name, count, share, knows in zip(
                fitted.people, given, model.accuracy, competence, strict=True
            )
        ),
        starts=starts,
    )
