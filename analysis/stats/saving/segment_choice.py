"""Which segments to rate so that few ratings tell many systems apart.

After Zouhar, Cui and Sachan (2025), "How to Select Datapoints for Efficient Human Evaluation of
NLG Models?".
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

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
    return np.argsort(-spread(scores), kind="stable")


def by_mean_rank(orders: list[IntArray]) -> IntArray:
    """Return segments in the order of their mean rank in several orders of all of them.

    Examples
    --------
    >>> by_mean_rank([by_variance([[1, 1], [0, 4]]), by_variance([[3, 3], [0, 1]])]).tolist()
    [1, 0]
    """
    ranks = np.zeros(len(orders[0]))
    for each in orders:
        ranks[each] += np.arange(len(ranks))
    return np.argsort(ranks, kind="stable")


def spread(scores: npt.ArrayLike) -> FloatArray:
    """Return the variance of each segment's scores over systems; −1 with fewer than two."""
    table = as_matrix(scores)
    there = np.isfinite(table)
    counts = there.sum(axis=1)
    filled = np.where(there, table, 0.0)
    means = filled.sum(axis=1) / np.maximum(counts, 1)
    squares = (np.where(there, table - means[:, None], 0.0) ** 2).sum(axis=1)
    return np.where(counts > 1, squares / np.maximum(counts, 1), -1.0)
