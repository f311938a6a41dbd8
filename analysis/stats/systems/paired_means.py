"""Difference of two systems' mean scores on the segments that both have, with its interval."""

from __future__ import annotations

import math

import numpy.typing as npt
import scipy

from analysis.stats.arrays import is_constant
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, signature
from analysis.stats.systems.paired_tests import paired_differences


def paired_mean_difference(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    level: float = 0.95,
    variant: Variant = NO_VARIANT,
) -> Result:
    """Mean of first less second, with Student's t interval over segments and its paired t-test.

    Parameters
    ----------
    first, second : array_like, shape (segments,)
        NaN where missing.
    level : float
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    Estimate or Undefined
        Undefined with fewer than two common segments, or where all differences are the same: then
        there is no spread to test against.

    Examples
    --------
    >>> result = paired_mean_difference([3, 5, 4, 6], [1, 2, 3, 2])
    >>> result.value, round(result.interval.low, 3)
    (2.5, 0.446)
    """
    name = signature("paired-mean-difference", confidence=level, **variant)
    gaps = paired_differences(first, second)
    n = gaps.size
    if n < 2:
        return Undefined("fewer than two segments have scores of both systems", n, "segments", name)
    if is_constant(gaps):
        reason = "the difference is the same on every segment"
        return Undefined(reason, n, "segments", name, {"difference": float(gaps[0])})
    mean, error = float(gaps.mean()), float(gaps.std(ddof=1)) / math.sqrt(n)
    half = float(scipy.stats.t.ppf((1 + level) / 2, n - 1)) * error
    return Estimate(
        mean,
        n=n,
        unit="segments",
        signature=name,
        p_value=float(2 * scipy.stats.t.sf(abs(mean) / error, n - 1)),
        interval=Interval(mean - half, mean + half, level, "Student's t over segments"),
        details={"standard_error": error, "test": "equal means, paired t-test"},
    )
