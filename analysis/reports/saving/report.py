"""The saving report: what a metric beside the ratings saves, and which segments to rate first."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from analysis.data.arrays import Floats, Integers
from analysis.data.named_metric import LeftOutMetric, NamedMetric, label_of
from analysis.data.picking import MetricChoice, pick
from analysis.data.selection import scale_aspects
from analysis.data.study_data import StudyData
from analysis.estimates.correlations import Pairing, human_side, lay_beside
from analysis.estimates.evaluation import scale_aspect_asked
from analysis.filter.question import Question
from analysis.reports.content import Content
from analysis.stats.results import Result
from analysis.stats.saving.metric_worth import worth_for_differences, worth_for_means
from analysis.stats.saving.pairs_told_apart import PairsOfSystems, ToldApart
from analysis.stats.saving.prediction_powered import FEWEST_RATED, prediction_powered_mean
from analysis.stats.saving.segment_choice import by_mean_rank, by_variance
from corpus.progress import ProgressCallback

SHARES = (0.1, 0.25, 0.5)
FEWEST_CHOSEN = 5
RESULTS = ("worth-for-differences", "worth-for-means")
CHANCE = "at random"
TOGETHER = "all metrics together"


@dataclass(frozen=True, kw_only=True)
class Helper(NamedMetric):
    """A metric with the results of `RESULTS`."""

    results: Mapping[str, Result]


@dataclass(frozen=True)
class ChosenSegments:
    """Pairs of systems that the ratings of some segments tell apart; see `ToldApart`."""

    by: str
    segments: int
    told_apart: float
    in_full_order: float


@dataclass(frozen=True)
class PoweredMean:
    """A system's mean with the help of scores of unrated outputs; see `PredictionPowered`."""

    name: str
    system: str
    unrated: int
    classical: Result
    powered: Result
    weight: float
    worth: float


@dataclass(frozen=True, kw_only=True)
class SavingReport(Content):
    """Metrics as helpers of raters on one aspect."""

    aspect: str
    aspects: tuple[str, ...]
    picked: MetricChoice | None = None
    systems: tuple[str, ...]
    rated: int
    pairs: int
    all_told_apart: float | None
    rows: tuple[Helper, ...]
    chosen: tuple[ChosenSegments, ...]
    means: tuple[PoweredMean, ...]
    left_out: tuple[LeftOutMetric, ...]


def saving_report(data: StudyData, question: Question, tell: ProgressCallback) -> SavingReport:
    """Build the report of one aspect, the first on a scale where none is asked for."""
    aspects, aspect = scale_aspects(data), scale_aspect_asked(data, question)
    question = question.but(aspect=aspect, level="segment", orientation="oriented", scores="raw")
    people = human_side(data, question, aspect)
    human = people.scores
    picked = pick(data, question, aspect)
    pairings, left_out = [], []
    for column in picked.taken:
        pairing = lay_beside(data, question, column, people)
        if pairing.note:
            left_out.append(LeftOutMetric(**label_of(column), reason=pairing.note))
        else:
            pairings.append(pairing)
    rows = []
    for done, pairing in enumerate(pairings):
        tell("metrics", done, len(pairings))
        found = (of(human, pairing.metric) for of in (worth_for_differences, worth_for_means))
        results = dict(zip(RESULTS, found, strict=True))
        rows.append(Helper(**label_of(pairing.column), results=results))
    # What is compared over all systems needs the ratings of all.
    complete = np.flatnonzero(np.isfinite(human).all(axis=1))
    several = human.shape[1] > 1 and complete.size > 0
    pairs = PairsOfSystems(human[complete]) if several else None
    whole = pairs.told_apart(np.arange(complete.size)) if pairs else None
    return SavingReport(
        aspect=aspect,
        aspects=tuple(aspects),
        picked=picked.choice,
        systems=tuple(data.systems[index].name for index in people.cells.systems),
        rated=int(complete.size),
        pairs=whole.pairs if whole else 0,
        all_told_apart=whole.told_apart if whole else None,
        rows=tuple(rows),
        chosen=tuple(_chosen(pairs, pairings, complete, question)) if pairs else (),
        means=tuple(_means(pairings, human)),
        left_out=tuple(left_out),
    )


def _chosen(
    pairs: PairsOfSystems, pairings: list[Pairing], rated: Integers, question: Question
) -> Iterator[ChosenSegments]:
    """Yield what shares of the rated segments tell, chosen by each metric and at random."""
    counts = [int(share * rated.size) for share in SHARES]
    counts = [count for count in counts if count >= FEWEST_CHOSEN]
    orders = {pairing.column.label: by_variance(pairing.metric[rated]) for pairing in pairings}
    if len(orders) > 1:
        orders[TOGETHER] = by_mean_rank(list(orders.values()))
    for count in counts:
        yield _named(CHANCE, pairs.told_apart_by_chance(count, seed=question.seed))
        for name, order in orders.items():
            yield _named(name, pairs.told_apart(order[:count]))


def _named(name: str, found: ToldApart) -> ChosenSegments:
    return ChosenSegments(name, found.segments, found.told_apart, found.in_full_order)


def _means(pairings: list[Pairing], human: Floats) -> Iterator[PoweredMean]:
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
