"""How metrics go together: correlations of every pair, and an order by hierarchical clustering."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, IntArray, as_matrix, masked_means
from analysis.stats.correlation.pearson import r_of_sums

Coefficient = Literal["pearson", "spearman"]
SMALLEST = 3
"""Pairs of values below which no coefficient is given."""


@dataclass(frozen=True, slots=True)
class ScoreMatrix:
    """Correlations between columns.

    Parameters
    ----------
    values : ndarray, shape (columns, columns)
        NaN where fewer than three rows have both, or one side is constant among them.
    counts : ndarray of int, of the same shape
        Rows that have both.
    order : ndarray of int, shape (columns,)
        Columns in the order of a dendrogram.
    """

    values: FloatArray
    counts: IntArray
    order: IntArray


def score_matrix(scores: npt.ArrayLike, coefficient: Coefficient = "pearson") -> ScoreMatrix:
    """Correlate every two columns over the rows that have both.

    Sums over shared rows come from matrix products, so that no pair is looped over; columns are
    centred first. Spearman's ranks are taken per column over all its values, so that with missing
    values it is the Pearson correlation of those ranks on shared rows.

    Parameters
    ----------
    scores : array_like, shape (rows, columns)
        Oriented scores, NaN where missing.
    coefficient : {"pearson", "spearman"}

    Returns
    -------
    ScoreMatrix
        The order is that of average linkage on 1 − r; undefined pairs count as r = 0.

    Raises
    ------
    ValueError
        If `scores` is no matrix or the coefficient is unknown.

    Examples
    --------
    >>> found = score_matrix([[1, 3, 9], [2, 2, 4], [3, 1, 1.0]], "spearman")
    >>> found.values.round(6).tolist()
    [[1.0, -1.0, -1.0], [-1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]]
    """
    table = as_matrix(scores, "scores")
    if coefficient not in ("pearson", "spearman"):
        raise ValueError(f"unknown coefficient: {coefficient}")
    if coefficient == "spearman":
        table = _ranks(table)
    values, counts = _pairwise(table)
    return ScoreMatrix(
        values, counts, _dendrogram_order(1 - np.where(np.isfinite(values), values, 0.0))
    )


def _ranks(table: FloatArray) -> FloatArray:
    from scipy.stats import rankdata

    return np.asarray(rankdata(table, axis=0, nan_policy="omit"), dtype=np.float64)


def _pairwise(table: FloatArray) -> tuple[FloatArray, IntArray]:
    present = np.isfinite(table)
    centred = np.where(present, table - masked_means(table, present), 0.0)
    scales = np.abs(centred).max(axis=0, initial=0.0)
    centred /= np.where(scales > 0, scales, 1.0)
    here = present.astype(np.float64)
    counts = here.T @ here
    sums = centred.T @ here
    squares = (centred**2).T @ here
    products = centred.T @ centred
    values = r_of_sums(np.stack([counts, sums, sums.T, squares, squares.T, products], axis=-1))
    return np.where(counts >= SMALLEST, values, np.nan), counts.astype(np.int64)


def order_of_rows(table: npt.ArrayLike) -> IntArray:
    """Return the rows of a table in the order of a dendrogram.

    Average linkage (Sokal and Michener 1958) on root mean squared differences over the columns
    that two rows have in common; rows with none in common are as far apart as the furthest.

    Parameters
    ----------
    table : array_like, shape (rows, columns)
        NaN where undefined.

    Returns
    -------
    ndarray of int, shape (rows,)

    Examples
    --------
    >>> order_of_rows([[0.0, 0.1], [0.9, 0.8], [0.1, 0.0], [0.8, 0.8]]).tolist()
    [1, 3, 2, 0]
    """
    rows = as_matrix(table, "table")
    differences = rows[:, None] - rows[None]
    both = np.isfinite(differences)
    counts = both.sum(axis=2)
    sums = np.where(both, differences, 0.0) ** 2
    distance = np.sqrt(sums.sum(axis=2) / np.maximum(counts, 1))
    furthest = distance.max(initial=0.0)
    return _dendrogram_order(np.where(counts > 0, distance, furthest))


def _dendrogram_order(distance: FloatArray) -> IntArray:
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    size = len(distance)
    if size < 3:
        return np.arange(size)
    distance = (distance + distance.T) / 2
    np.fill_diagonal(distance, 0.0)
    tree = linkage(squareform(distance, checks=False), "average", optimal_ordering=size <= 200)
    return np.asarray(leaves_list(tree), dtype=np.int64)
