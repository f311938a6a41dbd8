"""Segments for a new campaign, chosen by metrics, texts or earlier ratings.

Annotation never sees a score: what leaves here is a list of segments with their probabilities.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from analysis.choosing.candidates import KEYS, Candidates, ChoiceError
from analysis.data.arrays import Floats, Integers
from analysis.data.study_data import StudyData
from analysis.estimates.ceilings import ratings_of_persons
from analysis.filter.question import Question
from analysis.stats.saving.segment_choice import PairsOfSystems, ToldApart, halves_of_ratings
from analysis.stats.saving.segment_sample import (
    ALLOCATIONS,
    WAYS,
    Allocation,
    SegmentSample,
    Way,
    choose_segments,
)
from annotation.chosen_segments import ChosenSegments, ChosenStratum


@dataclass(frozen=True)
class SegmentsAsked:
    """What segments are wanted.

    Parameters
    ----------
    by
        A key of `KEYS`, or the name of a metric of the study.
    count
        How many segments.
    way, allocation
        See `analysis.stats.saving.segment_sample`.
    strata
        ``"direction"`` and names of attributes of segments.
    unrated
        Only segments of which nobody rated an output on the aspect.
    seed
        Of the sample.
    """

    by: str
    count: int
    way: Way = "probability"
    allocation: Allocation = "proportional"
    strata: tuple[str, ...] = ()
    unrated: bool = False
    seed: int = 0


@dataclass(frozen=True)
class WhatItTells:
    """What ratings of as many segments would have told, chosen in the same way and at random."""

    rated: int
    chosen: ToldApart
    chance: ToldApart
    by_half: bool = False
    """Whether half of the ratings chose and the other half tells."""


@dataclass(frozen=True)
class Choice:
    """Segments for a campaign, and what the study's own ratings say of such a choice."""

    segments: ChosenSegments
    told: WhatItTells | None


def choose(data: StudyData, question: Question, asked: SegmentsAsked) -> Choice:
    """Choose segments of a study.

    Parameters
    ----------
    data
        With the ratings that the question is about.
    question
        The filter of the report *Saving ratings*.
    asked

    Raises
    ------
    ChoiceError
        If they cannot be chosen.
    analysis.filter.question.QuestionError
        If the question names something that the study does not have.
    """
    among = Candidates(data, question)
    if unknown := [name for name in asked.strata if name not in among.strata]:
        known = ", ".join(among.strata) or "nothing"
        raise ChoiceError(f"strata={unknown[0]}: segments may be divided by {known}")
    for name, value, known_values in (
        ("way", asked.way, WAYS),
        ("allocation", asked.allocation, ALLOCATIONS),
    ):
        if value not in known_values:
            raise ChoiceError(f"{name}={value}: expected one of {', '.join(known_values)}")
    rows = among.rows
    human = among.people.scores
    if asked.unrated:
        rows = rows[~np.isfinite(human[rows]).any(axis=1)]
    sample = _sampled(among, rows, asked)
    keys = [data.segment_keys[place] for place in among.people.cells.segments[rows].tolist()]
    names = [str(each.name) for each in sample.strata] if asked.strata else [""]
    numbers = {name: number for number, name in enumerate(names)}
    of_segment = among.strata_of(rows, asked.strata)
    chosen = sample.chosen.tolist()
    by_metrics = asked.by in ("metrics", "together") or asked.by not in KEYS
    return Choice(
        ChosenSegments(
            by=KEYS.get(asked.by, asked.by),
            metrics=tuple(_metrics(among, asked.by)) if by_metrics else (),
            aspect=among.aspect if asked.by in ("ratings", "together") else "",
            way=asked.way,
            allocation=asked.allocation,
            strata=asked.strata,
            strata_counted=tuple(
                ChosenStratum(name, each.segments, each.chosen)
                for name, each in zip(names, sample.strata, strict=True)
            ),
            seed=asked.seed,
            among=len(rows),
            segments={keys[place]: numbers[str(of_segment[place])] for place in chosen},
            inclusion=_inclusion(sample, keys),
        ),
        _told(among, asked),
    )


def _sampled(among: Candidates, rows: Integers, asked: SegmentsAsked) -> SegmentSample:
    if not rows.size:
        raise ChoiceError("no segment fits: none has outputs of two of these systems")
    worth = among.worth(asked.by, rows)
    if not np.isfinite(worth).any():
        raise ChoiceError(f"by={asked.by}: nothing is known of these segments")
    try:
        return _chosen(among, rows, worth, asked)
    except ValueError as error:
        raise ChoiceError(str(error)) from None


def _chosen(
    among: Candidates, rows: Integers, worth: Floats, asked: SegmentsAsked
) -> SegmentSample:
    strata = among.strata_of(rows, asked.strata)
    return choose_segments(
        worth, asked.count, way=asked.way, strata=strata, allocation=asked.allocation,
        seed=asked.seed,
    )  # fmt: skip


def _metrics(among: Candidates, by: str) -> Iterator[tuple[str, str]]:
    for pairing in among.pairings:
        run = pairing.column.run
        if by in KEYS or pairing.column.label == by:
            yield pairing.column.label, run.signature or f"imported, {run.content_sha256[:12]}"


def _inclusion(sample: SegmentSample, keys: list[str]) -> Mapping[str, float]:
    if sample.inclusion is None:
        return {}
    return dict(zip((keys[each] for each in sample.chosen), sample.inclusion.tolist(), strict=True))


def _told(among: Candidates, asked: SegmentsAsked) -> WhatItTells | None:
    """Return what the same choice among the rated segments tells; None where they are too few.

    A choice that sees ratings sees half of them, and the other half tells.
    """
    human = among.people.scores
    rows = np.flatnonzero(np.isfinite(human).all(axis=1))
    judging, seen = human[rows], None
    if asked.by in ("ratings", "together"):
        ratings = ratings_of_persons(among.data, among.question, among.aspect)[rows]
        halves = np.array(halves_of_ratings(ratings, asked.seed))
        there = np.isfinite(halves).all(axis=(0, 2))
        rows = rows[there]
        seen, judging = halves[:, there]
    if human.shape[1] < 2 or not 1 < asked.count < rows.size:
        return None
    try:
        chosen = _chosen(among, rows, among.worth(asked.by, rows, seen), asked).chosen
    except ValueError:
        return None
    pairs = PairsOfSystems(judging)
    return WhatItTells(
        rows.size,
        pairs.told_apart(chosen),
        pairs.told_apart_by_chance(asked.count, seed=asked.seed),
        by_half=seen is not None,
    )
