"""Non-negative weights of metrics, fitted without some folds of segments and systems."""

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement, product

import numpy as np
import numpy.typing as npt
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


class NestedFits:
    """Fits to everything but some folds, each done once for each penalty."""

    def __init__(self, sums: FloatArray) -> None:
        self.sums = sums
        self.rows, self.columns = sums.shape[:2]
        pairs = [
            set(combinations_with_replacement(range(many), 2)) for many in (self.rows, self.columns)
        ]
        self._training = {out: self._without(*out) for out in product(*pairs)}
        self._weights = {
            (out, penalty): fitted_weights(training, penalty)
            for out, training in self._training.items()
            for penalty in PENALTIES
        }

    def _without(self, rows: tuple[int, int], columns: tuple[int, int]) -> FloatArray:
        kept_rows = [each for each in range(self.rows) if each not in rows]
        kept_columns = [each for each in range(self.columns) if each not in columns]
        found: FloatArray = self.sums[np.ix_(kept_rows, kept_columns)].sum(axis=(0, 1))
        return found

    def weights(self, block: tuple[int, int], inner: tuple[int, int], penalty: float) -> FloatArray:
        """Return the weights fitted without a block's folds and those of an inner block."""
        out = tuple(tuple(sorted(each)) for each in zip(block, inner, strict=True))
        return self._weights[out, penalty]  # type: ignore[index]

    def nested(self) -> tuple[FloatArray, float]:
        """Return each block's weights, by a penalty chosen inside, and the full fit's penalty."""
        found = np.zeros((self.rows, self.columns, self.sums.shape[2] - 2))
        blocks = list(product(range(self.rows), range(self.columns)))
        for block in blocks:
            inner = [each for each in blocks if each[0] != block[0] and each[1] != block[1]]
            penalty = self._chosen({each: (block, each) for each in inner})
            found[block] = self.weights(block, block, penalty)
        return found, self._chosen({each: (each, each) for each in blocks})

    def _chosen(
        self, tests: Mapping[tuple[int, int], tuple[tuple[int, int], tuple[int, int]]]
    ) -> float:
        """Return the penalty whose weights correlate best on blocks outside of their fit."""
        found = []
        for penalty in PENALTIES:
            parts = [
                correlation_of(self.sums[test], shares_or_equal(self.weights(*out, penalty)))
                for test, out in tests.items()
            ]
            found.append(float(r_of_sums(np.sum(parts, axis=0))))
        # The larger one, where none is better.
        best = max(
            range(len(PENALTIES)), key=lambda each: (np.nan_to_num(found[each], nan=-2), each)
        )
        return PENALTIES[best]

    def best_single(self) -> npt.NDArray[np.int64]:
        """Return the metric that correlates best with human scores in what each block may know."""
        found = np.zeros((self.rows, self.columns), dtype=np.int64)
        for row, column in np.ndindex(found.shape):
            r = single_correlations(self._training[(row, row), (column, column)])
            found[row, column] = int(np.nan_to_num(r, nan=-2).argmax())
        return found
