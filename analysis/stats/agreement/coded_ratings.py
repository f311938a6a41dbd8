"""Ratings as categories: packed to the left and coded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, IntArray, as_matrix, as_vector

Weights = Literal["unweighted", "linear", "quadratic"]


@dataclass(frozen=True, slots=True)
class CodedRatings:
    """Ratings of units without regard to who gave them.

    Parameters
    ----------
    values : ndarray, shape (units, most ratings of a unit)
        Ratings in file order, NaN after the last one.
    codes : ndarray of int, same shape
        Position of each value in `categories`, -1 where missing.
    counts : ndarray of int, shape (units,)
    categories : ndarray, ascending
    """

    values: FloatArray
    codes: IntArray
    counts: IntArray
    categories: FloatArray

    @property
    def pairs(self) -> int:
        """Number of pairs of ratings of one unit."""
        return int((self.counts * (self.counts - 1) // 2).sum())


def code_ratings(ratings: npt.ArrayLike, categories: npt.ArrayLike | None = None) -> CodedRatings:
    """Pack and code a units × raters matrix; units without a rating are left out.

    Raises
    ------
    ValueError
        If a rating is not among the given `categories`.
    """
    matrix = as_matrix(ratings)
    matrix = matrix[np.isfinite(matrix).any(axis=1)] if matrix.size else np.empty((0, 0))
    missing = np.isnan(matrix)
    order = np.argsort(missing, axis=1, kind="stable")
    counts = np.asarray((~missing).sum(axis=1), dtype=np.int64)
    values = np.take_along_axis(matrix, order, axis=1)[:, : int(counts.max(initial=0))]
    present = np.isfinite(values)
    observed = np.unique(values[present])
    domain = observed if categories is None else np.unique(as_vector(categories, "categories"))
    if not np.isin(observed, domain).all():
        raise ValueError("a rating is not among the categories")
    codes = np.full(values.shape, -1, dtype=np.int64)
    codes[present] = np.searchsorted(domain, values[present])
    return CodedRatings(values, codes, counts, domain)


def category_shares(coded: CodedRatings) -> FloatArray:
    """Return the mean over units of each unit's shares of the categories (Gwet 2014).

    As `WeightedRatings.category_shares` with weights of one, but faster: the codes are known.
    """
    present = coded.codes >= 0
    shares = np.broadcast_to((1 / np.maximum(coded.counts, 1))[:, None], coded.codes.shape)
    total = np.bincount(
        coded.codes[present], weights=shares[present], minlength=coded.categories.size
    )
    return np.asarray(total / max(1, coded.counts.size), dtype=np.float64)


def mean_over_ratings(coded: CodedRatings, per_category: FloatArray) -> FloatArray:
    """Return per unit the mean of a quantity that depends on the category of each rating."""
    looked_up = np.where(coded.codes >= 0, per_category[np.maximum(coded.codes, 0)], 0.0)
    return np.asarray(looked_up.sum(axis=1) / np.maximum(coded.counts, 1), dtype=np.float64)


def agreement_weight(
    left: FloatArray, right: FloatArray, weights: Weights, categories: FloatArray
) -> FloatArray:
    """Return how far two categories agree, from 1 (same) to 0 (the ends of the scale).

    Linear: 1 − |a − b| / range; quadratic: 1 − (a − b)² / range², on the category values.

    Raises
    ------
    ValueError
        If `weights` is not one of "unweighted", "linear", "quadratic".
    """
    if weights == "unweighted":
        return np.asarray(left == right, dtype=np.float64)
    if weights not in ("linear", "quadratic"):
        raise ValueError(f"unknown weights: {weights}")
    span = float(categories[-1] - categories[0]) if categories.size > 1 else 1.0
    distance = np.abs(left - right) / span
    return 1 - (distance if weights == "linear" else distance**2)
