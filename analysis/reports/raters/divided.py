"""Where raters are divided: how far, over which items, and their answers as soft labels."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from analysis.data.arrays import Integers
from analysis.data.study_data import StudyData
from analysis.reports.raters.labels import Answers, Fitted
from analysis.stats.rater_models.divided import (
    UNIFORM_BIMODALITY,
    bimodality,
    mean_division,
    ordinal_agreement,
    relative_entropy,
)
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Result
from analysis.stats.signature import signature

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
