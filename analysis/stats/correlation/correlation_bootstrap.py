"""Bootstrap intervals of correlations, and of the difference between two metrics."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, Grouping, Level
from analysis.stats.correlation.resampled_correlation import (
    Method,
    Over,
    arranged,
    by_units,
    centring,
    check_variant,
    chosen_method,
    correlation_signature,
    lies_low,
    no_variation,
    same_shape,
)
from analysis.stats.correlation.studentised_bootstrap import (
    FunctionOfSums,
    correlation_with_gradient,
    studentised_draws,
)
from analysis.stats.correlation.weighted_correlation import WeightedCoefficient, WeightedStatistic
from analysis.stats.resampling.bootstrap import (
    STANDARD_BOOTSTRAP,
    Bootstrap,
    bca_interval,
    bootstrap_draws,
    jackknife,
    percentile_interval,
)
from analysis.stats.resampling.centred_draws import (
    NO_BOUNDS,
    Scale,
    centred_draws,
    enclosing,
    interval_of_draws,
)
from analysis.stats.results import Estimate, Interval, Result, Undefined, with_details
from analysis.stats.signature import NO_VARIANT, Variant


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
    scores, judgements = same_shape(metric, human)
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
    variant: Variant = NO_VARIANT,
) -> Result:
    """First metric's correlation less the second's, both on the same resamples (paired).

    Cells enter where both metrics and people have a score. Parameters are those of
    `bootstrap_correlation`; `method` stays percentile unless named, as that of
    `analysis.stats.comparison.paired_bootstrap` is.

    Returns
    -------
    Estimate or Undefined
        The two-sided p-value is min(1, 2 (c + 1) / (k + 1)), with c the smaller of the numbers of
        draws at most and at least zero (Efron and Tibshirani 1993, chapter 15; Koehn 2004);
        studentised, of draws whose t is at least and at most the observed one. It answers whether
        the interval excludes zero; it is not a test of exchangeability.
    """
    check_variant(level, grouping, method)
    name = correlation_signature(
        "difference", coefficient, level, grouping, over, method, bootstrap, variant
    )
    one, people = same_shape(first, human)
    other, _ = same_shape(second, human)
    common = np.isfinite(one) & np.isfinite(other)
    cut = [np.where(common, side, np.nan) for side in (one, other)]
    if method == "studentised":
        functions = [
            correlation_with_gradient(x, y, coefficient, arrangement)
            for x, y, arrangement in (arranged(side, people, level, grouping, over) for side in cut)
        ]
        return _studentised_difference(functions[0], functions[1], over, level, bootstrap, name)
    sides = [by_units(side, people, coefficient, level, grouping, over) for side in cut]
    (first_statistic, n_units), (second_statistic, _) = sides

    def difference(weights: FloatArray) -> FloatArray:
        return first_statistic(weights) - second_statistic(weights)

    per_unit = cells_per_unit(one.size // max(1, n_units), coefficient)
    result = with_interval(
        difference,
        n_units,
        per_unit,
        over,
        method,
        bootstrap,
        name,
        no_variation(level),
        test=True,
        scale="plain" if lies_low(level, over) else None,
    )
    if isinstance(result, Undefined):
        return result
    every = np.ones((1, n_units))
    return with_details(
        result,
        first=float(first_statistic(every)[0]),
        second=float(second_statistic(every)[0]),
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
    test: bool = False,
    scale: Scale | None = None,
) -> Result:
    """Return a statistic of unit weights with its value, its interval and, by choice, a p-value.

    With a scale, limits and p-value are those of the draws and of the draws centred on the scale,
    whichever is wider and larger (`analysis.stats.resampling.centred_draws`).
    """
    if not n_units:
        return Undefined(f"there are no {over}", 0, over, name)
    observed = float(statistic(np.ones((1, n_units)))[0])
    if not np.isfinite(observed):
        return Undefined(why_undefined, n_units, over, name)
    draws = bootstrap_draws(np.ones(n_units), statistic, bootstrap, per_unit)
    left_out = jackknife(n_units, statistic, per_unit) if method == "bca" else np.empty(0)

    def limits(of: FloatArray) -> tuple[Interval | None, int]:
        if method == "bca":
            return bca_interval(of, observed, left_out, bootstrap, over)
        return percentile_interval(of, bootstrap, over)

    interval, degenerate = limits(draws)
    p_value = crossing_p_value(draws)
    if scale is not None:
        bounds = NO_BOUNDS if test else (-1.0, 1.0)
        moved = centred_draws(draws, observed, scale=scale, bounds=bounds)
        interval = enclosing(interval, limits(moved)[0])
        p_value = max(p_value, crossing_p_value(moved))
    return Estimate(
        observed,
        n=n_units,
        unit=over,
        signature=name,
        p_value=p_value if test else None,
        interval=interval,
        details={"resamples": bootstrap.resamples, "degenerate_draws": degenerate}
        | ({"test": "difference = 0, paired bootstrap"} if test else {}),
    )


def _studentised(
    function: FunctionOfSums, over: Over, level: Level, bootstrap: Bootstrap, name: str
) -> Result:
    n_units = function.terms.shape[0]
    if not n_units:
        return Undefined(f"there are no {over}", 0, over, name)
    observed = float(function.value_and_gradient(function.terms.sum(axis=0)[None])[0][0])
    if not np.isfinite(observed):
        return Undefined(no_variation(level), n_units, over, name)
    draws = studentised_draws(function, bootstrap)
    interval, p_value = draws.interval(bootstrap.level, over), draws.p_value()
    if lies_low(level, over):
        moved = draws.centred()
        interval = enclosing(interval, moved.interval(bootstrap.level, over))
        p_value = max(p_value or 0.0, moved.p_value() or 0.0) if interval else None
    details: dict[str, object] = {
        "resamples": bootstrap.resamples,
        "degenerate_draws": draws.degenerate,
        "standard_error": float(function.with_errors(np.ones((1, n_units)))[1][0]),
    }
    if interval is None:
        details["no_interval_because"] = f"the {over} give no standard error"
    test = function.bound > 1
    if test:
        details["test"] = "difference = 0, studentised paired bootstrap"
    return Estimate(
        observed,
        n=n_units,
        unit=over,
        signature=name,
        p_value=p_value if test else None,
        interval=interval,
        details=details,
    )


def _studentised_difference(
    first: FunctionOfSums,
    second: FunctionOfSums,
    over: Over,
    level: Level,
    bootstrap: Bootstrap,
    name: str,
) -> Result:
    result = _studentised(first.less(second), over, level, bootstrap, name)
    values = (
        float(side.value_and_gradient(side.terms.sum(axis=0)[None])[0][0])
        for side in (first, second)
    )
    if isinstance(result, Undefined):
        return result
    return with_details(result, **dict(zip(("first", "second"), values, strict=True)))
