"""Test and interval of a ratio of sums over independent groups (a mean is the plain case)."""

from __future__ import annotations

import math

import scipy

from analysis.stats.arrays import FloatArray
from analysis.stats.results import Interval


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
