"""Intraclass correlation: the six forms of Shrout and Fleiss, also under weights.

The plain forms (`agreement.intraclass`) stay by themselves: their tests and intervals need the
mean squares of complete tables.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.agreement.weighted_ratings import WeightedAgreement, WeightedRatings
from analysis.stats.arrays import Columns, FloatArray, as_matrix, is_constant, ratio
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import signature

Form = Literal["ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"]
FORMS: tuple[Form, ...] = ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")


def intraclass_correlation(
    ratings: npt.ArrayLike, form: Form, *, columns: Columns, level: float = 0.95
) -> Result:
    """Share of the variance of ratings that lies between the rated units.

    Forms by Shrout and Fleiss (1979), intervals from the F distribution (McGraw and Wong 1996):

    * ICC(1): raters differ from unit to unit; one-way analysis of variance. Unequal numbers of
      ratings per unit are allowed, with k₀ = (N − Σm²/N) / (units − 1) in the place of k (the
      analysis-of-variance estimator), where the interval is approximate.
    * ICC(2), ICC(3): the same raters, random or fixed, rated every unit; undefined otherwise.
    * (·,1) is the reliability of one rating, (·,k) that of the mean of k.

    Parameters
    ----------
    ratings : array_like, shape (units, raters)
        NaN where missing.
    form : str
        "ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)" or "ICC(3,k)".
    columns : {"raters", "slots"}
        Whether a column is one rater, or merely the first, second, … rating of a unit.
    level : float

    Returns
    -------
    Estimate or Undefined
        The p-value is that of the F test of no variance between units. Values below 0 are
        possible and are kept.

    Raises
    ------
    ValueError
        If the form is unknown.
    """
    if form not in FORMS:
        raise ValueError(f"unknown form of intraclass correlation: {form}")
    name = signature("icc", form=form, level=level)
    matrix = as_matrix(ratings)
    rated = matrix[np.isfinite(matrix).any(axis=1)] if matrix.size else matrix
    if rated.shape[0] < 2:
        return Undefined("fewer than two rated units", rated.shape[0], "units", name)
    one_way = form.startswith("ICC(1")
    reason = _not_applicable(rated, columns, one_way)
    if reason:
        return Undefined(reason, rated.shape[0], "units", name)
    variance = _mean_squares(rated)
    if variance.between <= 0 and form.endswith("k)"):
        return Undefined("all units have the same mean", rated.shape[0], "units", name)
    mean, absolute = form.endswith("k)"), form.startswith("ICC(2")
    value, limits = _one_way(variance, level) if one_way else _two_way(variance, absolute, level)
    if mean:
        value, *limits = (_of_mean(each, variance.k) for each in (value, *limits))
    if not math.isfinite(value):
        reason = "the estimated variance in the denominator is zero"
        return Undefined(reason, rated.shape[0], "units", name)
    interval = None
    if limits and all(map(math.isfinite, limits)):
        interval = Interval(limits[0], limits[1], level, "F distribution")
    test = _f_test(variance, one_way)
    counts = np.isfinite(rated).sum(axis=1)
    return Estimate(
        value,
        n=rated.shape[0],
        unit="units",
        signature=name,
        raters=int(counts.max()),
        pairs=int((counts * (counts - 1) // 2).sum()),
        p_value=test["p_value"],
        interval=interval,
        details={
            "k": variance.k,
            "ratings": int(counts.sum()),
            "unequal_numbers_of_ratings": bool(np.ptp(counts) > 0),
            "mean_square_between": variance.between,
            "mean_square_within": variance.within,
            "F": test["F"],
            "test": "no variance between units, F",
        },
    )


@dataclass(frozen=True, slots=True)
class _MeanSquares:
    """Mean squares of the analysis of variance; raters and residual only where crossed."""

    between: float
    within: float
    raters: float
    residual: float
    k: float
    units: int
    df_within: int


def _not_applicable(rated: FloatArray, columns: Columns, one_way: bool) -> str:
    """Say why the form cannot be computed; empty if it can."""
    if (np.isfinite(rated).sum(axis=1) < 2).all():
        return "no unit was rated twice"
    if is_constant(rated):
        return "all ratings are the same"
    if one_way:
        return ""
    if columns == "slots":
        return "raters are not crossed with items: columns are slots, not raters"
    missing = int(np.isnan(rated).sum())
    if missing:
        return f"raters are not crossed with items: {missing} of {rated.size} cells are empty"
    return ""


def _mean_squares(rated: FloatArray) -> _MeanSquares:
    # Centring first keeps the sums of squares exact for ratings far from zero.
    centred = rated - np.nanmean(rated)
    scale = float(np.nanmax(np.abs(centred)))
    centred = centred / scale
    counts = np.isfinite(centred).sum(axis=1)
    units, total = counts.size, int(counts.sum())
    means = np.nansum(centred, axis=1) / counts
    between = float((counts * means**2).sum()) / (units - 1)
    within_squares = float(np.nansum((centred - means[:, None]) ** 2))
    df_within = total - units
    crossed = bool((counts == centred.shape[1]).all())
    raters = residual = 0.0
    if crossed:
        by_rater = centred.mean(axis=0)
        columns = centred.shape[1]
        raters = float((by_rater**2).sum()) * units / (columns - 1)
        left = centred - means[:, None] - by_rater[None, :]
        residual = float((left**2).sum()) / ((units - 1) * (columns - 1))
    square = scale**2
    return _MeanSquares(
        between=_or_zero(between) * square,
        within=_or_zero(within_squares / df_within) * square,
        raters=_or_zero(raters) * square,
        residual=_or_zero(residual) * square,
        k=(total - float((counts**2).sum()) / total) / (units - 1),
        units=units,
        df_within=df_within,
    )


def _or_zero(mean_square: float) -> float:
    """A mean square of numbers scaled to 1 that is this small is rounding."""
    return mean_square if mean_square > 1e-24 else 0.0


def _one_way(v: _MeanSquares, level: float) -> tuple[float, Sequence[float]]:
    value = (v.between - v.within) / (v.between + (v.k - 1) * v.within)
    if v.within == 0 or v.between == 0:
        return value, ()
    return value, _limits(v.between / v.within, v.units - 1, v.df_within, v.k, level)


def _of_mean(single: float, k: float) -> float:
    """Return the reliability of the mean of k ratings (Spearman and Brown)."""
    denominator = 1 + (k - 1) * single
    return k * single / denominator if denominator > 1e-12 else -math.inf


def _two_way(v: _MeanSquares, absolute: bool, level: float) -> tuple[float, Sequence[float]]:
    n, k = v.units, v.k
    shared = (v.raters - v.residual) / n if absolute else 0.0
    denominator = v.between + ((k - 1) * v.residual + k * shared)
    if denominator <= 1e-12 * (v.between + v.residual + v.raters):
        return -math.inf, ()
    value = (v.between - v.residual) / denominator
    if v.residual == 0 or v.between == 0:
        return value, ()
    if absolute:
        return value, _absolute_limits(v, value, level)
    return value, _limits(v.between / v.residual, n - 1, (n - 1) * (round(k) - 1), k, level)


def _limits(ratio: float, df1: int, df2: int, k: float, level: float) -> tuple[float, float]:
    upper = (1 + level) / 2
    low = ratio / float(scipy.special.fdtri(df1, df2, upper))
    high = ratio * float(scipy.special.fdtri(df2, df1, upper))
    return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)


def _absolute_limits(v: _MeanSquares, single: float, level: float) -> tuple[float, float]:
    """Interval of ICC(2,1) with Satterthwaite's degrees of freedom (McGraw and Wong 1996)."""
    n, k = v.units, v.k
    a = k * single / (n * (1 - single)) if single < 1 else np.inf
    b = 1 + k * single * (n - 1) / (n * (1 - single)) if single < 1 else np.inf
    df = (a * v.raters + b * v.residual) ** 2 / (
        (a * v.raters) ** 2 / (k - 1) + (b * v.residual) ** 2 / ((n - 1) * (k - 1))
    )
    upper = (1 + level) / 2
    f_low = float(scipy.special.fdtri(n - 1, df, upper))
    f_high = float(scipy.special.fdtri(df, n - 1, upper))
    spread = k * v.raters + (k * n - k - n) * v.residual
    low = n * (v.between - f_low * v.residual) / (f_low * spread + n * v.between)
    high = n * (f_high * v.between - v.residual) / (spread + n * f_high * v.between)
    return low, high


