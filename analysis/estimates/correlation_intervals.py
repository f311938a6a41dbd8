"""The interval of a correlation that a question asks for: what is drawn, and how it is made."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

import numpy as np

from analysis.data.arrays import Floats
from analysis.estimates.ceilings import NO_PERSONS
from analysis.filter.question import Question
from analysis.stats.correlation.annotator_bootstrap import (
    bootstrap_over_annotators,
    tau_like_over_annotators,
)
from analysis.stats.correlation.correlation_bootstrap import (
    ResampledCorrelation,
    bootstrap_correlation,
    lies_low,
)
from analysis.stats.correlation.pearson import fisher_interval
from analysis.stats.correlation.tau_like import bootstrap_tau_like
from analysis.stats.resampling.annotator_resampling import annotator_batches
from analysis.stats.resampling.bootstrap import CENTRED, STANDARD_BOOTSTRAP, Bootstrap
from analysis.stats.resampling.interval_cautions import Method, caution
from analysis.stats.results import (
    Estimate,
    Interval,
    Result,
    Undefined,
    with_details,
    without_interval,
)
from analysis.wording import RESAMPLED

SAME = 1e-9
NOT_INDEPENDENT = (
    "Fisher’s interval needs independent units: system means, or one output per segment"
)
NO_TAU_C = "Kendall’s τ-c is not resampled; τ-b is"
NO_STUDENTISED_TAU = "τ-like has no studentised interval here: choose percentile or BCa"
NO_ERROR_OF_RANKS = (
    "the ranks of pooled scores change from draw to draw, and give no standard error to studentise "
    "by: choose percentile or BCa"
)
OTHER_JUDGES = "not all of these judgements are those of single persons"


@dataclass(frozen=True, slots=True)
class IntervalAsked:
    """What is drawn for an interval and how it is made.

    Parameters
    ----------
    drawn
        `segments`, `systems`, `annotators`, `segments and annotators`.
    method
        `percentile`, `bca`, `studentised` or `fisher`; empty for that of the standard statistic.
    """

    drawn: str
    method: str

    @property
    def bootstraps(self) -> bool:
        """Whether it is a bootstrap other than that of the standard statistic."""
        return self.method in ("percentile", "bca", "studentised")

    def variant(self, bootstrap: Bootstrap, level: str) -> dict[str, str]:
        """Return what it adds to the signature of a correlation at a level."""
        if not self.method:
            return {}
        if not self.bootstraps:
            return {"interval": self.method}
        parts = bootstrap.variant(self.drawn)
        del parts["level"]
        parts |= {"interval": self.method} | (CENTRED if lies_low(level, self.drawn) else {})
        return {name: str(value) for name, value in parts.items()}


def asked_interval(question: Question) -> IntervalAsked:
    """Return what a question asks for; the standard draws the units of the level."""
    drawn = RESAMPLED.get(question.resample, f"{question.level}s")
    unsaid = question.resample == question.interval == "standard"
    if unsaid or _has_it_already(question):
        return IntervalAsked(drawn, "")
    made = "percentile" if question.interval == "standard" else question.interval
    return IntervalAsked(drawn, made)


def _has_it_already(question: Question) -> bool:
    """Whether the standard statistic itself has the percentiles of drawn segments."""
    pooled = question.statistic == "pearson" and question.grouping == "none"
    return (
        question.level == "segment"
        and question.resample in ("standard", "segments")
        and question.interval in ("standard", "percentile")
        and (pooled or question.statistic == "tau-like")
    )


def with_asked_interval(
    result: Result,
    metric: Floats,
    human: Floats,
    ratings: Floats | None,
    question: Question,
    bootstrap: Bootstrap | None,
) -> Result:
    """Put the interval that is asked for beside a value, and a caution where units are few.

    Parameters
    ----------
    result
        The standard result; its own interval stays where that is the one asked for.
    metric, human
        The selected cells, segments × systems.
    ratings
        The ratings of single persons, segments × systems × annotators; None if none are drawn.
    question
    bootstrap
        None, or one that draws nothing, keeps the standard interval, as among very many numbers.
    """
    if isinstance(result, Undefined) or not bootstrap:
        return result
    asked = asked_interval(question)
    if asked.method == "fisher":
        result = _with_fisher(result, metric, human, question)
    elif asked.bootstraps:
        drawn = _drawn(metric, human, ratings, question, asked, bootstrap)
        result = _replaced(result, drawn)
    return _with_caution(result, metric, human, ratings, question, asked)


def _with_fisher(result: Estimate, metric: Floats, human: Floats, question: Question) -> Estimate:
    if question.level == "system":
        return result
    both = np.isfinite(metric) & np.isfinite(human)
    one_each = bool((both.sum(axis=1) <= 1).all())
    if question.grouping != "none" or question.statistic == "tau-like" or not one_each:
        return without_interval(result, NOT_INDEPENDENT)
    interval = fisher_interval(
        result.value, result.n, cast(Any, question.statistic), level=STANDARD_BOOTSTRAP.level
    )
    return replace(result, interval=interval)


def _drawn(
    metric: Floats,
    human: Floats,
    ratings: Floats | None,
    question: Question,
    asked: IntervalAsked,
    bootstrap: Bootstrap,
) -> Result:
    """Return the statistic once more, with the interval asked for."""
    if question.statistic == "kendall-tau-c":
        return Undefined(NO_TAU_C)
    rows = (np.isfinite(metric) & np.isfinite(human)).any(axis=1)
    people, by_annotators = human[rows], "annotators" in asked.drawn
    options: dict[str, Any] = {"bootstrap": bootstrap, "over": asked.drawn}
    if by_annotators:
        if ratings is None or not np.isfinite(ratings).any():
            return Undefined(NO_PERSONS)
        people = ratings[rows]
        options["batches"] = annotator_batches(ratings)
    else:
        options["method"] = asked.method
    names: tuple[str, ...] = ("level", "grouping")
    computed: Callable[..., Result]
    if question.statistic == "tau-like":
        if asked.method == "studentised":
            return Undefined(NO_STUDENTISED_TAU)
        names = ("min_gap", "metric_ties", "average")
        computed = tau_like_over_annotators if by_annotators else bootstrap_tau_like
    else:
        if asked.method == "studentised" and not _is_studentised(question, asked.drawn):
            return Undefined(NO_ERROR_OF_RANKS)
        options["coefficient"] = question.statistic
        computed = bootstrap_over_annotators if by_annotators else bootstrap_correlation
    options |= {name: getattr(question, name) for name in names}
    return computed(metric[rows], people, **options)


def _is_studentised(question: Question, drawn: str) -> bool:
    """Whether sums over the units drawn are enough for a standard error."""
    # With annotators drawn, only what is a sum over pooled outputs is studentised.
    grouping = "none" if "annotators" in drawn else question.grouping
    chosen = cast(Any, question.statistic), cast(Any, question.level), cast(Any, grouping)
    return ResampledCorrelation(*chosen, drawn).best_method == "studentised"


def _replaced(result: Estimate, drawn: Result) -> Estimate:
    if isinstance(drawn, Undefined):
        return without_interval(result, drawn.reason)
    if abs(drawn.value - result.value) > SAME:
        return without_interval(result, OTHER_JUDGES)
    return replace(
        result,
        interval=drawn.interval,
        raters=drawn.raters or result.raters,
        details={**result.details, **drawn.details},
    )


def _with_caution(
    result: Estimate,
    metric: Floats,
    human: Floats,
    ratings: Floats | None,
    question: Question,
    asked: IntervalAsked,
) -> Result:
    method = _method_of(result.interval)
    if not method:
        return result
    both = np.isfinite(metric) & np.isfinite(human)
    if "annotators" in asked.drawn and ratings is not None:
        units = int(np.isfinite(ratings).any(axis=(0, 1)).sum())
    elif method == "fisher":
        units = result.n
    else:
        units = int(both.any(axis=0 if asked.drawn == "systems" else 1).sum())
    words = caution(
        units,
        drawn=cast(Any, asked.drawn),
        method=method,
        level=cast(Literal["segment", "system"], question.level),
    )
    return with_details(result, caution=words) if words else result


_METHODS: Mapping[str, Method] = {
    "percentile": "percentile",
    "BCa": "bca",
    "studentised": "studentised",
    "Fisher": "fisher",
}


def _method_of(interval: Interval | None) -> Method | Literal[""]:
    """Return how an interval was made; empty for Student's t over groups, and for none."""
    return _METHODS.get(interval.method.split()[0], "") if interval else ""
