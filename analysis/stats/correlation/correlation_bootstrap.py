"""Which correlation is resampled over which units, and the intervals of values and differences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, Grouping, Level, metric_and_human
from analysis.stats.correlation.weighted_correlation import (
    Arrangement,
    FunctionOfSums,
    WeightedCoefficient,
    WeightedStatistic,
    correlation_with_gradient,
    is_function_of_sums,
    studentised_draws,
    weighted_correlation,
)
from analysis.stats.resampling.bootstrap import (
    CENTRED,
    STANDARD_BOOTSTRAP,
    Bootstrap,
    CentringScale,
    bca_interval,
    bootstrap_draws,
    centred_draws,
    enclosing,
    interval_of_draws,
    jackknife,
    percentile_interval,
)
from analysis.stats.resampling.resampled_sums import SumStatistic
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, signature

Over = Literal["segments", "systems"]
Method = Literal["percentile", "bca", "studentised"]
ROWS: Mapping[tuple[Over, Grouping], Arrangement] = {
    ("segments", "none"): "pooled",
    ("segments", "segment"): "by row",
    ("segments", "system"): "by column",
    ("systems", "none"): "pooled",
    ("systems", "segment"): "by column",
    ("systems", "system"): "by row",
}


def check_variant(level: Level, grouping: Grouping, method: Method) -> None:
    """Raise ValueError if a choice is unknown."""
    known = (get_args(Level), get_args(Grouping), get_args(Method))
    for value, values in zip((level, grouping, method), known, strict=True):
        if value not in values:
            raise ValueError(f"unknown variant: {value}")


def chosen_method(
    method: Method | None,
    coefficient: WeightedCoefficient,
    level: Level,
    grouping: Grouping,
    over: Over,
) -> Method:
    """Return the method asked for, else the one whose intervals cover best of those there are."""
    if method is not None:
        return method
    smooth = is_function_of_sums(coefficient, _arrangement_of(level, grouping, over))
    return "studentised" if smooth else "percentile"


def _arrangement_of(level: Level, grouping: Grouping, over: Over) -> Arrangement:
    if level == "segment":
        return ROWS.get((over, grouping), "pooled")
    return "column means" if over == "segments" else "pooled"


def correlation_signature(
    statistic: str,
    coefficient: WeightedCoefficient,
    level: Level,
    grouping: Grouping,
    over: str,
    method: Method,
    bootstrap: Bootstrap,
    variant: Variant,
) -> str:
    """Name a resampled correlation; raise ValueError if the coefficient is unknown."""
    if coefficient not in get_args(WeightedCoefficient):
        raise ValueError(f"unknown coefficient: {coefficient}")
    parts = bootstrap.variant(over, level_as="confidence")
    parts |= {"level": level, "interval": method, "cells": "both"}
    if level == "segment":
        parts["group"] = grouping
    if lies_low(level, over):
        parts |= CENTRED
    return signature(f"{coefficient} {statistic}", **{**parts, **variant})


def lies_low(level: str, over: str) -> bool:
    """Say whether draws lie below the value, being correlations of means with the noise twice."""
    return "annotators" in over or (level == "system" and over == "segments")


def centring(coefficient: str, level: str, over: str) -> CentringScale | None:
    """Return the scale on which draws of a correlation are centred; None where they are not."""
    if not lies_low(level, over):
        return None
    return "fisher" if coefficient == "pearson" else "plain"


def by_units(
    scores: FloatArray,
    judgements: FloatArray,
    coefficient: WeightedCoefficient,
    level: Level,
    grouping: Grouping,
    over: Over,
) -> tuple[WeightedStatistic, int]:
    """Return the statistic of unit weights and the number of units."""
    first, second, arrangement = arranged(scores, judgements, level, grouping, over)
    return weighted_correlation(first, second, coefficient, arrangement), first.shape[0]


def arranged(
    scores: FloatArray, judgements: FloatArray, level: Level, grouping: Grouping, over: Over
) -> tuple[FloatArray, FloatArray, Arrangement]:
    """Lay both sides out with one row per unit drawn; say which correlation of them is meant."""
    if level == "segment":
        if over == "systems":
            scores, judgements = scores.T, judgements.T
    elif over == "systems":
        both = np.isfinite(scores) & np.isfinite(judgements)
        counts = np.where(both.any(axis=0), both.sum(axis=0), np.nan)
        scores, judgements = (
            (np.where(both, side, 0.0).sum(axis=0) / counts)[:, None]
            for side in (scores, judgements)
        )
    return scores, judgements, _arrangement_of(level, grouping, over)


def no_variation(level: Level) -> str:
    """Say why a correlation is undefined."""
    return f"the metric's or human scores do not vary at {level} level"


def bootstrap_correlation(
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    coefficient: WeightedCoefficient = "pearson",
    *,
    level: Level = "segment",
    grouping: Grouping = "none",
    over: Over = "segments",
    method: Method | None = None,
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
    variant: Variant = NO_VARIANT,
) -> Result:
    """Correlation with human scores, with an interval by resampling segments or systems.

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
    method : {"percentile", "bca", "studentised"}, optional
        Default: studentised, which covers best, where the correlation depends on sums over units
        only (Pearson, and means over the units drawn); else percentile.
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
        If shapes differ, a variant is unknown, or there is no studentised interval.
    """
    method = chosen_method(method, coefficient, level, grouping, over)
    check_variant(level, grouping, method)
    name = correlation_signature(
        "correlation", coefficient, level, grouping, over, method, bootstrap, variant
    )
    scores, judgements, _ = metric_and_human(metric, human)
    if method == "studentised":
        first, second, arrangement = arranged(scores, judgements, level, grouping, over)
        function = correlation_with_gradient(first, second, coefficient, arrangement)
        return _studentised(function, over, level, bootstrap, name)
    statistic, n_units = by_units(scores, judgements, coefficient, level, grouping, over)
    per_unit = cells_per_unit(scores.size // max(1, n_units), coefficient)
    reason = no_variation(level)
    return with_interval(
        statistic,
        n_units,
        per_unit,
        over,
        method,
        bootstrap,
        name,
        reason,
        scale=centring(coefficient, level, over),
    )


def cells_per_unit(cells: int, coefficient: WeightedCoefficient) -> int:
    """Pearson's r needs sums of units only; ranks and pairs need every cell of every draw."""
    return 1 if coefficient == "pearson" else max(1, 4 * cells)


