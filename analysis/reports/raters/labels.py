"""Answers as categories: how often each rater is right, and where raters are divided."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from analysis.data.arrays import Floats, Integers
from analysis.data.judgements import Judgements
from analysis.data.measures import SINGLE_RATERS
from analysis.data.scales import scale_of
from analysis.data.selection import select
from analysis.data.study_data import StudyData
from analysis.filter.question import Question
from analysis.stats.rater_models.divided import (
    MOST_POINTS,
    UNIFORM_BIMODALITY,
    bimodality,
    mean_division,
    ordinal_agreement,
    relative_entropy,
)
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

MOST_CATEGORIES = 10


@dataclass(frozen=True)
class Answers:
    """Answers of single raters to items that two or more of them answered.

    Parameters
    ----------
    item, annotator, label : ndarray of int, shape (answers,)
        Number of the item, place of the annotator in the study, number of the category.
    categories
        Names of the categories, lowest first where they are points of a scale.
    points : ndarray
        Their values; empty where they are choices, which have no order.
    first, second : ndarray of int, shape (items,)
        Places of the outputs of each item; −1 where there is no second one.
    """

    item: Integers
    annotator: Integers
    label: Integers
    categories: tuple[str, ...]
    points: Floats
    first: Integers
    second: Integers

    @property
    def counts(self) -> Floats:
        """How often each item was given each category: items × categories."""
        width = len(self.categories)
        cells = np.bincount(self.item * width + self.label, minlength=len(self.first) * width)
        return cells.reshape(-1, width).astype(np.float64)


def answers_of(
    data: StudyData, question: Question, aspect: str, *, identified: bool = False
) -> Answers | None:
    """Return the selected answers of an aspect; None where they are no categories, or none.

    Points of the scale that nobody chose are categories too. With `identified`, raters who are
    places in a list are left out.
    """
    judged = data.judgements
    if aspect not in judged.aspects:
        return None
    of_aspect = judged.aspect == judged.aspects.index(aspect)
    answered = (judged.choice >= 0) | (np.isfinite(judged.value) & (judged.second < 0))
    chosen = np.flatnonzero(of_aspect & answered & selected_judgements(data, judged, question))
    kinds = np.array([each.kind in SINGLE_RATERS for each in judged.annotators], dtype=bool)
    who = judged.annotator[chosen]
    taken = kinds[who] & ~data.unnamed_raters[who] if identified else kinds[who]
    chosen = chosen[taken]
    by_choice = bool((judged.choice[chosen] >= 0).all())
    answers = np.where(judged.choice[chosen] >= 0, judged.choice[chosen], judged.value[chosen])
    met = np.unique(answers)
    if not 1 < len(met) <= MOST_CATEGORIES:
        return None
    values = met if by_choice else np.union1d(scale_of(data, aspect).points, met)
    if len(values) > MOST_POINTS:
        values = met
    outputs = len(data.segment_of_output) + 1
    texts = judged.first[chosen] * outputs + judged.second[chosen] + 1
    items, item, times = np.unique(texts, return_inverse=True, return_counts=True)
    several = times[item] > 1
    if not several.any():
        return None
    kept = np.flatnonzero(times > 1)
    return Answers(
        item=np.searchsorted(kept, item[several]),
        annotator=judged.annotator[chosen[several]],
        label=np.searchsorted(values, answers[several]),
        categories=tuple(
            judged.answers[int(each)] if by_choice else f"{each:g}" for each in values
        ),
        points=np.empty(0) if by_choice else values,
        first=items[kept] // outputs,
        second=items[kept] % outputs - 1,
    )


def selected_judgements(
    data: StudyData, judged: Judgements, question: Question
) -> NDArray[np.bool_]:
    """Whether the texts of each judgement are of selected segments and systems."""
    cells = select(data, question)
    segments = np.isin(data.segment_of_output, cells.segments)
    outputs = segments & np.isin(data.column_of_output, cells.systems)
    return outputs[judged.first] & ((judged.second < 0) | outputs[judged.second])


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


MOST_SHOWN = 20
MOST_SOFT = 10_000
"""Items whose soft labels a report keeps, those that divide raters most."""
DIGITS = 6


@dataclass(frozen=True)
class DividedItem:
    """An item with its answers; `other` is the second system of a comparison."""

    COLUMNS: ClassVar[Mapping[str, str]] = {
        "other_system": "other",
        "relative_entropy": "entropy",
        "ordinal_agreement": "agreement",
    }
    segment: str
    system: str
    other: str
    counts: tuple[int, ...]
    entropy: float
    agreement: float | None
    bimodality: float | None


@dataclass(frozen=True)
class SoftLabels:
    """Columns of one entry an item: its answers, and how likely each category is its true one."""

    signature: str
    model_signature: str
    segment: list[str]
    system: list[str]
    other: list[str]
    counts: list[list[int]]
    posterior: list[list[float] | None] = field(default_factory=list)


@dataclass(frozen=True)
class Divided:
    """How far the raters of an aspect are divided, the most divided items first.

    `ordered` says whether the categories are points of a scale; then items are ordered by van der
    Eijk's agreement, otherwise by entropy.
    """

    aspect: str
    categories: tuple[str, ...]
    ordered: bool
    items: int
    results: dict[str, Result]
    most: tuple[DividedItem, ...]
    soft: SoftLabels


def divided(
    data: StudyData, aspect: str, answers: Answers, fitted: Fitted | None, bootstrap: Bootstrap
) -> Divided:
    """Return how divided raters are over the items of an aspect."""
    counts, points = answers.counts, answers.points
    ordered = len(points) > 2
    missing = np.full(len(counts), np.nan)
    spread = relative_entropy(counts)
    agreement = ordinal_agreement(counts) if ordered else missing
    modes = bimodality(counts, points) if ordered else missing
    units = data.segment_of_output[answers.first]
    results = {
        "entropy": mean_division(spread, units, "entropy", bootstrap=bootstrap),
        "ordinal-agreement": mean_division(
            agreement, units, "ordinal-agreement", bootstrap=bootstrap
        ),
        "polarised": mean_division(
            agreement, units, "ordinal-agreement", below=0.0, bootstrap=bootstrap
        ),
        "bimodal": mean_division(
            modes, units, "bimodality", above=UNIFORM_BIMODALITY, bootstrap=bootstrap
        ),
    }
    by_division = (-spread, agreement) if ordered else (answers.first, -spread)
    order = np.lexsort(by_division)
    named = _Names(data, answers)
    return Divided(
        aspect=aspect,
        categories=answers.categories,
        ordered=ordered,
        items=len(counts),
        results=results,
        most=tuple(
            DividedItem(
                *named.of(item),
                counts=tuple(counts[item].astype(int).tolist()),
                entropy=float(spread[item]),
                agreement=_known(agreement[item]),
                bimodality=_known(modes[item]),
            )
            for item in order[:MOST_SHOWN].tolist()
            if spread[item] > 0
        ),
        soft=_soft(named, answers, fitted, order[:MOST_SOFT]),
    )


@dataclass(frozen=True)
class _Names:
    """Names the texts of items."""

    data: StudyData
    answers: Answers

    def of(self, item: int) -> tuple[str, str, str]:
        """Return segment, system and the other system of an item."""
        first, second = int(self.answers.first[item]), int(self.answers.second[item])
        segment = self.data.segment_keys[self.data.segment_of_output[first]]
        return segment, self._system(first), self._system(second) if second >= 0 else ""

    def _system(self, output: int) -> str:
        column = int(self.data.column_of_output[output])
        return self.data.systems[column].name


def _soft(named: _Names, answers: Answers, fitted: Fitted | None, items: Integers) -> SoftLabels:
    segment, system, other = zip(*map(named.of, items.tolist()), strict=True)
    return SoftLabels(
        signature("soft-labels", share="of raters", categories=len(answers.categories)),
        fitted.signature if fitted else "",
        list(segment),
        list(system),
        list(other),
        counts=answers.counts[items].astype(int).tolist(),
        posterior=_posterior(answers, fitted, items) if fitted else [],
    )


def _posterior(answers: Answers, fitted: Fitted, items: Integers) -> list[list[float] | None]:
    """Return the model's posterior of items under all categories; None where it lacks an item."""
    wide = np.zeros((fitted.labels.items, len(answers.categories)))
    names = [fitted.answers.categories[each] for each in fitted.met]
    wide[:, [answers.categories.index(name) for name in names]] = fitted.model.posterior
    of_model = {
        (first, second): place
        for place, (first, second) in enumerate(
            zip(fitted.answers.first.tolist(), fitted.answers.second.tolist(), strict=True)
        )
    }
    places = [
        of_model.get((int(answers.first[item]), int(answers.second[item])), -1)
        for item in items.tolist()
    ]
    found = wide.round(DIGITS).tolist()
    return [found[place] if place >= 0 else None for place in places]


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
