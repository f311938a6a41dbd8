"""The part of the agreement report on choices: source against output, output against output."""

from collections.abc import Iterator, Mapping
from typing import Any

from analysis.data.study_data import StudyData
from analysis.estimates.agreement_resampling import Resampling
from analysis.estimates.choice_agreements import (
    OUTPUTS,
    AskedPairs,
    agreement_on_pairs,
    asked_pairs,
    judged_pairs,
)
from analysis.estimates.comparisons import bootstrap_of
from analysis.filter.question import Question
from analysis.reports.agreement.consistency import consistency
from analysis.stats.agreement.choice_agreement import STATISTICS


def choice_rows(
    data: StudyData,
    question: Question,
    parts: Mapping[str, Question],
    resampling: Resampling | None,
) -> Iterator[dict[str, Any]]:
    """Yield every statistic of agreement on choices, for each part (batch) of the study."""
    bootstrap = bootstrap_of(question)
    for asked in asked_pairs(data, question):
        for batch, part in parts.items():
            units = judged_pairs(data, part, asked)
            for statistic in STATISTICS:
                found = agreement_on_pairs(units, asked, statistic, bootstrap, resampling)
                yield _described(asked, part) | {
                    "batch": batch,
                    "statistic": statistic,
                    "conditions": {
                        "agreement_statistic": statistic,
                        "aspect": asked.aspect,
                        **part.but(aspect="", batch="").to_query(),
                    },
                    "raters": len(units.annotators),
                    "pairs": len(units.slots),
                    "result": found.to_dict(),
                }


def consistency_rows(data: StudyData, question: Question) -> Iterator[dict[str, Any]]:
    """Yield how far preferences between outputs fit an order."""
    for asked in asked_pairs(data, question):
        if asked.compared != OUTPUTS:
            continue
        for rater, campaign, statistic, result in consistency(
            data, question, asked, bootstrap_of(question)
        ):
            yield _described(asked, question) | {
                "rater": rater,
                "campaign": campaign,
                "statistic": statistic,
                "result": result.to_dict(),
            }


def _described(asked: AskedPairs, question: Question) -> dict[str, Any]:
    return {
        "asked": asked.label,
        "aspect": asked.aspect,
        "protocol": asked.protocol,
        "ties": asked.ties,
        "humans": question.humans,
        "conditions": question.to_query(),
    }
