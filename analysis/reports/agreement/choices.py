"""The part of the agreement report on choices: source against output, output against output."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from analysis.data.study_data import StudyData
from analysis.estimates.agreement_resampling import Resampling
from analysis.estimates.choice_agreements import (
    OUTPUTS,
    agreement_on_pairs,
    asked_pairs,
    judged_pairs,
)
from analysis.estimates.comparisons import bootstrap_of
from analysis.filter.question import Question
from analysis.reports.agreement.consistency import consistency
from analysis.reports.agreement.naturalness import Conditions
from analysis.stats.agreement.choice_agreement import STATISTICS
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
    """How far the preferences of a rater, or of several, fit an order, by a statistic."""

    rater: str
    campaign: str
    statistic: str
    result: Result


def choice_rows(
    data: StudyData,
    question: Question,
    humans: str,
    parts: Mapping[str, Question],
    resampling: Resampling | None,
) -> Iterator[ChoiceRow]:
    """Yield every statistic of agreement on choices, for each part (batch) of the study."""
    bootstrap = bootstrap_of(question)
    for asked in asked_pairs(data, question):
        for batch, part in parts.items():
            units = judged_pairs(data, part, asked)
            for statistic in STATISTICS:
                yield ChoiceRow(
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
                    result=agreement_on_pairs(units, asked, statistic, bootstrap, resampling),
                )


def order_rows(data: StudyData, question: Question, humans: str) -> Iterator[OrderRow]:
    """Yield how far preferences between outputs fit an order."""
    for asked in asked_pairs(data, question):
        if asked.compared != OUTPUTS:
            continue
        for of_rater in consistency(data, question, asked, bootstrap_of(question)):
            described = (asked.label, asked.aspect, asked.protocol, asked.ties, humans)
            yield OrderRow(*described, question.to_query(), *of_rater)
