"""Correlation coefficients: of two vectors, of many small groups, and of sums over units."""

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import (
    CELLS_IN_MEMORY,
    BoolArray,
    FloatArray,
    IntArray,
    as_vector,
    is_constant,
)
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import signature

FLAT = 1e-14
"""Variance, of values whose largest is about one, up to which they do not vary."""


def pearson_r(first: FloatArray, second: FloatArray) -> float:
    """Return Pearson's r of two complete vectors, neither of them constant."""
    x, y = first - first.mean(), second - second.mean()
    return float(r_of_centred(x / np.abs(x).max(), y / np.abs(y).max()))


def r_of_centred(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return r along the last axis of centred values: none constant, zero where missing."""
    # Not a product of BLAS: its threads cost more than such a sum where cores are busy.
    xx, yy, xy = (
        np.einsum("...i,...i->...", a, b)
        for a, b in ((first, first), (second, second), (first, second))
    )
    return np.asarray(np.clip(xy / np.sqrt(xx * yy), -1.0, 1.0), dtype=np.float64)


def row_sums(first: FloatArray, second: FloatArray, both: BoolArray) -> FloatArray:
    """Return per row: count, Σx, Σy, Σx², Σy², Σxy, centred and scaled over all cells."""
    sides = []
    for values in (first, second):
        mean = values[both].mean() if both.any() else 0.0
        centred = np.where(both, values - mean, 0.0)
        largest = np.abs(centred).max(initial=0.0)
        sides.append(centred / (largest if largest > 0 else 1.0))
    x, y = sides
    products = [np.einsum("ij,ij->i", a, b) for a, b in ((x, x), (y, y), (x, y))]
    return np.column_stack([both.sum(axis=1), x.sum(axis=1), y.sum(axis=1), *products])


def r_of_sums(sums: FloatArray) -> FloatArray:
    """Return r from summed counts, values, squares and products (last axis, as `row_sums`).

    NaN where a side does not vary; values are centred and scaled to about one.
    """
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    n = np.where(n > 0, n, np.nan)
    x_spread, y_spread = xx / n - (x / n) ** 2, yy / n - (y / n) ** 2
    varies = (x_spread > FLAT) & (y_spread > FLAT)
    r = np.full(n.shape, np.nan)
    spread = np.sqrt(np.where(varies, x_spread * y_spread, 1.0))
    np.divide(xy / n - x * y / n**2, spread, out=r, where=varies)
    return np.asarray(np.clip(r, -1.0, 1.0), dtype=np.float64)


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


SMALLEST_GROUP = 2
WIDEST_PAIRED_ROW = 256


def rowwise_coefficients(
    first: FloatArray, second: FloatArray, coefficient: Coefficient
) -> tuple[FloatArray, IntArray]:
    """Correlate each row of two matrices over the cells where both are present.

    Parameters
    ----------
    first, second : ndarray, shape (groups, members)
        NaN where missing.
    coefficient : {"pearson", "spearman", "kendall-tau-b", "kendall-tau-c"}

    Returns
    -------
    coefficients : ndarray, shape (groups,)
        NaN where a group has fewer than two members or one side is constant.
    sizes : ndarray of int, shape (groups,)
        Members of each group with both present.
    """
    both = np.isfinite(first) & np.isfinite(second)
    sizes = np.asarray(both.sum(axis=1), dtype=np.int64)
    x, y = np.where(both, first, np.nan), np.where(both, second, np.nan)
    usable = (sizes >= SMALLEST_GROUP) & ~constant_rows(x, both) & ~constant_rows(y, both)
    values = np.full(sizes.shape, np.nan)
    if not usable.any():
        return values, sizes
    x, y = x[usable], y[usable]
    if coefficient == "pearson":
        values[usable] = _pearson_rows(x, y)
    elif coefficient == "spearman":
        ranks = [scipy.stats.rankdata(side, axis=1, nan_policy="omit") for side in (x, y)]
        values[usable] = _pearson_rows(*ranks)
    elif x.shape[1] <= WIDEST_PAIRED_ROW:
        values[usable] = _tau_rows(x, y, coefficient)
    else:
        values[usable] = [_tau(x[row], y[row], coefficient) for row in range(x.shape[0])]
    return values, sizes


def constant_rows(values: FloatArray, present: BoolArray) -> BoolArray:
    """Say of each row whether its present values are the same up to rounding."""
    if values.shape[1] == 0:
        return np.ones(values.shape[0], dtype=bool)
    highest = np.where(present, values, -np.inf).max(axis=1)
    lowest = np.where(present, values, np.inf).min(axis=1)
    spread = np.where(highest >= lowest, highest, 0) - np.where(highest >= lowest, lowest, 0)
    largest = np.where(present, np.abs(values), 0).max(axis=1)
    return np.asarray(spread <= 1e-13 * largest, dtype=np.bool_)


def _pearson_rows(x: FloatArray, y: FloatArray) -> FloatArray:
    return r_of_centred(_standardised_rows(x), _standardised_rows(y))


def _standardised_rows(values: FloatArray) -> FloatArray:
    """Return centred rows scaled to a largest deviation of one, zero where missing."""
    centred = np.nan_to_num(values - np.nanmean(values, axis=1, keepdims=True))
    scaled: FloatArray = centred / np.abs(centred).max(axis=1, keepdims=True)
    return scaled


def _tau(x: FloatArray, y: FloatArray, coefficient: Coefficient) -> float:
    result = correlate(x, y, coefficient)
    if isinstance(result, Estimate):
        return result.value
    # Two members that differ on both sides: every tau is the sign of their agreement.
    both = np.isfinite(x) & np.isfinite(y)
    return float(np.sign(np.diff(x[both]) * np.diff(y[both]))[0])


def _tau_rows(x: FloatArray, y: FloatArray, coefficient: Coefficient) -> FloatArray:
    """Compare all pairs of members of each row, block by block."""
    left, right = np.triu_indices(x.shape[1], k=1)
    block = max(1, CELLS_IN_MEMORY // left.size)
    taus = np.empty(x.shape[0])
    for start in range(0, x.shape[0], block):
        rows = slice(start, start + block)
        x_signs = np.nan_to_num(np.sign(x[rows][:, left] - x[rows][:, right]))
        y_signs = np.nan_to_num(np.sign(y[rows][:, left] - y[rows][:, right]))
        balance = (x_signs * y_signs).sum(axis=1)
        if coefficient == "kendall-tau-b":
            untied = np.abs(x_signs).sum(axis=1) * np.abs(y_signs).sum(axis=1)
            taus[rows] = balance / np.sqrt(untied)
        else:
            sizes = np.isfinite(x[rows]).sum(axis=1)
            fewest = np.minimum(_distinct(x[rows]), _distinct(y[rows]))
            taus[rows] = 2 * balance * fewest / (sizes**2 * (fewest - 1))
    return taus


def _distinct(values: FloatArray) -> FloatArray:
    """Return the number of distinct values in each row, NaN not counted."""
    ordered = np.sort(values, axis=1)
    new = np.isfinite(ordered[:, 1:]) & (ordered[:, 1:] != ordered[:, :-1])
    return np.asarray(1 + new.sum(axis=1), dtype=np.float64)
