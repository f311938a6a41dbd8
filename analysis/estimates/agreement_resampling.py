"""Intervals of agreement by drawing segments, systems or annotators, as a question asks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from analysis.data.study_data import Floats, Integers
from analysis.filter.question import Question, QuestionError
from analysis.stats.agreement.agreement_intervals import (
    AnnotatedUnits,
    Method,
    Over,
    agreement_interval,
)
from analysis.stats.agreement.alpha_disagreement import weighted_alpha
from analysis.stats.agreement.cohen import weighted_cohen_kappa
from analysis.stats.agreement.drawn_ratings import WeightedAgreement
from analysis.stats.agreement.fleiss import weighted_fleiss_kappa
from analysis.stats.agreement.gwet import weighted_gwet_ac
from analysis.stats.agreement.rater_pairs import (
    weighted_pearson,
    weighted_percent_agreement,
    weighted_rater_pairs,
)
from analysis.stats.agreement.weighted_intraclass import weighted_icc_one_way, weighted_icc_two_way
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate
from analysis.stats.signature import signature

Layout = Literal["slots", "raters"]
MOST_CATEGORIES = 1000
"""Statistics that count every category are not resampled beyond this many."""
OVER: Mapping[str, Over] = {
    "segments": "segments",
    "systems": "systems",
    "annotators": "annotators",
    "segments-and-annotators": "segments and annotators",
}
_BY_CATEGORY = (
    *("alpha-ordinal", "alpha-ratio", "alpha-nominal"),
    *("cohen-kappa", "cohen-kappa-linear", "cohen-kappa-quadratic"),
)
_OF_BOOTSTRAP = ("bootstrap", "resamples", "seed", "level")


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


_Made = Callable[[Floats, float | None], WeightedAgreement]
WEIGHTED: Mapping[str, tuple[Layout, _Made]] = {
    "pearson": ("slots", lambda c, k: weighted_pearson(both_ways=False)),
    "pearson-double-entry": ("slots", lambda c, k: weighted_pearson(both_ways=True)),
    "pearson-of-rater-pairs": ("raters", lambda c, k: weighted_rater_pairs),
    "icc-1-1": ("slots", lambda c, k: weighted_icc_one_way()),
    "icc-1-k": ("slots", lambda c, k: weighted_icc_one_way(k)),
    "icc-2-1": ("raters", lambda c, k: weighted_icc_two_way(absolute=True, mean=False)),
    "icc-2-k": ("raters", lambda c, k: weighted_icc_two_way(absolute=True, mean=True)),
    "icc-3-1": ("raters", lambda c, k: weighted_icc_two_way(absolute=False, mean=False)),
    "icc-3-k": ("raters", lambda c, k: weighted_icc_two_way(absolute=False, mean=True)),
    "alpha-interval": ("slots", lambda c, k: weighted_alpha(c, "interval")),
    "alpha-ordinal": ("slots", lambda c, k: weighted_alpha(c, "ordinal")),
    "alpha-ratio": ("slots", lambda c, k: weighted_alpha(c, "ratio")),
    "alpha-nominal": ("slots", lambda c, k: weighted_alpha(c, "nominal")),
    "fleiss-kappa": ("slots", lambda c, k: weighted_fleiss_kappa(c)),
    "cohen-kappa": ("raters", lambda c, k: weighted_cohen_kappa(c, "unweighted")),
    "cohen-kappa-linear": ("raters", lambda c, k: weighted_cohen_kappa(c, "linear")),
    "cohen-kappa-quadratic": ("raters", lambda c, k: weighted_cohen_kappa(c, "quadratic")),
    "gwet-ac1": ("slots", lambda c, k: weighted_gwet_ac(c, "unweighted")),
    "gwet-ac2-linear": ("slots", lambda c, k: weighted_gwet_ac(c, "linear")),
    "gwet-ac2-quadratic": ("slots", lambda c, k: weighted_gwet_ac(c, "quadratic")),
    "percent-agreement": ("slots", lambda c, k: weighted_percent_agreement),
}


def with_interval(
    result: Estimate,
    statistic: str,
    layouts: Mapping[Layout, tuple[Floats, Integers]],
    segments: NDArray[np.int64],
    systems: NDArray[np.int64],
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
    layout, made = WEIGHTED[statistic]
    values, annotators = layouts[layout]
    categories = np.unique(values[np.isfinite(values)]) if scale is None else scale
    details = {
        name: fact
        for name, fact in result.details.items()
        if name not in ("resamples", "degenerate_draws")
    }
    if statistic in _BY_CATEGORY and categories.size > MOST_CATEGORIES:
        reason = f"more than {MOST_CATEGORIES} different values"
        return replace(result, interval=None, details={**details, "no_interval_because": reason})
    interval, facts = agreement_interval(
        AnnotatedUnits(values, annotators, segments, systems),
        made(categories, result.details.get("k")),
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
    kept = {key: value for key, value in variant.items() if key not in _OF_BOOTSTRAP}
    made = {} if resampling.method == "percentile" else {"interval": resampling.method}
    drawn = resampling.bootstrap.variant(resampling.over)
    return signature(statistic, **{**kept, **drawn, **made})
