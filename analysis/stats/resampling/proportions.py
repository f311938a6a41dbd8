"""Intervals without resampling: of shares of independent units, and of ratios of sums."""

import math

import numpy as np
import scipy

from analysis.stats.arrays import FloatArray
from analysis.stats.results import Interval

KORN_GRAUBARD = "korn-graubard"
"""As signatures name `interval_of_mean_share`."""


def clopper_pearson(successes: float, n: float, level: float, method: str) -> Interval:
    """Return the exact interval of a binomial share (Clopper and Pearson 1934).

    Parameters
    ----------
    successes, n : float
        Fractions are allowed, as effective sample sizes are.
    level : float
    method : str
        As the interval names it.

    Examples
    --------
    >>> interval = clopper_pearson(8, 8, 0.95, "Clopper-Pearson")
    >>> round(interval.low, 4), interval.high
    (0.6306, 1.0)
    """
    # Imported where it is needed: it takes longer than most pages.
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(successes, n, alpha=1 - level, method="beta")
    return Interval(float(low), float(high), level, method)


def at_the_edge(
    value: float, units: int, level: float, *, over: str, bounds: tuple[float, float] = (0.0, 1.0)
) -> Interval | None:
    """Return the interval of a mean that is at a bound in every unit; None of any other value.

    All resamples of such units are equal, and their standard error is zero. The chance that a unit
    departs from the bound at all limits how far the mean does, and it is a binomial share.

    Examples
    --------
    >>> round(at_the_edge(1.0, 8, 0.95, over="segments").low, 4)
    0.6306
    >>> at_the_edge(0.5, 8, 0.95, over="segments")
    """
    low, high = bounds
    if value not in bounds or not units:
        return None
    method = f"Clopper-Pearson over {over}, none of which departs"
    share = clopper_pearson(units if value == high else 0, units, level, method)
    width = high - low
    return Interval(low + width * share.low, low + width * share.high, level, method)


def interval_of_mean_share(
    shares: FloatArray, pairs: FloatArray, level: float, *, over: str
) -> Interval | None:
    """Return the interval of a mean of units' shares: Clopper and Pearson's on an effective n.

    Korn and Graubard (1998): n is divided by the design effect, how many times the variance between
    units exceeds that of a binomial share, and corrected for the degrees of freedom. With one pair
    in each unit it is Clopper and Pearson's interval. Where all units have the same share, nothing
    is known about the variance between them, and each counts once.

    Parameters
    ----------
    shares : ndarray, shape (units,)
        Between 0 and 1.
    pairs : ndarray, shape (units,)
        How many pairs each share is of.
    level : float
    over : str
        What the units are, for the interval's method.

    Returns
    -------
    Interval or None
        None for fewer than two units.

    Examples
    --------
    >>> interval = interval_of_mean_share(np.array([1.0] * 7 + [0]), np.ones(8), 0.95, over="units")
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.4735, 0.9968)
    """
    units, value = shares.size, float(shares.mean())
    if units < 2:
        return None
    effective, variance = float(units), float(shares.var())
    if variance > 1e-12:
        freedom = np.array([pairs.sum() - 1, units - 1])
        ratio = np.divide(*scipy.special.stdtrit(freedom, (1 + level) / 2))
        effective = float(units * value * (1 - value) / variance * ratio**2)
    # Rounding may carry a mean of ones beyond one.
    value = min(value, 1.0)
    method = f"Korn-Graubard over {over}"
    return clopper_pearson(value * effective, effective, level, method)


def cluster_t_test(
    numerators: FloatArray, denominators: FloatArray, level: float, *, over: str
) -> tuple[float | None, Interval | None]:
    """Test R = Σ numerators / Σ denominators against 0, groups being independent.

    The variance is that of the linearised ratio, G / (G − 1) · Σ (aᵍ − R bᵍ)² / (Σ bᵍ)² (Cochran
    1977, chapter 6), with G − 1 degrees of freedom. With denominators of one it is the t test of a
    mean.

    Parameters
    ----------
    numerators, denominators : ndarray, shape (groups,)
    level : float
    over : str
        What the groups are, for the interval's method.

    Returns
    -------
    p_value : float or None
    interval : Interval or None
        Both None with fewer than two groups or no variance between them.

    Examples
    --------
    >>> import numpy as np
    >>> p, interval = cluster_t_test(np.array([1.0, 2.0, 3.0]), np.ones(3), 0.95, over="groups")
    >>> round(p, 4)
    0.0742
    """
    groups = numerators.size
    if groups < 2:
        return None, None
    total = float(denominators.sum())
    ratio = float(numerators.sum()) / total
    residuals = numerators - ratio * denominators
    error = math.sqrt(groups / (groups - 1) * float((residuals**2).sum())) / total
    if error <= 1e-13:
        return None, None
    half = float(scipy.special.stdtrit(groups - 1, (1 + level) / 2)) * error
    p_value = float(2 * scipy.special.stdtr(groups - 1, -abs(ratio) / error))
    return p_value, Interval(ratio - half, ratio + half, level, f"Student's t over {over}")
