"""Intervals of agreement by drawing segments, systems or annotators, as a question asks."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from analysis.data.arrays import Floats
from analysis.filter.question import Question, QuestionError
from analysis.stats.agreement.agreement_intervals import (
    AnnotatedUnits,
    Method,
    Over,
    agreement_interval,
)
from analysis.stats.agreement.agreement_statistics import STATISTICS_OF_AGREEMENT
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate, without_interval
from analysis.stats.signature import signature

MOST_CATEGORIES = 1000
"""Statistics that count every category are not resampled beyond this many."""
OVER: Mapping[str, Over] = {
    "segments": "segments",
    "systems": "systems",
    "annotators": "annotators",
    "segments-and-annotators": "segments and annotators",
}
_OF_INTERVAL = ("interval", "bootstrap", "resamples", "seed", "level")


@dataclass(frozen=True)
class Resampling:
    """What is drawn for the intervals of an agreement report."""

    over: Over
    bootstrap: Bootstrap
    method: Method = "percentile"


def resampling_of(question: Question, bootstrap: Bootstrap) -> Resampling | None:
    """Return what a question draws; None for the textbook interval of each statistic.

    Raises
    ------
    QuestionError
        If it asks for an interval that agreement has not.
    """
    if question.interval not in ("standard", "percentile", "bca"):
        raise QuestionError(
            f"interval={question.interval}: intervals of agreement are percentile or bca"
        )
    if question.resample == question.interval == "standard":
        return None
    over = OVER.get(question.resample, "segments")
    return Resampling(over, bootstrap, "bca" if question.interval == "bca" else "percentile")


def with_interval(
    result: Estimate,
    statistic: str,
    units: AnnotatedUnits,
    resampling: Resampling,
    scale: Floats | None = None,
) -> Estimate:
    """Return a statistic of agreement with an interval by drawing what is asked for.

    Parameters
    ----------
    result : Estimate
    statistic : str
    layouts : mapping
        Ratings in slots and by rater, each with the annotator of every rating.
    segments, systems : ndarray
        Segment and system of each unit.
    resampling : Resampling
    scale : ndarray, optional
        All categories of the scale; without it those that occur.
    """
    kind = STATISTICS_OF_AGREEMENT[statistic]
    observed = units.values[np.isfinite(units.values)]
    categories = np.unique(observed) if scale is None else scale
    details = {
        name: fact
        for name, fact in result.details.items()
        if name not in ("resamples", "degenerate_draws")
    }
    if kind.by_category and categories.size > MOST_CATEGORIES:
        reason = f"more than {MOST_CATEGORIES} different values"
        return without_interval(replace(result, details=details), reason)
    interval, facts = agreement_interval(
        units,
        kind.weighted(categories, result.details.get("k")),
        over=resampling.over,
        bootstrap=resampling.bootstrap,
        method=resampling.method,
    )
    return replace(
        result,
        interval=interval,
        signature=_resigned(result.signature, resampling),
        details={**details, **facts},
    )


def _resigned(name: str, resampling: Resampling) -> str:
    """Name the same statistic with another interval."""
    statistic, *parts, _ = name.split("|")
    variant = dict(part.split(":", 1) for part in parts)
    kept = {key: value for key, value in variant.items() if key not in _OF_INTERVAL}
    made = {} if resampling.method == "percentile" else {"interval": resampling.method}
    drawn = resampling.bootstrap.variant(resampling.over)
    return signature(statistic, **{**kept, **drawn, **made})
