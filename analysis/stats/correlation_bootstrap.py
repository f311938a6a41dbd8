"""Bootstrap intervals of correlations, and of the difference between two metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.annotator_resampling import FEWEST_ANNOTATORS, RatedOutputs
from analysis.stats.arrays import FloatArray, as_matrix
from analysis.stats.resampling import (
    STANDARD_BOOTSTRAP,
    Bootstrap,
    bca_interval,
    bootstrap_draws,
    jackknife,
    multiplicities,
    percentile_interval,
)
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import VariantValue, signature
from analysis.stats.weighted_correlation import (
    Arrangement,
    WeightedCoefficient,
    WeightedStatistic,
    weighted_correlation,
)

Over = Literal["segments", "systems"]
RatedOver = Literal["annotators", "segments and annotators"]
Level = Literal["segment", "system"]
Grouping = Literal["none", "segment", "system"]
Method = Literal["percentile", "bca"]
NO_VARIANT: Mapping[str, VariantValue] = {}
ROWS: Mapping[tuple[Over, Grouping], Arrangement] = {
    ("segments", "none"): "pooled",
    ("segments", "segment"): "by row",
    ("segments", "system"): "by column",
    ("systems", "none"): "pooled",
    ("systems", "segment"): "by column",
    ("systems", "system"): "by row",
}


def bootstrap_correlation(
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    coefficient: WeightedCoefficient = "pearson",
    *,
    level: Level = "segment",
    grouping: Grouping = "none",
    over: Over = "segments",
    method: Method = "percentile",
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
    variant: Mapping[str, VariantValue] = NO_VARIANT,
) -> Result:
    """Correlation of a metric with people, with an interval by resampling segments or systems.

    Resamples are count weights, drawn in blocks; no data are copied per draw. A copy of a unit is
    tied with itself, as in the resampled data.

    Parameters
    ----------
    metric, human : array_like, shape (segments, systems)
        NaN where missing; a cell enters where both are present.
    coefficient : {"pearson", "spearman", "kendall-tau-b"}
    level : {"segment", "system"}
        Scores of outputs, or system means.
    grouping : {"none", "segment", "system"}
        At segment level: pooled, or the mean over groups.
    over : {"segments", "systems"}
        What is drawn with replacement. With few systems the interval is too narrow, see
        ``docs/statistics/coverage.md``.
    method : {"percentile", "bca"}
    bootstrap : Bootstrap
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    Estimate or Undefined
        ``n`` counts the units drawn; ``details["degenerate_draws"]`` the draws without a value.

    Raises
    ------
    ValueError
        If shapes differ or a variant is unknown.
    """
    _check(level, grouping, method)
    name = bootstrap_signature(
        "correlation", coefficient, level, grouping, over, method, bootstrap, variant
    )
    scores, judgements = _same_shape(metric, human)
    statistic, n_units = by_units(scores, judgements, coefficient, level, grouping, over)
    per_unit = cells_per_unit(scores.size // max(1, n_units), coefficient)
    return _with_interval(statistic, n_units, per_unit, over, method, bootstrap, name)


def bootstrap_difference(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    human: npt.ArrayLike,
    coefficient: WeightedCoefficient = "pearson",
    *,
    level: Level = "segment",
    grouping: Grouping = "none",
    over: Over = "segments",
    method: Method = "percentile",
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
    variant: Mapping[str, VariantValue] = NO_VARIANT,
) -> Result:
    """First metric's correlation less the second's, both on the same resamples (paired).

    Cells enter where both metrics and people have a score. Parameters are those of
    `bootstrap_correlation`.

    Returns
    -------
    Estimate or Undefined
        The two-sided p-value is min(1, 2 (c + 1) / (k + 1)), with c the smaller of the numbers of
        draws at most and at least zero (Efron and Tibshirani 1993, chapter 15; Koehn 2004). It
        answers whether the interval excludes zero; it is not a test of exchangeability.
    """
    _check(level, grouping, method)
    name = bootstrap_signature(
        "difference", coefficient, level, grouping, over, method, bootstrap, variant
    )
    one, people = _same_shape(first, human)
    other, _ = _same_shape(second, human)
    common = np.isfinite(one) & np.isfinite(other)
    sides = [
        by_units(np.where(common, side, np.nan), people, coefficient, level, grouping, over)
        for side in (one, other)
    ]
    (first_statistic, n_units), (second_statistic, _) = sides

    def difference(weights: FloatArray) -> FloatArray:
        return first_statistic(weights) - second_statistic(weights)

    per_unit = cells_per_unit(one.size // max(1, n_units), coefficient)
    result = _with_interval(difference, n_units, per_unit, over, method, bootstrap, name, test=True)
    if isinstance(result, Undefined):
        return result
    every = np.ones((1, n_units))
    details = {
        **result.details,
        "first": float(first_statistic(every)[0]),
        "second": float(second_statistic(every)[0]),
    }
    return Estimate(
        result.value,
        n=result.n,
        unit=result.unit,
        signature=name,
        p_value=result.p_value,
        interval=result.interval,
        details=details,
    )


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
    variant: Mapping[str, VariantValue] = NO_VARIANT,
) -> Result:
    """Correlation with people, with an interval by drawing annotators, or them and segments.

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
        As in `bootstrap_correlation`; percentile intervals.

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
    _check(level, grouping, "percentile")
    if over not in get_args(RatedOver):
        raise ValueError(f"unknown units to resample: {over}")
    name = bootstrap_signature(
        "correlation", coefficient, level, grouping, over, "percentile", bootstrap, variant
    )
    rated = RatedOutputs(ratings, batches)
    scores = as_matrix(metric, "metric")
    if scores.shape != rated.shape:
        raise ValueError(f"metric is {scores.shape}, ratings are {rated.shape}: they must match")

    def value(human: FloatArray, weights: FloatArray) -> float:
        statistic, _ = by_units(scores, human, coefficient, level, grouping, "segments")
        return float(statistic(weights[None, :])[0])

    def values(blocks: Iterator[FloatArray], segments: Iterator[FloatArray]) -> FloatArray:
        return np.array(
            [
                value(human, next(segments))
                for weights in blocks
                for human in rated.human_scores(weights)
            ]
        )

    every = np.ones(scores.shape[0])
    observed = value(rated.human_scores(np.ones((1, rated.annotators)))[0], every)
    if not np.isfinite(observed):
        return Undefined(no_variation(level), rated.annotators, "annotators", name)
    left_out = values(rated.without_each(), _repeated(every))
    details: dict[str, Any] = {"leave_one_out": left_out}
    interval = None
    if rated.annotators >= FEWEST_ANNOTATORS:
        segments = (
            _single_rows(scores.shape[0], bootstrap) if "segments" in over else _repeated(every)
        )
        interval, degenerate = percentile_interval(
            values(rated.draws(bootstrap), segments), bootstrap, over
        )
        details |= {"resamples": bootstrap.resamples, "degenerate_draws": degenerate}
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