def _f_test(v: _MeanSquares, one_way: bool) -> dict[str, float | None]:
    error = v.within if one_way else v.residual
    if error == 0:
        return {"F": None, "p_value": None}
    df = v.df_within if one_way else (v.units - 1) * (round(v.k) - 1)
    ratio = v.between / error
    return {"F": ratio, "p_value": float(scipy.special.fdtrc(v.units - 1, df, ratio))}


FLAT = 1e-12


def weighted_icc_one_way(k: float | None = None) -> WeightedAgreement:
    """ICC(1,1), or ICC(1,k), by moments of the weighted one-way analysis of variance.

    Expected sums of squares with weights w: within, σ²_w Σ_u (M − Q/M); between,
    σ²_b (N − Σ M²/N) + σ²_w (Σ Q/M − Σ Q/N), with M and Q the sums of w and w² in a unit. A unit
    with several raters, of whom only one was drawn, is left out of the draw.
    """

    def icc(drawn: WeightedRatings) -> FloatArray:
        centred = np.nan_to_num(drawn.values - np.nanmean(drawn.values))
        m, q = drawn.totals(), drawn.squared_totals()
        total = (drawn.weights * centred).sum(axis=2)
        squares = (drawn.weights * centred**2).sum(axis=2)
        several = np.isfinite(drawn.values).sum(axis=1) > 1
        s = (m > 0) * ((drawn.pair_weights() > 0) | ~several)
        per_rating = s / np.where(m > 0, m, 1.0)
        by_mean = total**2 * per_rating
        n, own, within_sum, between_sum, grand, of_q, of_m = (
            drawn.over_units(side)
            for side in (
                *(s * m, q * per_rating, s * squares - by_mean),
                *(by_mean, s * total, s * q, s * m**2),
            )
        )
        within = ratio(within_sum, n - own)
        n = np.maximum(n, FLAT)
        noise = within * (own - of_q / n)
        between = ratio(between_sum - grand**2 / n - noise, n - of_m / n)
        return _weighted_of_mean(ratio(between, between + within), k)

    return icc


