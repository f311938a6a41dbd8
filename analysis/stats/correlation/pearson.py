"""Pearson's r: of two vectors, of rows of centred values, and of sums over units."""

from __future__ import annotations

import numpy as np

from analysis.stats.arrays import BoolArray, FloatArray

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
