"""Correlation coefficients of many small groups at once: one per row of two matrices."""

from __future__ import annotations

import numpy as np
import scipy

from analysis.stats.arrays import CELLS_IN_MEMORY, BoolArray, FloatArray, IntArray
from analysis.stats.correlation.bivariate import Coefficient, correlate
from analysis.stats.correlation.pearson import r_of_centred
from analysis.stats.results import Estimate

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
