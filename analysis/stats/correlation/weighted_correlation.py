"""Correlations under many weightings of the rows at once, as resampling rows needs them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np

from analysis.stats.arrays import BoolArray, FloatArray, IntArray, masked_means, ratio_of_sums
from analysis.stats.correlation.concordance import ConcordanceOrder
from analysis.stats.correlation.grouped_correlation import SMALLEST_GROUP, rowwise_coefficients
from analysis.stats.correlation.pearson import r_of_sums, row_sums
from analysis.stats.resampling.resampled_sums import SumStatistic

Arrangement = Literal["pooled", "by row", "by column", "column means"]
WeightedCoefficient = Literal["pearson", "spearman", "kendall-tau-b"]
WeightedStatistic: TypeAlias = Callable[[FloatArray], FloatArray]


def weighted_correlation(
    first: FloatArray,
    second: FloatArray,
    coefficient: WeightedCoefficient,
    arrangement: Arrangement,
) -> WeightedStatistic:
    """Return a function from row weights (draws × rows) to one correlation per draw.

    A row of whole weight w stands for w copies of it, so that weights which count draws give the
    correlation of the resampled matrices, ties between copies included.

    Parameters
    ----------
    first, second : ndarray, shape (rows, columns)
        A cell enters where both are present.
    coefficient : {"pearson", "spearman", "kendall-tau-b"}
    arrangement : {"pooled", "by row", "by column", "column means"}
        All cells; the mean over rows or over columns of each one's correlation, those in which a
        side is constant left out; or the correlation of the columns' means.

    Returns
    -------
    callable
        NaN where a draw is degenerate.
    """
    summed = correlation_of_sums(first, second, coefficient, arrangement)
    if summed is not None:
        return summed
    both = np.isfinite(first) & np.isfinite(second)
    if arrangement == "pooled":
        return _of_cells(first, second, both, coefficient)
    columns = [
        _of_cells(first[:, [c]], second[:, [c]], both[:, [c]], coefficient)
        for c in range(first.shape[1])
        if both[:, c].sum() >= SMALLEST_GROUP
    ]

    def mean_of_columns(weights: FloatArray) -> FloatArray:
        values = np.array([column(weights) for column in columns]).reshape(-1, weights.shape[0])
        return masked_means(values, np.isfinite(values))

    return mean_of_columns


def correlation_of_sums(
    first: FloatArray,
    second: FloatArray,
    coefficient: WeightedCoefficient,
    arrangement: Arrangement,
) -> SumStatistic | None:
    """Return a correlation as a statistic of sums over rows; None where it is none.

    Parameters are those of `weighted_correlation`.
    """
    both = np.isfinite(first) & np.isfinite(second)
    if arrangement == "by row":
        values, _ = rowwise_coefficients(first, second, coefficient)
        known = np.isfinite(values)
        return SumStatistic(np.column_stack([np.where(known, values, 0.0), known]), ratio_of_sums)
    if arrangement == "column means":
        sides = [np.where(both, values, 0.0) for values in (first, second)]
        return SumStatistic(
            np.hstack([both, *sides]), lambda sums: _of_column_means(sums, coefficient)
        )
    if arrangement == "pooled" and coefficient == "pearson" and both.sum() >= SMALLEST_GROUP:
        return SumStatistic(row_sums(first, second, both), r_of_sums)
    return None


def _of_column_means(sums: FloatArray, coefficient: WeightedCoefficient) -> FloatArray:
    counts, first, second = np.split(sums, 3, axis=1)
    counts = np.where(counts > 0, counts, np.nan)
    values, _ = rowwise_coefficients(first / counts, second / counts, coefficient)
    return values


def _of_cells(
    first: FloatArray, second: FloatArray, both: BoolArray, coefficient: WeightedCoefficient
) -> WeightedStatistic:
    rows = np.nonzero(both)[0]
    x, y = first[both], second[both]
    if x.size < SMALLEST_GROUP:
        return lambda weights: np.full(weights.shape[0], np.nan)
    if coefficient == "pearson":
        sums = row_sums(first, second, both)
        return lambda weights: r_of_sums(weights @ sums)
    if coefficient == "spearman":
        orders = [rank_order(values) for values in (x, y)]
        return lambda weights: _rank_correlation(weights.T[rows], orders)
    order = ConcordanceOrder(x, y)
    return lambda weights: order.tau_b(weights.T[rows])


def rank_order(values: FloatArray) -> tuple[IntArray, IntArray]:
    """Return the sorting order and where each run of equal values starts."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    return order, np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))


def _rank_correlation(weights: FloatArray, orders: list[tuple[IntArray, IntArray]]) -> FloatArray:
    """Return Pearson's r of the mid-ranks of the copies that weights (cells × draws) stand for."""
    sides = []
    for order, starts in orders:
        runs = np.add.reduceat(weights[order], starts, axis=0)
        middle = np.cumsum(runs, axis=0) - runs / 2
        lengths = np.diff(np.append(starts, order.size))
        ranks = np.empty(weights.shape)
        ranks[order] = np.repeat(middle, lengths, axis=0)
        sides.append(ranks - weights.sum(axis=0) / 2)
    products, *squares = (
        np.einsum("nk,nk,nk->k", weights, a, b)
        for a, b in ((sides[0], sides[1]), (sides[0], sides[0]), (sides[1], sides[1]))
    )
    varies = (squares[0] > 0.1) & (squares[1] > 0.1)
    rho = np.full(products.shape, np.nan)
    np.divide(
        products, np.sqrt(np.where(varies, squares[0] * squares[1], 1.0)), out=rho, where=varies
    )
    return np.asarray(np.clip(rho, -1.0, 1.0), dtype=np.float64)