def _check(level: Level, grouping: Grouping, method: Method) -> None:
    known = (get_args(Level), get_args(Grouping), get_args(Method))
    for value, values in zip((level, grouping, method), known, strict=True):
        if value not in values:
            raise ValueError(f"unknown variant: {value}")


def bootstrap_signature(
    statistic: str,
    coefficient: WeightedCoefficient,
    level: Level,
    grouping: Grouping,
    over: str,
    method: Method,
    bootstrap: Bootstrap,
    variant: Mapping[str, VariantValue],
) -> str:
    if coefficient not in get_args(WeightedCoefficient):
        raise ValueError(f"unknown coefficient: {coefficient}")
    parts: dict[str, VariantValue] = dict(bootstrap.variant(over))
    parts["confidence"] = parts.pop("level")
    parts |= {"level": level, "interval": method, "cells": "both"}
    if level == "segment":
        parts["group"] = grouping
    return signature(f"{coefficient} {statistic}", **{**parts, **variant})


def _same_shape(metric: npt.ArrayLike, human: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    scores, judgements = as_matrix(metric, "metric"), as_matrix(human, "human")
    if scores.shape != judgements.shape:
        raise ValueError(f"metric is {scores.shape}, human is {judgements.shape}: they must match")
    return scores, judgements


def by_units(
    scores: FloatArray,
    judgements: FloatArray,
    coefficient: WeightedCoefficient,
    level: Level,
    grouping: Grouping,
    over: Over,
) -> tuple[WeightedStatistic, int]:
    """Return the statistic of unit weights and the number of units."""
    if level == "segment":
        arrangement = ROWS[over, grouping]
        if over == "systems":
            scores, judgements = scores.T, judgements.T
    elif over == "segments":
        arrangement = "column means"
    else:
        arrangement = "pooled"
        both = np.isfinite(scores) & np.isfinite(judgements)
        counts = np.where(both.any(axis=0), both.sum(axis=0), np.nan)
        scores, judgements = (
            (np.where(both, side, 0.0).sum(axis=0) / counts)[:, None]
            for side in (scores, judgements)
        )
    statistic = weighted_correlation(scores, judgements, coefficient, arrangement)
    return statistic, scores.shape[0]


def cells_per_unit(cells: int, coefficient: WeightedCoefficient) -> int:
    """Pearson's r needs sums of units only; ranks and pairs need every cell of every draw."""
    return 1 if coefficient == "pearson" else max(1, 4 * cells)


def _with_interval(
    statistic: WeightedStatistic,
    n_units: int,
    per_unit: int,
    over: Over,
    method: Method,
    bootstrap: Bootstrap,
    name: str,
    *,
    test: bool = False,
) -> Result:
    if not n_units:
        return Undefined(f"there are no {over}", 0, over, name)
    observed = float(statistic(np.ones((1, n_units)))[0])
    if not np.isfinite(observed):
        return Undefined(no_variation("segment"), n_units, over, name)
    draws = bootstrap_draws(np.ones(n_units), statistic, bootstrap, per_unit)
    interval: Interval | None
    if method == "bca":
        left_out = jackknife(n_units, statistic, per_unit)
        interval, degenerate = bca_interval(draws, observed, left_out, bootstrap, over)
    else:
        interval, degenerate = percentile_interval(draws, bootstrap, over)
    return Estimate(
        observed,
        n=n_units,
        unit=over,
        signature=name,
        p_value=crossing_p_value(draws) if test else None,
        interval=interval,
        details={"resamples": bootstrap.resamples, "degenerate_draws": degenerate}
        | ({"test": "difference = 0, paired bootstrap"} if test else {}),
    )


def crossing_p_value(draws: FloatArray) -> float:
    """Return min(1, 2 (c + 1) / (k + 1)), c of k good draws lying on the rarer side of zero."""
    good = draws[np.isfinite(draws)]
    smaller = min(int((good <= 0).sum()), int((good >= 0).sum()))
    return min(1.0, 2 * (smaller + 1) / (good.size + 1))


def no_variation(level: Level) -> str:
    return f"the metric's or people's scores do not vary at {level} level"


def _repeated(weights: FloatArray) -> Iterator[FloatArray]:
    while True:
        yield weights


def _single_rows(n_units: int, bootstrap: Bootstrap) -> Iterator[FloatArray]:
    for block in multiplicities(np.ones(n_units), bootstrap):
        yield from block
