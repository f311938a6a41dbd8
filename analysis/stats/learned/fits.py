"""Weights fitted without some folds of segments and systems, and the penalties chosen inside."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement, product

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray
from analysis.stats.correlation.pearson import r_of_sums
from analysis.stats.learned.weights import (
    PENALTIES,
    correlation_of,
    fitted_weights,
    shares_or_equal,
    single_correlations,
)


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
