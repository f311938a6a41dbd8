"""Bootstrap intervals of correlations by drawing annotators, or annotators and segments."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, repeat
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, Grouping, Level, as_matrix
from analysis.stats.correlation.correlation_bootstrap import (
    ResampledCorrelation,
    ResampledStatistic,
)
from analysis.stats.correlation.tau_like import Average, MetricTies, TauLike
from analysis.stats.correlation.weighted_correlation import (
    WeightedCoefficient,
    correlation_of_sums,
    is_of_sums,
)
from analysis.stats.resampling.annotator_resampling import FEWEST_ANNOTATORS, RatedOutputs
from analysis.stats.resampling.bootstrap import (
    CENTRED,
    STANDARD_BOOTSTRAP,
    Bootstrap,
    interval_of_draws,
    multiplicities,
)
from analysis.stats.resampling.resampled_sums import SumStatistic
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant

RatedOver = Literal["annotators", "segments and annotators"]
OfDraws: TypeAlias = Callable[[FloatArray, FloatArray], FloatArray]
"""Human scores (draws × segments × systems) and weights (draws × segments) to one value a draw."""
CELLS_AT_ONCE = 500_000


def bootstrap_over_annotators(
    metric: npt.ArrayLike,
    ratings: npt.ArrayLike,
    coefficient: WeightedCoefficient = "pearson",
    *,
    batches: npt.ArrayLike | None = None,
    level: Level = "segment",
    grouping: Grouping = "none",
    over: RatedOver = "annotators",
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
    variant: Variant = NO_VARIANT,
) -> Result:
    """Correlation with human scores, with an interval by drawing annotators, or them and segments.

    Each draw averages the ratings of the annotators drawn (within their batch), as often as each
    was drawn, and correlates anew. With "segments and annotators" segments are drawn as well,
    independently. The interval says what other annotators of this kind might have given.

    Parameters
    ----------
    metric : array_like, shape (segments, systems)
    ratings : array_like, shape (segments, systems, annotators)
        NaN where missing.
    batches : array_like of int, shape (annotators,), optional
    over : {"annotators", "segments and annotators"}
    coefficient, level, grouping, bootstrap, variant
        As in `correlation_bootstrap.bootstrap_correlation`; percentile intervals.

    Returns
    -------
    Estimate or Undefined
        With fewer than six annotators the value has no interval; ``details["leave_one_out"]``
        holds the value without each annotator, always.

    Raises
    ------
    ValueError
        If shapes differ or a variant is unknown.
    """
    kind = ResampledCorrelation(coefficient, level, grouping, over)
    name = kind.signature("correlation", "percentile", bootstrap, variant)
    scores = as_matrix(metric, "metric")
    if is_of_sums(coefficient, kind.arrangement):
        summed = partial(correlation_of_sums, coefficient=coefficient, arrangement=kind.arrangement)
        of_draws = _of_sums(scores, summed)
    else:
        of_draws = _one_by_one(scores, kind)
    return _resampled(kind, of_draws, scores, ratings, batches, bootstrap, name)


def tau_like_over_annotators(
    metric: npt.ArrayLike,
    ratings: npt.ArrayLike,
    *,
    min_gap: float = 0.0,
    metric_ties: MetricTies = "discordant",
    average: Average = "segments",
    batches: npt.ArrayLike | None = None,
    over: RatedOver = "annotators",
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
    variant: Variant = NO_VARIANT,
) -> Result:
    """Tau-like with an interval by drawing annotators, or them and segments.

    Parameters are those of `correlation.tau_like.tau_like` and `bootstrap_over_annotators`;
    pairs that human raters rate differently are found anew in every draw.
    """
    kind = TauLike(min_gap, metric_ties, average, over)
    name = kind.signature(bootstrap, {"interval": "percentile", **CENTRED, **variant})
    scores = as_matrix(metric, "metric")
    of_draws = _of_sums(scores, kind.of_segments)
    return _resampled(kind, of_draws, scores, ratings, batches, bootstrap, name)


def _one_by_one(scores: FloatArray, kind: ResampledStatistic) -> OfDraws:
    def of_draws(human: FloatArray, weights: FloatArray) -> FloatArray:
        return np.array(
            [
                kind.statistic(scores, one)(row[None, :])[0]
                for one, row in zip(human, weights, strict=True)
            ]
        )

    return of_draws


def _of_sums(
    scores: FloatArray, summed: Callable[[FloatArray, FloatArray], SumStatistic]
) -> OfDraws:
    """Return a statistic of sums over segments for many draws: theirs lie below each other."""

    def of_draws(human: FloatArray, weights: FloatArray) -> FloatArray:
        draws, segments, systems = human.shape
        below = summed(np.tile(scores, (draws, 1)), human.reshape(draws * segments, systems))
        per_unit = below.per_unit.reshape(draws, segments, -1)
        return below.of_sums(np.einsum("ds,dsk->dk", weights, per_unit))

    return of_draws


def _resampled(
    kind: ResampledStatistic,
    of_draws: OfDraws,
    scores: FloatArray,
    ratings: npt.ArrayLike,
    batches: npt.ArrayLike | None,
    bootstrap: Bootstrap,
    name: str,
) -> Result:
    if kind.over not in get_args(RatedOver):
        raise ValueError(f"unknown units to resample: {kind.over}")
    rated = RatedOutputs(ratings, batches)
    if scores.shape != rated.shape:
        raise ValueError(f"metric is {scores.shape}, ratings are {rated.shape}: they must match")

    at_once = max(1, CELLS_AT_ONCE // max(1, scores.size))

    def values(blocks: Iterator[FloatArray], segments: Iterator[FloatArray]) -> FloatArray:
        found = []
        for weights in blocks:
            human = rated.human_scores(weights)
            for start in range(0, len(human), at_once):
                some = human[start : start + at_once]
                of_segments = np.array([next(segments) for _ in some])
                found.append(of_draws(some, of_segments))
        return np.concatenate(found)

    every = np.ones(scores.shape[0])
    all_annotators = iter([np.ones((1, rated.annotators))])
    observed = float(values(all_annotators, repeat(every))[0])
    if not np.isfinite(observed):
        return Undefined(kind.no_variation, rated.annotators, "annotators", name)
    left_out = values(rated.without_each(), repeat(every))
    details: dict[str, Any] = {"leave_one_out": left_out}
    interval = None
    if rated.annotators >= FEWEST_ANNOTATORS:
        segments: Iterator[FloatArray] = repeat(every)
        if "segments" in kind.over:
            segments = chain.from_iterable(multiplicities(every, bootstrap))
        drawn = values(rated.draws(bootstrap), segments)
        interval, facts = interval_of_draws(
            drawn, observed, bootstrap, kind.over, scale=kind.scale, bounds=(-1.0, 1.0)
        )
        details |= facts
    else:
        details["no_interval_because"] = f"fewer than {FEWEST_ANNOTATORS} annotators"
    return Estimate(
        observed,
        n=rated.annotators,
        unit="annotators",
        signature=name,
        raters=rated.annotators,
        interval=interval,
        details=details,
    )
