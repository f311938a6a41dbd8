"""Differences of two metrics' correlations: Williams' test and the paired bootstrap."""

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import BoolArray, FloatArray, Grouping, Level, is_constant
from analysis.stats.comparison.metric_permutation import MetricPair, same_shapes
from analysis.stats.correlation.correlation_bootstrap import (
    Over,
    ResampledCorrelation,
    estimate_of_difference,
    units_drawn,
)
from analysis.stats.correlation.metric_correlation import system_means
from analysis.stats.correlation.pearson import pearson_r
from analysis.stats.correlation.weighted_correlation import WeightedCoefficient
from analysis.stats.pieces import InPieces, at_once
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap, bootstrap_draws
from analysis.stats.resampling.permutation import Alternative
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, signature

FEWEST_UNITS = 4


def williams_test(
    first: float,
    second: float,
    between: float,
    n: int,
    *,
    unit: str = "systems",
    alternative: Alternative = "greater",
    name: str | None = None,
) -> Result:
    """Test whether r(first metric, human) exceeds r(second metric, human).

    t = (r₁ − r₂) √[(n − 1)(1 + r₁₂) / (2 K (n − 1)/(n − 3) + r̄² (1 − r₁₂)³)] with
    K = 1 − r₁² − r₂² − r₁₂² + 2 r₁ r₂ r₁₂ and n − 3 degrees of freedom (Williams 1959; Steiger
    1980; Graham and Baldwin 2014). The units must be independent: systems, or one output per
    segment, never segments × systems pooled.

    Parameters
    ----------
    first, second : float
        Pearson's r of each metric with human scores, oriented.
    between : float
        Pearson's r of the two metrics.
    n : int
    unit : str
    alternative : {"greater", "two-sided", "less"}
        One-sided by default.
    name : str, optional
        Signature to give to the result.

    Returns
    -------
    Estimate or Undefined
        ``value`` is the difference of the correlations. Undefined with fewer than four units, or
        where the three correlations leave no variance.

    Raises
    ------
    ValueError
        If a correlation lies outside [−1, 1].

    Examples
    --------
    >>> round(williams_test(0.65, 0.55, 0.30, 50).p_value, 12)
    0.209286172868
    """
    name = name or signature("williams", alternative=alternative)
    if any(not -1 <= r <= 1 for r in (first, second, between)):
        raise ValueError("a correlation lies between −1 and 1")
    if n < FEWEST_UNITS:
        return Undefined(f"fewer than four {unit}", n, unit, name)
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    if determinant < -1e-9:
        raise ValueError("no data have these three correlations")
    spread = 2 * max(0.0, determinant) * (n - 1) / (n - 3)
    spread += ((first + second) / 2) ** 2 * (1 - between) ** 3
    if spread <= 1e-14:
        return Undefined("the correlations leave no variance to test against", n, unit, name)
    t = (first - second) * math.sqrt((n - 1) * (1 + between) / spread)
    freedom = n - 3
    p_value = {
        "greater": float(scipy.stats.t.sf(t, freedom)),
        "less": float(scipy.stats.t.cdf(t, freedom)),
        "two-sided": float(2 * scipy.stats.t.sf(abs(t), freedom)),
    }[alternative]
    return Estimate(
        first - second,
        n=n,
        unit=unit,
        signature=name,
        p_value=p_value,
        details={
            "first": first,
            "second": second,
            "between": between,
            "t": t,
            "df": freedom,
            "alternative": alternative,
            "test": "equal correlations, Williams (1959)",
        },
    )


def system_level_williams(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    alternative: Alternative = "greater",
    variant: Variant = NO_VARIANT,
) -> Result:
    """Williams' test over system means.

    Parameters
    ----------
    first, second, human : array_like, shape (segments, systems)
        NaN where missing; means are over the cells where all three are present.
    alternative : {"greater", "two-sided", "less"}
    variant : mapping
        Further parts of the signature.
    """
    name = signature("williams", alternative=alternative, level="system", **variant)
    (one, other), human_scores = same_shapes([first, second], human)
    # A sum has a value only where both have: the means are over common cells.
    first_means, human_means, counts = system_means(one, human_scores + 0 * other)
    second_means, _, _ = system_means(other, human_scores + 0 * one)
    kept = counts > 0
    means = [side[kept] for side in (first_means, second_means, human_means)]
    n = int(kept.sum())
    if n < FEWEST_UNITS:
        return Undefined("fewer than four systems", n, "systems", name)
    if any(is_constant(side) for side in means):
        return Undefined("system means of one side are all the same", n, "systems", name)
    return williams_test(
        pearson_r(means[0], means[2]),
        pearson_r(means[1], means[2]),
        pearson_r(means[0], means[1]),
        n,
        alternative=alternative,
        name=name,
    )


