"""Systems in the order of human raters and in that of each metric, and how far the two agree."""

from dataclasses import dataclass
from functools import partial

from analysis.data.named_metric import LeftOutMetric, NamedMetric, label_of
from analysis.data.picking import MetricChoice, pick
from analysis.data.selection import rated_aspects
from analysis.estimates.correlations import (
    Pairing,
    align,
    correlation,
    correlation_variant,
    human_side,
)
from analysis.estimates.evaluation import aspect_asked
from analysis.filter.question import Question, QuestionError
from analysis.reports.content import Asked, Content
from analysis.stats.arrays import FloatArray
from analysis.stats.pieces import Piece
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Result
from analysis.stats.systems.rank_ranges import rank_intervals

MOST_METRICS = 40
"""As many as the comparison report compares."""


@dataclass(frozen=True)
class RankedSystem:
    """A system of both rankings."""

    system: str
    human: bool


@dataclass(frozen=True, kw_only=True)
class MetricRanks(NamedMetric):
    """A metric with its rank of each system, and how far its order is that of human raters."""

    ranks: tuple[Result, ...]
    agreement: Result


@dataclass(frozen=True)
class RankingsReport(Content):
    """Ranks of systems on an aspect by human raters and by each metric."""

    aspect: str
    aspects: tuple[str, ...]
    picked: MetricChoice
    segments: int
    systems: tuple[RankedSystem, ...]
    human: tuple[Result, ...]
    columns: tuple[MetricRanks, ...]
    left_out: tuple[LeftOutMetric, ...]


def rankings_report(asked: Asked) -> RankingsReport:
    """Rank the systems on one aspect, the first where none is asked for.

    Both ranks of a metric's column are over the outputs that have its score and a human score. A
    metric of unknown orientation is left out: it has no best system.

    Raises
    ------
    QuestionError
        If more than `MOST_METRICS` metrics fit.
    """
    data, question, bootstrap = asked.data, asked.question, asked.bootstrap
    aspect = aspect_asked(data, question)
    question = question.but(aspect=aspect, level="system", statistic="kendall-tau-b")
    picked = pick(data, question, aspect)
    if len(picked.taken) > MOST_METRICS:
        raise QuestionError(
            f"metric: {len(picked.taken)} metrics fit, at most {MOST_METRICS} are shown at once; "
            "choose some of them"
        )
    people = human_side(data, question, aspect)
    systems = [data.systems[column] for column in people.cells.systems]
    pairings, left_out = [], []
    for column in picked.taken:
        pairing = align(data, question, column, people)
        if pairing.note:
            left_out.append(LeftOutMetric(**label_of(column), reason=pairing.note))
        else:
            pairings.append(pairing)
    pieces: list[Piece[tuple[Result, ...]]] = [
        partial(_of_people, people.scores, question, bootstrap),
        *(partial(_of_metric, pairing, question, bootstrap) for pairing in pairings),
    ]
    human, *of_metrics = asked.divide(pieces, asked.progress)
    return RankingsReport(
        aspect=aspect,
        aspects=tuple(rated_aspects(data)),
        picked=picked.choice,
        segments=len(people.cells.segments),
        systems=tuple(RankedSystem(each.name, each.human) for each in systems),
        human=human,
        columns=tuple(
            MetricRanks(**label_of(pairing.column), ranks=tuple(ranks), agreement=agreement)
            for pairing, (*ranks, agreement) in zip(pairings, of_metrics, strict=True)
        ),
        left_out=tuple(left_out),
    )


def _of_people(scores: FloatArray, question: Question, bootstrap: Bootstrap) -> tuple[Result, ...]:
    """Return the rank of each system by human raters."""
    return tuple(rank_intervals(scores, bootstrap=bootstrap, variant={"human": question.scores}))


def _of_metric(pairing: Pairing, question: Question, bootstrap: Bootstrap) -> tuple[Result, ...]:
    """Return the rank of each system by a metric and, last, how far the order is that of people."""
    variant = correlation_variant(pairing, question)
    ranks = rank_intervals(pairing.metric, bootstrap=bootstrap, variant=variant)
    return *ranks, correlation(pairing, question.but(resample="segments"), bootstrap)
