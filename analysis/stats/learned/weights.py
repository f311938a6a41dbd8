"""Non-negative weights of metrics from sums of their products with human scores."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg import cho_factor, solve_triangular
from scipy.optimize import nnls

from analysis.stats.arrays import BoolArray, FloatArray, IntArray
from analysis.stats.correlation.pearson import r_of_sums

PENALTIES = (0.001, 0.01, 0.1, 1.0, 10.0)
"""What may be added to the variance 1 of each standardised metric; the larger, the more alike the
weights of metrics that correlate with human scores equally."""
SEGMENTS_AT_ONCE = 2_000


def products(
    standardised: FloatArray, human: FloatArray, common: BoolArray
) -> Iterator[tuple[int, FloatArray]]:
    """Yield sums of products of 1, every metric and the human score, of each segment and system.

    Parameters
    ----------
    standardised : ndarray, shape (metrics, segments, systems)
    human : ndarray, shape (segments, systems)
    common : ndarray of bool, shape (segments, systems)
        Cells that count.

    Yields
    ------
    start : int
        First segment of a part.
    ndarray, shape (segments of the part, systems, metrics + 2)
        Rows of what is multiplied; zeros where a cell does not count.
    """
    for start in range(0, len(human), SEGMENTS_AT_ONCE):
        part = slice(start, start + SEGMENTS_AT_ONCE)
        rows = np.concatenate(
            [np.ones((1, *human[part].shape)), standardised[:, part], human[None, part]]
        ).transpose(1, 2, 0)
        yield start, np.where(common[part][:, :, None], rows, 0.0)


def block_sums(
    standardised: FloatArray,
    human: FloatArray,
    common: BoolArray,
    segment_fold: IntArray,
    system_fold: IntArray,
    folds: tuple[int, int] | None = None,
) -> FloatArray:
    """Return the sums of products of each block: segment folds × system folds × p × p."""
    segments, systems = folds or (int(segment_fold.max()) + 1, int(system_fold.max()) + 1)
    size = len(standardised) + 2
    sums = np.zeros((segments, systems, size, size))
    for start, rows in products(standardised, human, common):
        part = segment_fold[start : start + len(rows)]
        for own in np.unique(part):
            for column in range(systems):
                cells = rows[part == own][:, system_fold == column].reshape(-1, size)
                sums[own, column] += cells.T @ cells
    return sums


def fitted_weights(sums: FloatArray, penalty: float) -> FloatArray:
    """Return non-negative weights, as shares, by penalised least squares on human scores.

    Minimises the mean square of human score minus intercept minus Σ w z, plus `penalty` × Σ w²,
    with w ≥ 0. All 0 where no metric correlates positively with human scores.

    Parameters
    ----------
    sums : ndarray, shape (p, p)
        Of products of 1, the metrics and the human score.
    penalty : float
        Above 0.

    Returns
    -------
    ndarray, shape (metrics,)
        Summing to 1, or all 0.
    """
    n = sums[0, 0]
    found = np.zeros(len(sums) - 2)
    if n < 2:
        return found
    means = sums[0] / n
    covariance = sums / n - np.outer(means, means)
    between, human = covariance[1:-1, 1:-1], covariance[1:-1, -1]
    lower, _ = cho_factor(between + penalty * np.eye(len(between)), lower=True)
    lower = np.tril(lower)
    weights, _ = nnls(lower.T, solve_triangular(lower, human, lower=True))
    total = weights.sum()
    return weights / total if total > 0 else found


def shares_or_equal(weights: FloatArray) -> FloatArray:
    """Return weights, or equal ones where all are 0: what was learned says nothing there."""
    return weights if weights.any() else np.full(len(weights), 1 / len(weights))


def correlation_of(sums: FloatArray, weights: FloatArray) -> FloatArray:
    """Return count, Σx, Σy, Σx², Σy², Σxy of the weighted score and the human score."""
    inner, human = sums[1:-1, 1:-1], sums[1:-1, -1]
    return np.array(
        [
            sums[0, 0],
            weights @ sums[0, 1:-1],
            sums[0, -1],
            weights @ inner @ weights,
            sums[-1, -1],
            weights @ human,
        ]
    )


def single_correlations(sums: FloatArray) -> FloatArray:
    """Return Pearson's r of every metric with the human score; NaN where a side does not vary."""
    metrics = len(sums) - 2
    each = np.eye(metrics)
    return np.asarray(r_of_sums(np.array([correlation_of(sums, row) for row in each])))
