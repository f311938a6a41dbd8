"""The part of the agreement report on choices: source against output, output against output."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from analysis.data.study_data import StudyData
from analysis.estimates.agreement_resampling import Resampling
from analysis.estimates.agreements import RatedUnits
from analysis.estimates.choice_agreements import (
    OUTPUTS,
    AskedPairs,
    agreement_on_pairs,
    asked_pairs,
    judged_pairs,
)
from analysis.filter.question import Question
from analysis.reports.agreement.consistency import consistency
from analysis.reports.agreement.naturalness import Conditions
from analysis.stats.agreement.choice_agreement import STATISTICS, Statistic
from analysis.stats.pieces import Piece
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Result


@dataclass(frozen=True)
class OfChoices:
    """What was asked as a choice between two texts."""

    asked: str
    aspect: str
    protocol: str
    ties: bool
    humans: str
    conditions: Conditions


@dataclass(frozen=True)
class ChoiceRow(OfChoices):
    """How far raters agree on choices in a batch, by a statistic."""

    batch: str
    statistic: str
    raters: int
    pairs: int
    result: Result


@dataclass(frozen=True)
class OrderRow(OfChoices):
    """How far the preferences of a rater, or of several, fit an order, by a statistic.

    Raters of whom nothing is known for the same reason are one row, with their number.
    """

    rater: str
    campaign: str
    statistic: str
    result: Result
    rater_count: int = 1


def choice_rows(
    data: StudyData,
    question: Question,
    humans: str,
    parts: Mapping[str, Question],
    resampling: Resampling | None,
    bootstrap: Bootstrap,
) -> Iterator[Piece[ChoiceRow]]:
    """Yield every statistic of agreement on choices, for each part (batch) of the study."""
    for asked in asked_pairs(data, question):
        for batch, part in parts.items():
            units = judged_pairs(data, part, asked)
            for statistic in STATISTICS:
                row = partial(
                    ChoiceRow,
                    *(asked.label, asked.aspect, asked.protocol, asked.ties, humans),
                    {
                        "agreement_statistic": statistic,
                        "aspect": asked.aspect,
                        **part.but(aspect="", batch="").to_query(),
                    },
                    batch=batch,
                    statistic=statistic,
                    raters=len(units.annotators),
                    pairs=len(units.slots),
                )
                yield partial(_choice, row, units, asked, statistic, bootstrap, resampling)


def _choice(
    row: Callable[..., ChoiceRow],
    units: RatedUnits,
    asked: AskedPairs,
    statistic: Statistic,
    bootstrap: Bootstrap,
    resampling: Resampling | None,
) -> ChoiceRow:
    return row(result=agreement_on_pairs(units, asked, statistic, bootstrap, resampling))


def order_rows(
    data: StudyData, question: Question, humans: str, bootstrap: Bootstrap
) -> tuple[OrderRow, ...]:
    """Return how far preferences between outputs fit an order."""
    return tuple(
        OrderRow(
            *(asked.label, asked.aspect, asked.protocol, asked.ties, humans),
            question.to_query(),
            *of_rater,
        )
        for asked in asked_pairs(data, question)
        if asked.compared == OUTPUTS
        for of_rater in consistency(data, question, asked, bootstrap)
    )
