"""The last layer of models on fixed features: logistic regression, or ridge for grades."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from metrics.scorers.scorer import Floats
from metrics.styles.labelled import LabelledTexts


def row_products(rows: npt.ArrayLike, weights: npt.ArrayLike) -> Floats:
    """Return the sum of each row's numbers, weighted.

    Unlike `rows @ weights.T`: BLAS takes rows some at a time, and how it adds the numbers of one up
    depends on its place and on the processor, so that equal rows differ in their last digits.

    Parameters
    ----------
    rows : array_like, shape (rows, numbers)
    weights : array_like, shape (functions, numbers)

    Returns
    -------
    ndarray, shape (rows, functions)

    Examples
    --------
    >>> row_products([[1.0, 2.0], [3.0, 4.0]], [[1.0, 10.0]]).tolist()
    [[21.0], [43.0]]
    """
    values = np.ascontiguousarray(rows, dtype=np.float64)
    functions = np.ascontiguousarray(weights, dtype=np.float64)
    products = np.empty((len(values), len(functions)))
    for column, function in enumerate(functions):
        products[:, column] = (values * function).sum(axis=1)
    return products


ITERATIONS = 1000


@dataclass(frozen=True)
class LinearHead:
    """Linear functions of features.

    Attributes
    ----------
    weights : ndarray, shape (functions, features)
        One function for two styles and for grades, else one a style.
    intercepts : ndarray, shape (functions,)
    is_graded
        Whether values are taken as they are, instead of as logits.
    """

    weights: Floats
    intercepts: Floats
    is_graded: bool

    def predict(self, features: Any) -> Floats:
        """Return texts × styles from features, texts × features, dense or sparse."""
        from scipy.sparse import issparse
        from scipy.special import softmax

        if issparse(features):
            products = np.asarray(features @ self.weights.T, dtype=np.float64)
        else:
            products = row_products(features, self.weights)
        values = products + self.intercepts
        if self.is_graded:
            return values
        if values.shape[1] == 1:
            values = np.hstack([np.zeros_like(values), values])
        return np.asarray(softmax(values, axis=1), dtype=np.float64)


def fit_head(features: Any, labelled: LabelledTexts, strength: float) -> LinearHead:
    """Fit a head to features.

    Logistic regression with an L2 penalty (multinomial for more than two styles), or ridge
    regression where the texts are graded.

    Parameters
    ----------
    features : array_like or sparse matrix, shape (texts, features)
    labelled
        The same texts with their styles or grades.
    strength
        How much the texts count against the penalty (scikit-learn's C; of ridge 1/alpha).
    """
    from sklearn.linear_model import LogisticRegression, Ridge

    if labelled.is_graded:
        ridge = Ridge(alpha=1 / strength).fit(features, labelled.targets)
        weights = np.atleast_2d(np.asarray(ridge.coef_, dtype=np.float64))
        return LinearHead(weights, np.atleast_1d(np.float64(ridge.intercept_)), is_graded=True)
    fitted = LogisticRegression(C=strength, max_iter=ITERATIONS).fit(features, labelled.columns)
    return LinearHead(
        np.asarray(fitted.coef_, dtype=np.float64),
        np.asarray(fitted.intercept_, dtype=np.float64),
        is_graded=False,
    )
