"""Products of rows and weights that do not depend on what other rows there are."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from metrics.scorers.scorer import Floats


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
