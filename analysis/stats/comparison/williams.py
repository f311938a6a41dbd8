"""Williams' test of two correlations that share a variable."""

from __future__ import annotations

import math

import numpy.typing as npt
import scipy

from analysis.stats.arrays import is_constant
from analysis.stats.comparison.metric_cells import same_shapes
from analysis.stats.correlation.metric_correlation import system_means
from analysis.stats.correlation.pearson import pearson_r
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
