"""The saving report: what a metric beside the ratings saves, and which segments to rate first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from analysis.data.arrays import Floats
from analysis.data.named_metric import NamedMetric, label_of
from analysis.data.narrowing import weighted_choice
from analysis.data.selection import scale_aspects
from analysis.data.study_data import StudyData
from analysis.estimates.ceilings import ratings_of_persons
from analysis.estimates.correlations import HumanSide, Pairing, metrics_of_aspect, system_names
from analysis.estimates.evaluation import scale_aspect_asked
from analysis.estimates.segment_worth import (
    DIVERSITY,
    RATINGS,
    TOGETHER,
    diversity,
    metric_worths,
    spread,
    together,
)
from analysis.reports.content import Asked, OfAspect
from analysis.stats.results import Result, Undefined
from analysis.stats.saving.prediction_powered import (
    FEWEST_RATED,
    prediction_powered_mean,
    worth_for_differences,
    worth_for_means,
)
from analysis.stats.saving.segment_choice import PairsOfSystems, halves_of_ratings, in_order
from analysis.stats.saving.segment_sample import weighted_mean
from annotation.chosen_segments import ChosenSegments as KnownChoice


@dataclass(frozen=True)
class WeightedSystem:
    """A system's mean over chosen segments, plain and weighted by how they were chosen."""

    COLUMNS: ClassVar[Mapping[str, str]] = {
        "mean_of_chosen": "plain",
        "horvitz-thompson": "horvitz_thompson",
    }
    system: str
    plain: float | None
    hajek: Result
    horvitz_thompson: Result


def weighted_systems(
    data: StudyData, people: HumanSide, how: KnownChoice
) -> Iterator[WeightedSystem]:
    """Yield each system's means over the segments that were chosen with known probabilities."""
    keys = [data.segment_keys[place] for place in people.cells.segments.tolist()]
    rows = [row for row, key in enumerate(keys) if key in how.inclusion]
    inclusion = [how.inclusion[keys[row]] for row in rows]
    strata = [how.segments[keys[row]] for row in rows]
    for column, system in enumerate(system_names(data, people.cells)):
        values = people.scores[rows, column]
        known = values[np.isfinite(values)]
        if not known.size:
            continue
        # That of Horvitz and Thompson takes what is not there for nothing.
        whole = known.size == len(how.segments)
        yield WeightedSystem(
            system,
            float(known.mean()),
            weighted_mean(values, inclusion, strata=strata),
            weighted_mean(
                *(values, inclusion),
                strata=strata,
                estimator="horvitz-thompson",
                population=how.among,
            )
            if whole
            else Undefined("not all chosen segments are selected and rated", known.size),
        )


SHARES = (0.1, 0.25, 0.5)
FEWEST_CHOSEN = 5
RESULTS = ("worth-for-differences", "worth-for-means")
CHANCE = "at random"
HALF = "half of the ratings"
"""By what segments are judged that the other half of the ratings chose."""


@dataclass(frozen=True, kw_only=True)
class Helper(NamedMetric):
    """A metric with the results of `RESULTS`."""

    results: Mapping[str, Result]


@dataclass(frozen=True)
class ChosenSegments:
    """Pairs of systems that the ratings of some segments tell apart; see `ToldApart`."""

    COLUMNS: ClassVar[Mapping[str, str]] = {"chosen_by": "by"}
    by: str
    segments: int
    told_apart: float
    in_full_order: float
    judged_by: str = ""


@dataclass(frozen=True)
class PoweredMean:
    """A system's mean with the help of scores of unrated outputs; see `PredictionPowered`."""

    COLUMNS: ClassVar[Mapping[str, str]] = {"metric": "name"}
    name: str
    system: str
    unrated: int
    classical: Result
    powered: Result
    weight: float
    worth: float


@dataclass(frozen=True, kw_only=True)
class SavingReport(OfAspect):
    """Metrics as helpers of raters on one aspect."""

    systems: tuple[str, ...]
    rated: int
    pairs: int
    all_told_apart: float | None
    rows: tuple[Helper, ...]
    chosen: tuple[ChosenSegments, ...]
    means: tuple[PoweredMean, ...]
    weighted: tuple[WeightedSystem, ...] = ()
    weighted_how: str = ""