def _weighted_of_mean(single: FloatArray, k: float | None) -> FloatArray:
    if k is None:
        return single
    return ratio(k * single, 1 + (k - 1) * single)


def weighted_icc_two_way(*, absolute: bool, mean: bool) -> WeightedAgreement:
    """ICC(2) (absolute) or ICC(3) of crossed raters, from covariances of pairs of raters.

    With v̄ the mean variance of a rater, c̄ the mean covariance of two and ρ² the variance between
    raters: c̄ / (v̄ + ρ²) and c̄ / v̄. Slots are raters.
    """

    def icc(drawn: WeightedRatings) -> FloatArray:
        k = drawn.values.shape[1]
        x = drawn.values - drawn.values.mean(axis=0).mean()
        n = drawn.units.sum(axis=1)
        means = (drawn.units @ x) / n[:, None]
        products = (drawn.units @ (x[:, :, None] * x[:, None, :]).reshape(len(x), -1)).reshape(
            -1, k, k
        )
        covariance = products - n[:, None, None] * means[:, :, None] * means[:, None, :]
        covariance /= np.maximum(n - 1, FLAT)[:, None, None]
        own = drawn.weights[:, 0, :]
        pairs = own[:, :, None] * own[:, None, :]
        pairs[:, np.arange(k), np.arange(k)] = 0.0
        total = pairs.sum(axis=(1, 2))
        gaps = (means[:, :, None] - means[:, None, :]) ** 2 / 2
        shared = ratio((pairs * covariance).sum(axis=(1, 2)), total)
        diagonal = covariance[:, np.arange(k), np.arange(k)]
        single = ratio((own * diagonal).sum(axis=1), own.sum(axis=1))
        severity = ratio((pairs * gaps).sum(axis=(1, 2)), total) - (single - shared) / n
        extra = severity if absolute else np.zeros(severity.shape)
        if mean:
            return ratio(k * shared, single + (k - 1) * shared + extra)
        return ratio(shared, single + extra)

    return icc
