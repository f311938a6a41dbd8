"""Shapes that the statistics take in: checked matrices, and matrices from long-form rows."""

from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
Level = Literal["segment", "system"]
"""Correlations of scores of outputs, or of systems' means."""
Grouping = Literal["none", "segment", "system"]
"""Outputs pooled, or one correlation for each segment or system."""
Columns = Literal["raters", "slots"]
"""Whether a column is one rater, or merely the first, second, … rating of a unit."""
CELLS_IN_MEMORY = 2_000_000
"""Numbers that a computation makes at once: 16 MB."""


def as_matrix(values: npt.ArrayLike, name: str = "ratings") -> FloatArray:
    """Return `values` as a two-dimensional float array whose missing cells are NaN.

    Raises
    ------
    ValueError
        If there are not two dimensions, or a cell is infinite.
    """
    return _checked(values, name, 2, "two dimensions")


def as_vector(values: npt.ArrayLike, name: str = "values") -> FloatArray:
    """Return `values` as a one-dimensional float array whose missing entries are NaN.

    Raises
    ------
    ValueError
        If there is not one dimension, or an entry is infinite.
    """
    return _checked(values, name, 1, "one dimension")


def as_cube(ratings: npt.ArrayLike) -> FloatArray:
    """Return ratings, segments × systems × raters, as a float array whose missing cells are NaN.

    Raises
    ------
    ValueError
        If there are not three dimensions, or a rating is infinite.
    """
    return _checked(ratings, "ratings of segments × systems × raters", 3, "three dimensions")


def _checked(values: npt.ArrayLike, name: str, dimensions: int, words: str) -> FloatArray:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != dimensions:
        raise ValueError(f"{name} must have {words}, found {array.ndim}")
    if np.isinf(array).any():
        raise ValueError(f"{name} must hold finite numbers or NaN")
    return array


def metric_and_human(
    metric: npt.ArrayLike, human: npt.ArrayLike
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return both score matrices (segments × systems) and the mask of cells where both are present.

    Raises
    ------
    ValueError
        If the shapes differ or are not two-dimensional.
    """
    scores, judgements = as_matrix(metric, "metric"), as_matrix(human, "human")
    if scores.shape != judgements.shape:
        raise ValueError(f"metric is {scores.shape}, human is {judgements.shape}: they must match")
    return scores, judgements, np.isfinite(scores) & np.isfinite(judgements)


def ratio(above: npt.ArrayLike, below: npt.ArrayLike, *, least: float = 1e-12) -> FloatArray:
    """Return above / below, NaN where `below` is up to `least` in size: zero but for rounding."""
    above, below = np.broadcast_arrays(above, below)
    quotient = np.full(above.shape, np.nan)
    np.divide(above, below, out=quotient, where=np.abs(below) > least)
    return quotient


def ratio_of_sums(sums: FloatArray) -> FloatArray:
    """Return the first of two sums (last axis) over the second, NaN where that is zero."""
    return ratio(sums[..., 0], sums[..., 1], least=0.0)


def masked_means(values: FloatArray, mask: BoolArray, axis: int = 0) -> FloatArray:
    """Return means over an axis of the values where the mask is true; NaN where it never is."""
    return ratio(np.where(mask, values, 0.0).sum(axis=axis), mask.sum(axis=axis))


def is_constant(values: FloatArray) -> bool:
    """Say whether all finite values are the same up to rounding of the last bits."""
    present = values[np.isfinite(values)]
    if present.size == 0:
        return True
    return bool(np.ptp(present) <= 1e-13 * np.max(np.abs(present)))


def slots_in_file_order(units: npt.ArrayLike, values: npt.ArrayLike) -> FloatArray:
    """Lay long-form ratings out as units × slots, filling each unit's slots in the rows' order.

    Slots are not raters: the first rating of two units may come from different raters.

    Parameters
    ----------
    units : array_like of int, shape (n_ratings,)
        Index of the rated unit of each row, from 0.
    values : array_like of float, shape (n_ratings,)
        The ratings; NaN takes no slot.

    Returns
    -------
    ndarray, shape (units, slots)
        ``units`` is the largest index + 1; empty slots are NaN and come last.

    Raises
    ------
    ValueError
        If the lengths differ or an index is negative.

    Examples
    --------
    >>> slots_in_file_order([0, 1, 0], [3, 5, 4]).tolist()
    [[3.0, 4.0], [5.0, nan]]
    """
    ratings, [rows] = long_form(values, units)
    if rows.size == 0:
        return np.empty((0, 0))
    n_units = int(rows.max()) + 1
    present = ~np.isnan(ratings)
    rows, ratings = rows[present], ratings[present]
    order = np.argsort(rows, kind="stable")
    counts = np.bincount(rows, minlength=n_units)
    slot = np.arange(rows.size) - np.repeat(np.cumsum(counts) - counts, counts)
    matrix = np.full((n_units, int(counts.max(initial=0))), np.nan)
    matrix[rows[order], slot] = ratings[order]
    return matrix


def units_by_raters(
    units: npt.ArrayLike, raters: npt.ArrayLike, values: npt.ArrayLike
) -> FloatArray:
    """Lay long-form ratings out as units × raters, one column per rater.

    Parameters
    ----------
    units, raters : array_like of int, shape (n_ratings,)
        Index of the rated unit and of the rater of each row, from 0.
    values : array_like of float, shape (n_ratings,)

    Returns
    -------
    ndarray, shape (units, raters)
        NaN where a rater did not rate a unit.

    Raises
    ------
    ValueError
        If the lengths differ, an index is negative, or a rater rated one unit twice.
    """
    ratings, [rows, columns] = long_form(values, units, raters)
    if rows.size == 0:
        return np.empty((0, 0))
    shape = (int(rows.max()) + 1, int(columns.max()) + 1)
    if np.unique(rows * shape[1] + columns).size != rows.size:
        raise ValueError("a rater rated one unit twice: keep the last rating, or use slots")
    matrix = np.full(shape, np.nan)
    matrix[rows, columns] = ratings
    return matrix


def long_form(values: npt.ArrayLike, *indices: npt.ArrayLike) -> tuple[FloatArray, list[IntArray]]:
    """Return a vector of values, and of each of them its place in other things, from 0.

    Raises
    ------
    ValueError
        If lengths differ, or an index is not a whole number from 0.
    """
    vector, places = as_vector(values), [np.asarray(index) for index in indices]
    if any(each.shape != vector.shape for each in places):
        raise ValueError("values and their indices must have the same length")
    if any(each.size and (each.dtype.kind not in "iu" or each.min() < 0) for each in places):
        raise ValueError("an index must hold whole numbers from 0")
    return vector, [each.astype(np.int64) for each in places]