def saving_report(asked: Asked) -> SavingReport:
    """Build the report of one aspect, the first on a scale where none is asked for."""
    data, question = asked.data, asked.question
    aspects, aspect = scale_aspects(data), scale_aspect_asked(data, question)
    question = question.but(aspect=aspect, level="segment", orientation="oriented", scores="raw")
    metrics = metrics_of_aspect(data, question)
    people, pairings = metrics.people, metrics.pairings
    human = people.scores
    rows = []
    for done, pairing in enumerate(pairings):
        asked.progress("metrics", done, len(pairings))
        found = (of(human, pairing.metric) for of in (worth_for_differences, worth_for_means))
        results = dict(zip(RESULTS, found, strict=True))
        rows.append(Helper(**label_of(pairing.column), results=results))
    # What is compared over all systems needs the ratings of all.
    complete = np.flatnonzero(np.isfinite(human).all(axis=1))
    several = human.shape[1] > 1 and complete.size > 0
    whole = None
    chosen: list[ChosenSegments] = []
    if several:
        whole = PairsOfSystems(human[complete]).told_apart(np.arange(complete.size))
        worths = metric_worths(pairings, complete)
        worths[DIVERSITY] = diversity(data, people.cells, complete)
        halves = halves_of_ratings(
            ratings_of_persons(data, question, aspect)[complete], question.seed
        )
        chosen = list(_choices(human[complete], halves, worths, question.seed))
    how = weighted_choice(data.judgements.only(data.aspect_mask(aspect)))
    return SavingReport(
        aspect=aspect,
        aspects=tuple(aspects),
        picked=metrics.picked.choice,
        left_out=metrics.left_out,
        systems=system_names(data, people.cells),
        rated=int(complete.size),
        pairs=whole.pairs if whole else 0,
        all_told_apart=whole.told_apart if whole else None,
        rows=tuple(rows),
        chosen=tuple(chosen),
        means=tuple(_means(pairings, human)),
        weighted=() if how is None else tuple(weighted_systems(data, people, how)),
        weighted_how="" if how is None else how.words,
    )


def _choices(
    human: Floats, halves: tuple[Floats, Floats], worths: Mapping[str, Floats], seed: int
) -> Iterator[ChosenSegments]:
    """Yield what shares of the rated segments tell, whatever chose them.

    Ratings may not be judged by a choice that they made: one half chooses, and the other judges.
    """
    counts = [int(share * len(human)) for share in SHARES]
    counts = [count for count in counts if count >= FEWEST_CHOSEN]
    there = np.asarray(np.isfinite(halves).all(axis=(0, 2)))
    with_halves = [count for count in counts if count <= there.sum()]
    of_all = dict(worths)
    everything = together(worths)
    if not with_halves and everything is not None:
        of_all[TOGETHER] = everything
    yield from _chosen(human, of_all, counts, seed)
    if with_halves:
        one, other = (half[there] for half in halves)
        among = {name: each[there] for name, each in worths.items()}
        yield from _chosen_by_half((one, other), among, with_halves, seed)


def _chosen(
    human: Floats, worths: Mapping[str, Floats], counts: list[int], seed: int, judged_by: str = ""
) -> Iterator[ChosenSegments]:
    """Yield what ratings of so many segments tell, chosen by each worth and at random."""
    pairs = PairsOfSystems(human)
    for count in counts:
        found = {CHANCE: pairs.told_apart_by_chance(count, seed=seed)}
        found |= {by: pairs.told_apart(in_order(each)[:count]) for by, each in worths.items()}
        for by, told in found.items():
            yield ChosenSegments(
                by, count, told.told_apart, told.in_full_order, judged_by=judged_by
            )


def _chosen_by_half(
    halves: tuple[Floats, Floats], worths: Mapping[str, Floats], counts: list[int], seed: int
) -> Iterator[ChosenSegments]:
    """Yield what half of the ratings tell where the other half chose: the mean of both ways."""
    both = []
    for choosing, judging in (halves, halves[::-1]):
        by_half = {**worths, RATINGS: spread(choosing)}
        everything = together(by_half)
        shown = {RATINGS: by_half[RATINGS]}
        if everything is not None:
            shown[TOGETHER] = everything
        both.append(list(_chosen(judging, shown, counts, seed, HALF)))
    for one, other in zip(*both, strict=True):
        yield replace(
            one,
            told_apart=(one.told_apart + other.told_apart) / 2,
            in_full_order=(one.in_full_order + other.in_full_order) / 2,
        )


def _means(pairings: Sequence[Pairing], human: Floats) -> Iterator[PoweredMean]:
    """Yield each system's mean beside each metric that scored outputs which nobody rated."""
    for pairing in pairings:
        for place, system in enumerate(pairing.systems):
            rating, score = human[:, place], pairing.metric[:, place]
            labelled = np.isfinite(rating) & np.isfinite(score)
            further = score[np.isfinite(score) & ~np.isfinite(rating)]
            if labelled.sum() < FEWEST_RATED or not further.size:
                continue
            found = prediction_powered_mean(
                rating[labelled], score[labelled], further, clipped=False
            )
            yield PoweredMean(
                pairing.column.label,
                system,
                further.size,
                found.classical,
                found.powered,
                found.weight,
                found.worth,
            )
