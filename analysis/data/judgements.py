"""The ratings of a study as arrays, with the campaigns and annotators that they came from."""

import io
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.data.arrays import Floats, Integers
from analysis.data.measures import Asked, Measure

OF_EACH_RATING = (
    *("campaign", "annotator", "aspect", "first", "second", "value", "choice", "side"),
    "seconds",
)
"""The arrays of `Judgements`."""
CHOICES = ("first", "second", "tie", "both_bad")
TURNED = np.array([1, 0, 2, 3, -1])
"""Each choice when the two texts change places; the last is that of a number."""


@dataclass(frozen=True, slots=True)
class CampaignView:
    """A campaign as the reports name it."""

    pk: int
    slug: str
    protocol: str
    config: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AnnotatorView:
    """An annotator as the reports name it; `raters` is None where not stated."""

    pk: int
    campaign: int
    pseudonym: str
    kind: str
    raters: int | None
    about: Mapping[str, Any] = field(default_factory=dict)
    """What the annotator answered about themselves: question to answer."""


@dataclass(frozen=True)
class Judgements:
    """All current ratings in the order in which they were given or imported.

    Every array has one entry a rating; `campaign` and `annotator` index the tuples, `aspect` the
    measures, `first` and `second` are places of outputs (−1: none), `value` is NaN for choices,
    `choice` indexes `answers` (−1: a number), `side` is 1 where the first text stood on side B (−1:
    not known, as in most imported judgements). Of two texts the first is the one that comes first
    in the natural order.
    """

    campaigns: tuple[CampaignView, ...]
    annotators: tuple[AnnotatorView, ...]
    measures: tuple[Measure, ...]
    campaign: Integers
    annotator: Integers
    aspect: Integers
    first: Integers
    second: Integers
    value: Floats
    choice: Integers
    side: Integers
    seconds: Floats
    """Active time on the item; NaN where not measured. No part of what is hashed."""
    categories: tuple[str, ...] = ()
    """Answers about one text that are words, in order of appearance."""
    asked: tuple[Asked, ...] = ()
    """Under which names each campaign's ratings are stored, before any filter."""

    @cached_property
    def aspects(self) -> tuple[str, ...]:
        """Names of the measures."""
        return tuple(measure.name for measure in self.measures)

    @cached_property
    def on_scale(self) -> tuple[str, ...]:
        """Names of the measures of which there are numbers, each about one text."""
        return self._measures_among(np.isfinite(self.value) & (self.second < 0))

    @cached_property
    def by_choice(self) -> tuple[str, ...]:
        """Names of the measures of which there are choices between two texts."""
        return self._measures_among((self.choice >= 0) & (self.second >= 0))

    @cached_property
    def by_category(self) -> tuple[str, ...]:
        """Names of the measures of which there are categories of one text."""
        return self._measures_among((self.choice >= 0) & (self.second < 0))

    @property
    def answers(self) -> tuple[str, ...]:
        """The words that `choice` indexes."""
        return (*CHOICES, *self.categories)

    def _measures_among(self, rows: NDArray[np.bool_]) -> tuple[str, ...]:
        counts = np.bincount(self.aspect[rows], minlength=len(self.measures))
        return tuple(name for name, count in zip(self.aspects, counts, strict=True) if count)

    @cached_property
    def campaigns_met(self) -> tuple[CampaignView, ...]:
        """Campaigns of which there are ratings."""
        return tuple(self.campaigns[index] for index in np.unique(self.campaign))

    def only(self, rows: NDArray[np.bool_]) -> "Judgements":
        """Return some of the ratings; measures, campaigns and annotators stay."""
        arrays = {name: getattr(self, name)[rows] for name in OF_EACH_RATING}
        return replace(self, **arrays)

    def packed(self) -> bytes:
        """Return the ratings as bytes that are equal whenever the ratings are."""
        buffer = io.BytesIO()
        # Who rated nothing is no part of the ratings.
        met, campaign = np.unique(self.campaign, return_inverse=True)
        people, annotator = np.unique(self.annotator, return_inverse=True)
        campaigns = [self.campaigns[index] for index in met]
        annotators = [self.annotators[index] for index in people]
        names = "\n".join(
            [f"{c.slug}\t{c.protocol}" for c in campaigns]
            + [
                f"{self.campaigns[a.campaign].slug}\t{a.pseudonym}\t{a.kind}\t{a.raters}"
                for a in annotators
            ]
            + [measure.asked_as for measure in self.measures]
            + list(self.categories)
        )
        buffer.write(names.encode())
        for array in (campaign, annotator, self.aspect, self.first, self.second):
            np.lib.format.write_array(buffer, array, allow_pickle=False)
        np.lib.format.write_array(buffer, self.value, allow_pickle=False)
        np.lib.format.write_array(buffer, self.choice, allow_pickle=False)
        np.lib.format.write_array(buffer, self.side, allow_pickle=False)
        return buffer.getvalue()


def with_best_covered_first(judged: Judgements, column_of_output: Integers) -> Judgements:
    """Order measures by how far their ratings go.

    A report on one aspect takes the first of its measures by default: one that covers all systems,
    has two raters or more, and was given for most of the outputs that any was given for. Of those
    that differ by the campaign alone, the one of most systems comes first; others stay in the
    order in which they appear.
    """
    covers = [_coverage(judged, place, column_of_output) for place in range(len(judged.measures))]
    most_systems = max((each.systems for each in covers), default=0)
    most_outputs = max((each.outputs for each in covers), default=0)
    slots: dict[Measure, int] = {}

    def evidence(place: int) -> tuple[bool, bool, bool, int, int]:
        measure, found = judged.measures[place], covers[place]
        slot = slots.setdefault(replace(measure, campaigns=(), name=""), place)
        is_narrow, is_partial = found.systems < most_systems, found.outputs < most_outputs / 2
        return is_narrow, found.raters < 2, is_partial, slot, -found.systems

    order = sorted(range(len(judged.measures)), key=evidence)
    if order == list(range(len(order))):
        return judged
    new_place = np.argsort(order)
    return replace(
        judged,
        measures=tuple(judged.measures[place] for place in order),
        aspect=new_place[judged.aspect],
        asked=tuple(
            replace(asked, measure=int(new_place[asked.measure])) for asked in judged.asked
        ),
    )


class _Coverage(NamedTuple):
    systems: int
    raters: int
    outputs: int


def _coverage(judged: Judgements, measure: int, column_of_output: Integers) -> _Coverage:
    """Count the systems, the raters and the outputs with ratings on a measure."""
    rows = judged.aspect == measure
    outputs = np.concatenate([judged.first[rows], judged.second[rows]])
    outputs = np.unique(outputs[outputs >= 0])
    columns = column_of_output[outputs]
    raters = np.unique(judged.annotator[rows])
    stated = sum(judged.annotators[index].raters or 1 for index in raters)
    return _Coverage(len(np.unique(columns[columns >= 0])), stated, len(outputs))
