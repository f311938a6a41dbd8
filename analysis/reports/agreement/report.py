"""The agreement report: how far raters agree, per batch and over all."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, Self

import numpy as np

from analysis.data.measures import PLACE
from analysis.data.scales import UNKNOWN, RatingScale, one_scale, scale_of, why_not_together
from analysis.data.selection import scale_aspects
from analysis.data.study_data import StudyData
from analysis.estimates.agreement_resampling import Resampling, resampling_of
from analysis.estimates.agreements import (
    TOGETHER,
    RatedUnits,
    agreement,
    aspect_groups,
    batches,
    rated_units,
)
from analysis.estimates.evaluation import scale_aspects_asked
from analysis.filter.question import AGREEMENT_HEADLINE, AGREEMENT_STATISTICS, Question
from analysis.reports.agreement.choices import (
    ChoiceRow,
    Conditions,
    OrderRow,
    RelativeRow,
    choice_rows,
    naturalness_rows,
    order_rows,
    position_rows,
)
from analysis.reports.agreement.protocols import ProtocolRow, protocol_rows
from analysis.reports.content import Asked, Content
from analysis.stats.pieces import InPieces, Piece, put_together, values_of
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Result
from analysis.stats.systems.human_scores import z_scores

ALL = "all"


@dataclass(frozen=True)
class Scale:
    """The scale of an aspect, or of all together with why these have none."""

    aspect: str
    low: float | None
    high: float | None
    step: float | None
    source: str
    categorical: bool | None
    not_pooled_because: str

    @classmethod
    def of(cls, aspect: str, scale: RatingScale, not_pooled_because: str = "") -> Self:
        """Return what a report says of a scale."""
        return cls(
            aspect=aspect,
            low=scale.low if scale.known else None,
            high=scale.high if scale.known else None,
            step=scale.step if scale.known else None,
            source=scale.source,
            categorical=bool(scale.points.size) if scale.source == "declared" else None,
            not_pooled_because=not_pooled_because,
        )


@dataclass(frozen=True)
class AgreementRow:
    """How far raters agree on an aspect in a batch, by a statistic."""

    humans: str
    batch: str
    aspect: str
    statistic: str
    raters: int
    units: int
    conditions: Conditions
    result: Result


@dataclass(frozen=True)
class RaterRow:
    """Severity and spread of an annotator on an aspect."""

    rater: str
    kind: str
    raters: int | None
    campaign: str
    aspect: str
    ratings: int
    mean: float
    sd: float
    constant: bool


@dataclass(frozen=True, kw_only=True)
class AgreementReport(Content):
    """How far raters agree, in each batch and over all."""

    batch_attribute: str
    aspects: tuple[str, ...]
    scales: tuple[Scale, ...] = ()
    numbers: tuple[AgreementRow, ...]
    choices: tuple[ChoiceRow, ...] = ()
    consistency: tuple[OrderRow, ...] = ()
    protocols: tuple[ProtocolRow, ...] = ()
    raters: tuple[RaterRow, ...]
    relative: tuple[RelativeRow, ...]


def agreement_report(asked: Asked) -> AgreementReport:
    """Build the report: numbers with their conditions, raters, and relative judgements."""
    data, question, bootstrap = asked.data, asked.question, asked.bootstrap
    attribute, by_batch = batches(data, question)
    resampling = resampling_of(question, bootstrap) if bootstrap else None
    aspects = scale_aspects_asked(data, question)
    states = list(_states(data, question, by_batch))
    # Choices and cut ratings have no z-scores: they are as they were given.
    raw = question.but(scores="raw", ddof=0)
    raw_states = list(_states(data, raw, batches(data, raw)[1]))
    drawn = resampling, bootstrap
    rows_of: tuple[list[Piece[Any]], ...] = (
        list(_numbers(data, aspects, states, *drawn)),
        [
            piece
            for humans, parts in raw_states
            for piece in choice_rows(data, raw, humans, parts, *drawn)
        ],
        [partial(order_rows, data, parts[ALL], humans, bootstrap) for humans, parts in raw_states],
        [partial(protocol_rows, data, parts[ALL], humans, *drawn) for humans, parts in raw_states],
    )
    steps: list[InPieces[Any]] = [values_of(pieces) for pieces in rows_of]
    numbers, choices, orders, protocols = put_together(steps, asked.divide, asked.progress)
    return AgreementReport(
        batch_attribute=attribute,
        aspects=aspects,
        scales=tuple(_scales(data, aspects)),
        numbers=tuple(numbers),
        choices=tuple(choices),
        consistency=tuple(chain(*orders)),
        protocols=tuple(chain(*protocols)),
        raters=tuple(_raters(data)),
        relative=(*naturalness_rows(data, raw), *position_rows(data, raw)),
    )


def _states(
    data: StudyData, question: Question, by_batch: dict[str, Question]
) -> Iterator[tuple[str, dict[str, Question]]]:
    """Yield the batches and all together, with and without human-written systems if there are."""
    has_humans = any(system.human for system in data.systems)
    for humans in ("in", "out") if has_humans and not question.systems else (question.humans,):
        parts = {batch: q.but(humans=humans) for batch, q in by_batch.items()}
        parts[ALL] = question.but(humans=humans)
        yield humans if has_humans else "", parts


def _numbers(
    data: StudyData,
    aspects: Sequence[str],
    states: list[tuple[str, dict[str, Question]]],
    resampling: Resampling | None,
    bootstrap: Bootstrap,
) -> Iterator[Piece[AgreementRow]]:
    for humans, parts in states:
        for batch, asked in parts.items():
            for name, members in aspect_groups(data, aspects):
                units = rated_units(data, asked, members)
                for statistic in AGREEMENT_STATISTICS if batch == ALL else AGREEMENT_HEADLINE:
                    row = partial(
                        AgreementRow,
                        humans=humans,
                        batch=batch,
                        aspect=name,
                        statistic=statistic,
                        raters=len(units.annotators),
                        units=len(units.slots),
                        conditions=_conditions(asked, name, statistic),
                    )
                    yield partial(_number, row, units, statistic, resampling, bootstrap)


def _number(
    row: Callable[..., AgreementRow],
    units: RatedUnits,
    statistic: str,
    resampling: Resampling | None,
    bootstrap: Bootstrap,
) -> AgreementRow:
    return row(result=agreement(units, statistic, resampling, bootstrap))


def _scales(data: StudyData, aspects: Sequence[str]) -> Iterator[Scale]:
    """Yield the scale of each aspect and of all together, with why the latter has none."""
    scales = [scale_of(data, aspect) for aspect in aspects]
    yield from map(Scale.of, aspects, scales)
    if len(aspects) > 1:
        whole = one_scale(scales) or UNKNOWN
        yield Scale.of(TOGETHER, whole, why_not_together(data, aspects))


def _conditions(question: Question, aspect: str, statistic: str) -> Conditions:
    """What gives this number again, on the command line and as a published value."""
    asked = question.but(aspect="" if aspect == TOGETHER else aspect, batch="")
    return {"agreement_statistic": statistic} | asked.to_query()


def _raters(data: StudyData) -> Iterator[RaterRow]:
    """Yield severity and spread of every annotator on every aspect, each against the item means."""
    judged = data.judgements
    for aspect in scale_aspects(data):
        rated = np.flatnonzero(data.aspect_mask(aspect))
        who, values = judged.annotator[rated], judged.value[rated]
        undefined = set(z_scores(values, who).undefined_groups)
        for index, annotator in enumerate(judged.annotators):
            own = values[who == index]
            if len(own) and annotator.kind != PLACE:
                yield RaterRow(
                    rater=annotator.pseudonym,
                    kind=annotator.kind,
                    raters=annotator.raters,
                    campaign=judged.campaigns[annotator.campaign].slug,
                    aspect=aspect,
                    ratings=len(own),
                    mean=float(own.mean()),
                    sd=float(own.std()),
                    constant=index in undefined,
                )
