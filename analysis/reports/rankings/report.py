"""Systems in the order of human raters and in that of each metric, and how far the two agree."""

from dataclasses import dataclass
from functools import partial

from analysis.data.named_metric import NamedMetric, label_of
from analysis.data.selection import rated_aspects
from analysis.estimates.correlations import (
    Pairing,
    correlation,
    correlation_variant,
    metrics_of_aspect,
)
from analysis.estimates.evaluation import aspect_asked
from analysis.filter.question import Question
from analysis.reports.content import Asked, OfAspect, facts_of
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


@dataclass(frozen=True, kw_only=True)
class RankingsReport(OfAspect):
    """Ranks of systems on an aspect by human raters and by each metric."""

    segments: int
    systems: tuple[RankedSystem, ...]
    human: tuple[Result, ...]
    columns: tuple[MetricRanks, ...]


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
    metrics = metrics_of_aspect(data, question, most=MOST_METRICS)
    systems = [data.systems[column] for column in metrics.people.cells.systems]
    pieces: list[Piece[tuple[Result, ...]]] = [
        partial(_of_people, metrics.people.scores, question, bootstrap),
        *(partial(_of_metric, pairing, question, bootstrap) for pairing in metrics.pairings),
    ]
    human, *of_metrics = asked.divide(pieces, asked.progress)
    return RankingsReport(
        **facts_of(data, metrics)
        | {"systems": tuple(RankedSystem(each.name, each.human) for each in systems)},
        aspects=tuple(rated_aspects(data)),
        human=human,
        columns=tuple(
            MetricRanks(**label_of(pairing.column), ranks=tuple(ranks), agreement=agreement)
            for pairing, (*ranks, agreement) in zip(metrics.pairings, of_metrics, strict=True)
        ),
    )


def _of_people(scores: FloatArray, question: Question, bootstrap: Bootstrap) -> tuple[Result, ...]:
    """Return the rank of each system by human raters."""
    return tuple(rank_intervals(scores, bootstrap=bootstrap, variant={"human": question.scores}))


def _of_metric(pairing: Pairing, question: Question, bootstrap: Bootstrap) -> tuple[Result, ...]:
    """Return the rank of each system by a metric and, last, its τ-b with human raters."""
    variant = correlation_variant(pairing, question)
    ranks = rank_intervals(pairing.metric, bootstrap=bootstrap, variant=variant)
    return *ranks, correlation(pairing, question.but(resample="segments"), bootstrap)