def bootstrap_difference_steps(
    metrics: Sequence[npt.ArrayLike],
    human: npt.ArrayLike,
    coefficient: WeightedCoefficient = "pearson",
    *,
    level: Level = "segment",
    grouping: Grouping = "none",
    over: Over = "segments",
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
    variant: Variant = NO_VARIANT,
) -> InPieces[list[MetricPair]]:
    """Compare every two metrics on the same resamples, with percentile intervals.

    The draws of a metric are kept for all pairs that rest on the same cells.

    Parameters
    ----------
    metrics : sequence of array_like, shape (segments, systems)
        NaN where missing. A pair is compared over the cells that both have.
    human : array_like, shape (segments, systems)
    coefficient, level, grouping, over, bootstrap, variant
        As in `correlation.correlation_bootstrap.bootstrap_correlation`.

    Returns
    -------
    list of MetricPair
        In the order (0, 1), (0, 2), …, (1, 2), …, the first metric's correlation less the second's.
        The two-sided p-value is min(1, 2 (c + 1) / (k + 1)), with c the smaller of the numbers of
        draws at most and at least zero (Efron and Tibshirani 1993, chapter 15; Koehn 2004). It
        answers whether the interval excludes zero; it is not a test of exchangeability.

    Raises
    ------
    ValueError
        If shapes differ or a variant is unknown.
    """
    scores, human_scores = same_shapes(metrics, human)
    kind = ResampledCorrelation(coefficient, level, grouping, over)
    name = kind.signature("difference", "percentile", bootstrap, variant)
    present = np.isfinite(scores)
    pairs = [(i, j) for i in range(len(scores)) for j in range(i + 1, len(scores))]
    keys = {
        (metric, np.packbits(present[i] & present[j]).tobytes()): present[i] & present[j]
        for i, j in pairs
        for metric in (i, j)
    }

    def draws_of(metric: int, common: BoolArray) -> FloatArray:
        """Return the number of units, the value, and the draws where there is one."""
        cut = np.where(common, scores[metric], np.nan)
        statistic, n_units = kind.statistic(cut, human_scores), units_drawn(kind, cut)
        observed = float(statistic(np.ones((1, n_units)))[0]) if n_units else np.nan
        draws = np.empty(0)
        if np.isfinite(observed):
            per_unit = kind.cells_per_unit(cut.size // max(1, n_units))
            draws = bootstrap_draws(np.ones(n_units), statistic, bootstrap, per_unit)
        return np.concatenate([[n_units, observed], draws])

    values = yield [partial(draws_of, metric, common) for (metric, _), common in keys.items()]
    resampled = dict(zip(keys, values, strict=True))
    found = []
    for i, j in pairs:
        common = np.packbits(present[i] & present[j]).tobytes()
        sides = resampled[i, common], resampled[j, common]
        found.append(MetricPair(i, j, _difference(*sides, kind, bootstrap, name)))
    return found


bootstrap_differences = at_once(bootstrap_difference_steps)


def _difference(
    first: FloatArray,
    second: FloatArray,
    kind: ResampledCorrelation,
    bootstrap: Bootstrap,
    name: str,
) -> Result:
    n_units, one, other = int(first[0]), float(first[1]), float(second[1])
    if not np.isfinite(one - other):
        return Undefined(kind.no_variation, n_units, kind.over, name)
    return estimate_of_difference(
        one,
        other,
        first[2:] - second[2:],
        bootstrap,
        n=n_units,
        over=kind.over,
        name=name,
        centred=kind.scale is not None,
    )