def crossing_p_value(draws: FloatArray) -> float:
    """Return min(1, 2 (c + 1) / (k + 1)), c of k good draws lying on the rarer side of zero."""
    good = draws[np.isfinite(draws)]
    smaller = min(int((good <= 0).sum()), int((good >= 0).sum()))
    return min(1.0, 2 * (smaller + 1) / (good.size + 1))


def estimate_of_difference(
    first: float,
    second: float,
    draws: FloatArray,
    bootstrap: Bootstrap,
    *,
    n: int,
    over: str,
    name: str,
    centred: bool,
    paired: bool = True,
) -> Estimate:
    """Return the difference of two correlations with the interval and p-value of its draws.

    Centred, of both the draws and the draws centred, whichever is wider and larger.
    """
    value = first - second
    interval, facts = interval_of_draws(
        draws, value, bootstrap, over, scale="plain" if centred else None
    )
    p_value = crossing_p_value(draws)
    if centred:
        p_value = max(p_value, crossing_p_value(centred_draws(draws, value)))
    return Estimate(
        value,
        n=n,
        unit=over,
        signature=name,
        p_value=p_value,
        interval=interval,
        details={
            "first": first,
            "second": second,
            **facts,
            "test": f"difference = 0, {'paired' if paired else 'independent'} bootstrap",
        },
    )


def with_interval(
    statistic: WeightedStatistic,
    n_units: int,
    per_unit: int,
    over: Over,
    method: Method,
    bootstrap: Bootstrap,
    name: str,
    why_undefined: str,
    *,
    scale: CentringScale | None = None,
) -> Result:
    """Return a correlation, a function of unit weights, with its value and its interval.

    With a scale, limits are those of the draws and of the draws centred on the scale, whichever
    are wider (`analysis.stats.resampling.bootstrap`).
    """
    if not n_units:
        return Undefined(f"there are no {over}", 0, over, name)
    observed = float(statistic(np.ones((1, n_units)))[0])
    if not np.isfinite(observed):
        return Undefined(why_undefined, n_units, over, name)
    if isinstance(statistic, SumStatistic):
        # Of each draw it makes nothing for each unit but the weight: draws come in large blocks.
        per_unit = 1
    draws = bootstrap_draws(np.ones(n_units), statistic, bootstrap, per_unit)
    left_out = jackknife(n_units, statistic, per_unit) if method == "bca" else np.empty(0)

    def limits(of: FloatArray) -> tuple[Interval | None, int]:
        if method == "bca":
            return bca_interval(of, observed, left_out, bootstrap, over)
        return percentile_interval(of, bootstrap, over)

    interval, degenerate = limits(draws)
    if scale is not None:
        moved = centred_draws(draws, observed, scale=scale, bounds=(-1.0, 1.0))
        interval = enclosing(interval, limits(moved)[0])
    return Estimate(
        observed,
        n=n_units,
        unit=over,
        signature=name,
        interval=interval,
        details={"resamples": bootstrap.resamples, "degenerate_draws": degenerate},
    )


def _studentised(
    function: FunctionOfSums, over: Over, level: Level, bootstrap: Bootstrap, name: str
) -> Result:
    n_units = function.n_units
    if not n_units:
        return Undefined(f"there are no {over}", 0, over, name)
    observed = float(function.statistic(np.ones((1, n_units)))[0])
    if not np.isfinite(observed):
        return Undefined(no_variation(level), n_units, over, name)
    draws = studentised_draws(function, bootstrap)
    interval = draws.interval(bootstrap.level, over)
    if lies_low(level, over):
        interval = enclosing(interval, draws.centred().interval(bootstrap.level, over))
    details: dict[str, object] = {
        "resamples": bootstrap.resamples,
        "degenerate_draws": draws.degenerate,
        "standard_error": float(function.with_errors(np.ones((1, n_units)))[1][0]),
    }
    if interval is None:
        details["no_interval_because"] = f"the {over} give no standard error"
    return Estimate(observed, n_units, over, name, interval=interval, details=details)
