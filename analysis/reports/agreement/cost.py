"""How much work an agreement report is, in the units of `analysis.reports.service.QUICK`.

A unit is about 50 ns of one core; the numbers were measured.
"""

import numpy as np

from analysis.data.study_data import StudyData
from analysis.filter.question import Question

PER_RATING = 40
PER_DRAWN_RATING = 100
PER_PAIR = 100
"""Two ratings of one output, which enter the r of their raters in 1,000 draws."""
PER_RATING_AND_RATER = 1
"""Ratings of each rater looked up among those of all others."""


def agreement_cost(data: StudyData, question: Question, aspects: int) -> int:
    """Estimate the work of a report on all ratings of some data."""
    judged = data.judgements
    ratings = len(judged.value)
    if question.resample != "standard" or question.interval != "standard":
        return ratings * PER_DRAWN_RATING * question.resamples
    unit = judged.first * max(1, len(judged.aspects)) + judged.aspect
    each = np.unique(unit, return_counts=True)[1]
    pairs = int((each * (each - 1) // 2).sum())
    return values_cost(data, aspects) + _rounds(aspects) * (
        pairs * PER_PAIR * question.resamples // 1000
    )


def values_cost(data: StudyData, aspects: int) -> int:
    """Estimate the work of a report's values alone, which draw nothing."""
    judged = data.judgements
    ratings = len(judged.value)
    beside = ratings * len(judged.annotators) * PER_RATING_AND_RATER
    return ratings * PER_RATING * aspects + _rounds(aspects) * beside


def _rounds(aspects: int) -> int:
    """Return how often raters are held against each other: on every aspect, and on all together."""
    return 1 if aspects == 1 else 2
