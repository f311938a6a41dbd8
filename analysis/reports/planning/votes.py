"""How many votes a new comparison of two systems needs, for studies that have votes."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.data.judgements import CHOICES
from analysis.data.selection import select
from analysis.data.study_data import StudyData
from analysis.filter.question import Question
from analysis.reports.system_comparison.strengths import judged_systems
from analysis.stats.planning.vote_plan import votes_for_share

SHARES = (0.55, 0.6, 0.65, 0.7, 0.75, 0.8)
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
        found = (votes_for_share(share, power=question.power) for share in SHARES)
        plans = tuple(
            PlannedVotes(plan.share, plan.votes, int(np.ceil(plan.votes / (1 - ties))))
            for plan in found
        )
        yield VotesOfAspect(aspect, len(own), ties, question.power, plans)
