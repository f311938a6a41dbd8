"""Correlation of two vectors, with its p-value, interval and margin."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import FloatArray, as_vector, is_constant
from analysis.stats.correlation.pearson import pearson_r
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import signature

Coefficient = Literal["pearson", "spearman", "kendall-tau-b", "kendall-tau-c"]
TEST_OF_R = "r = 0, Student's t"
COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "spearman", "kendall-tau-b", "kendall-tau-c")


def correlate(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    coefficient: Coefficient = "pearson",
    *,
    unit: str = "pairs",
    independent: bool = True,
    level: float = 0.95,
    name: str | None = None,
) -> Result:
    """Correlate two vectors over the positions where both are present.

    Parameters
    ----------
    first, second : array_like, shape (n,)
        NaN where missing.
    coefficient : {"pearson", "spearman", "kendall-tau-b", "kendall-tau-c"}
        Kendall's tau-b corrects for ties (Kendall 1945), tau-c for unequal numbers of distinct
        values (Stuart 1953).
    unit : str
        What a position is, for the result and its reasons.
    independent : bool
        Whether positions are independent units. If not, there is no interval: Fisher's z and its
        relatives do not hold.
    level : float
    name : str, optional
        Signature to give to the result.

    Returns
    -------
    Estimate or Undefined
        Two-sided p-value: Student's t for Pearson and Spearman, SciPy's exact or asymptotic test
        for Kendall. Interval: see `fisher_interval`. ``details["margin"]`` for Pearson: see
        `margin_of_r`.

    Raises
    ------
    ValueError
        If lengths differ or the coefficient is unknown.

    Examples
    --------
    >>> round(correlate([1, 2, 3, 4], [1, 3, 2, 4]).value, 3)
    0.8
    """
    if coefficient not in COEFFICIENTS:
        raise ValueError(f"unknown coefficient: {coefficient}")
    x, y = as_vector(first), as_vector(second)
    if x.shape != y.shape:
        raise ValueError(f"lengths differ: {x.size} and {y.size}")
    name = name or signature(coefficient, level=level)
    both = np.isfinite(x) & np.isfinite(y)
    x, y = x[both], y[both]
    n = int(both.sum())
    details: dict[str, Any] = {"missing": int(both.size - n)}
    if n < 3:
        return Undefined(f"fewer than three {unit}", n, unit, name, details)
    for vector, side in ((x, "first"), (y, "second")):
        if is_constant(vector):
            reason = f"the {side} variable is constant over all {n} {unit}"
            return Undefined(reason, n, unit, name, details)
    value, p_value, test = _coefficient(x, y, coefficient)
    if coefficient == "pearson":
        details["margin"] = margin_of_r(value, n)
    return Estimate(
        value,
        n=n,
        unit=unit,
        signature=name,
        p_value=p_value,
        interval=fisher_interval(value, n, coefficient, level=level) if independent else None,
        details={**details, "test": test},
    )


def estimate_of_r(r: float, n: int, *, unit: str, name: str, details: Mapping[str, Any]) -> Result:
    """Return what `correlate` does for a Pearson's r over dependent units that is known already."""
    facts = {"margin": margin_of_r(r, n), "test": TEST_OF_R, **details}
    return Estimate(r, n, unit, name, p_value=_t_test_of_r(r, n), details=facts)


def margin_of_r(r: float, n: int) -> float:
    """Return 1.96 (1 − r²) / √n, the margin of error that Mir et al. (2019) print alongside r.

    Examples
    --------
    >>> round(margin_of_r(0.56626, 1220), 6)
    0.038121
    """
    return 1.96 * (1 - r * r) / math.sqrt(n)


def fisher_interval(
    value: float, n: int, coefficient: Coefficient = "pearson", *, level: float = 0.95
) -> Interval | None:
    """Return the interval of a correlation on Fisher's z scale; None if n is too small.

    The variance of artanh(r) is 1 / (n − 3) for Pearson (Fisher 1921), (1 + r²/2) / (n − 3) for
    Spearman and 0.437 / (n − 4) for Kendall (Bonett and Wright 2000). Units must be independent.

    Parameters
    ----------
    value : float
    n : int
        Number of independent units.
    coefficient : str
    level : float

    Returns
    -------
    Interval or None
        None for n ≤ 3 (Kendall: n ≤ 4), and where |value| is 1.
    """
    spared = 4 if coefficient.startswith("kendall") else 3
    if n <= spared or abs(value) >= 1:
        return None
    scale = {"pearson": 1.0, "spearman": 1 + value**2 / 2}.get(coefficient, 0.437)
    half = float(scipy.special.ndtri((1 + level) / 2)) * math.sqrt(scale / (n - spared))
    centre = math.atanh(value)
    method = "Fisher z" if coefficient == "pearson" else "Fisher z, Bonett and Wright (2000)"
    return Interval(math.tanh(centre - half), math.tanh(centre + half), level, method)


def _coefficient(
    x: FloatArray, y: FloatArray, coefficient: Coefficient
) -> tuple[float, float, str]:
    if coefficient.startswith("kendall"):
        variant = coefficient[-1]
        outcome = scipy.stats.kendalltau(x, y, variant=variant)
        return float(outcome.statistic), float(outcome.pvalue), "tau = 0, Kendall"
    if coefficient == "spearman":
        x, y = scipy.stats.rankdata(x), scipy.stats.rankdata(y)
    r = pearson_r(x, y)
    return r, _t_test_of_r(r, x.size), TEST_OF_R


def _t_test_of_r(r: float, n: int) -> float:
    if abs(r) >= 1:
        return 0.0
    t = r * math.sqrt((n - 2) / ((1 - r) * (1 + r)))
    return float(2 * scipy.special.stdtr(n - 2, -abs(t)))
