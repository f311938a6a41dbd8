"""What ratings and votes of a new study would give: ways to spend ratings, and votes needed."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.data.arrays import Floats
from analysis.data.judgements import CHOICES
from analysis.data.selection import select
from analysis.data.study_data import StudyData
from analysis.estimates.correlations import metrics_of_aspect
from analysis.estimates.segment_worth import DIVERSITY, diversity, spread
from analysis.filter.question import Question
from analysis.reports.system_comparison.strengths import judged_systems
from analysis.stats.planning.rating_ways import FEWEST_SEGMENTS, WayOfRating, ways_of_rating
from analysis.stats.planning.vote_plan import votes_for_share
from analysis.stats.saving.prediction_powered import worth_for_differences

SHARES = (0.1, 0.25, 0.5)
MOST_SEGMENTS = 5000
"""Of larger studies a random sample stands for all."""


@dataclass(frozen=True)
class WaysCompared:
    """What each way of spending ratings gives for several numbers of segments.

    `metric` helps, and `chosen_by` says which segments are worth most; `rated` are those of which
    samples were drawn.
    """

    metric: str
    chosen_by: str
    rated: int
    systems: int
    ways: tuple[WayOfRating, ...]


def compared_ways(data: StudyData, question: Question, aspect: str) -> WaysCompared | None:
    """Compare ways to rate on segments with ratings of all systems; None where there are few.

    The metric is that beside which a rating is worth most where systems are compared.
    """
    asked = question.but(aspect=aspect, level="segment", orientation="oriented", scores="raw")
    metrics = metrics_of_aspect(data, asked)
    human = metrics.people.scores
    complete = np.flatnonzero(np.isfinite(human).all(axis=1))
    if len(complete) > MOST_SEGMENTS:
        draw = np.random.default_rng(0)
        complete = np.sort(draw.choice(complete, MOST_SEGMENTS, replace=False))
    counts = [int(share * len(complete)) for share in SHARES]
    counts = [count for count in counts if count >= FEWEST_SEGMENTS]
    if human.shape[1] < 2 or not counts:
        return None
    best, label, most = None, "", 0.0
    for pairing in metrics.pairings:
        scores: Floats = pairing.metric[complete]
        if not np.isfinite(scores).all():
            continue
        worth = worth_for_differences(human[complete], scores).value
        if worth is not None and worth > most:
            best, label, most = scores, pairing.column.label, worth
    sizes = diversity(data, metrics.people.cells, complete) if best is None else spread(best)
    found = [ways_of_rating(human[complete], best, sizes, count) for count in counts]
    return WaysCompared(
        metric=label,
        chosen_by=label or DIVERSITY,
        rated=len(complete),
        systems=human.shape[1],
        ways=tuple(way for ways in found for way in ways),
    )


SHARES_WON = (0.55, 0.6, 0.65, 0.7, 0.75, 0.8)
"""Of decided votes that the better of two systems wins."""


@dataclass(frozen=True)
class PlannedVotes:
    """The votes that detect a share of wins: without ties, and with as many as now."""

    share: float
    decided: int
    votes: int


@dataclass(frozen=True)
class VotesOfAspect:
    """What two systems need to be told apart by votes on an aspect; `ties` is the share of ties."""

    aspect: str
    judgements: int
    ties: float
    power: float
    plans: tuple[PlannedVotes, ...]


def planned_votes(data: StudyData, question: Question) -> Iterator[VotesOfAspect]:
    """Yield the plan of each aspect on which outputs were judged against each other."""
    rows, _, _ = judged_systems(data, select(data, question), question)
    judged = data.judgements
    decided = np.isin(judged.choice, [CHOICES.index("first"), CHOICES.index("second")])
    for place, aspect in enumerate(judged.aspects):
        own = rows[judged.aspect[rows] == place]
        if not decided[own].any():
            continue
        ties = float(1 - decided[own].mean())
        found = (votes_for_share(share, power=question.power) for share in SHARES_WON)
        plans = tuple(
            PlannedVotes(plan.share, plan.votes, int(np.ceil(plan.votes / (1 - ties))))
            for plan in found
        )
        yield VotesOfAspect(aspect, len(own), ties, question.power, plans)
