"""Which segments to rate so that few ratings tell many systems apart.

After Zouhar, Cui and Sachan (2025), "How to Select Datapoints for Efficient Human Evaluation of
NLG Models?".
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from analysis.stats.arrays import FloatArray, IntArray, as_matrix


def by_variance(scores: npt.ArrayLike) -> IntArray:
    """Return segments in the order of the variance of their scores over systems, largest first.

    Parameters
    ----------
    scores : array_like, shape (segments, systems)
        By one metric. NaN where there is none; a segment with fewer than two scores is last.

    Returns
    -------
    ndarray of int, shape (segments,)
        Of equal ones, the earlier first.

    Examples
    --------
    >>> by_variance([[1, 1], [0, 4], [1, 3], [4, 0]]).tolist()
    [1, 3, 2, 0]
    """
    return in_order(variance(scores))


def in_order(worth: FloatArray) -> IntArray:
    """Return segments by what rating them is worth, the most first, those without it last.

    Examples
    --------
    >>> in_order(np.array([0.5, np.nan, 2.0, 0.5])).tolist()
    [2, 0, 3, 1]
    """
    return np.argsort(-np.where(np.isnan(worth), -np.inf, worth), kind="stable")


def mean_rank(worths: Sequence[FloatArray]) -> FloatArray:
    """Return the mean over several orders of the share of segments that a segment exceeds.

    Where one of them says nothing of a segment, it is the last there; ties share their ranks.

    Examples
    --------
    >>> mean_rank([np.array([1.0, 2.0, 3.0]), np.array([5.0, 9.0, np.nan])]).tolist()
    [0.25, 0.75, 0.5]
    """
    shares = [
        (rankdata(np.where(np.isnan(each), -np.inf, each)) - 1) / max(1, len(each) - 1)
        for each in worths
    ]
    found: FloatArray = np.mean(shares, axis=0)
    return found


def variance(scores: npt.ArrayLike) -> FloatArray:
    """Return the variance of each segment's scores over systems; NaN with fewer than two."""
    table = as_matrix(scores)
    there = np.isfinite(table)
    counts = there.sum(axis=1)
    filled = np.where(there, table, 0.0)
    means = filled.sum(axis=1) / np.maximum(counts, 1)
    squares = (np.where(there, table - means[:, None], 0.0) ** 2).sum(axis=1)
    return np.where(counts > 1, squares / np.maximum(counts, 1), np.nan)
