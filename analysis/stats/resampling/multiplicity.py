"""p-values of a family of tests, adjusted for their number."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, as_vector


def holm(p_values: npt.ArrayLike) -> FloatArray:
    """Adjust so that the chance of any false rejection in the family is held (Holm 1979).

    Parameters
    ----------
    p_values : array_like, shape (tests,)
        NaN where a test is undefined: it stays NaN and does not count.

    Returns
    -------
    ndarray, shape (tests,)

    Raises
    ------
    ValueError
        If a p-value lies outside [0, 1].

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(6).tolist()
    [0.03, 0.06, 0.06]
    """
    values, known, order = _sorted(p_values)
    factors = np.arange(order.size, 0, -1)
    return _spread(values, known, order, np.maximum.accumulate(values[known][order] * factors))


def benjamini_hochberg(p_values: npt.ArrayLike) -> FloatArray:
    """Adjust so that the expected share of false rejections is held (Benjamini, Hochberg 1995).

    Holds for independent tests and for those that depend positively on each other. Parameters as
    for `holm`.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03]).round(6).tolist()
    [0.03, 0.04, 0.04]
    """
    values, known, order = _sorted(p_values)
    factors = order.size / np.arange(1, order.size + 1)
    stepped = np.minimum.accumulate((values[known][order] * factors)[::-1])[::-1]
    return _spread(values, known, order, stepped)


def _sorted(
    p_values: npt.ArrayLike,
) -> tuple[FloatArray, npt.NDArray[np.bool_], npt.NDArray[np.intp]]:
    values = as_vector(p_values, "p-values")
    known = np.isfinite(values)
    if ((values[known] < 0) | (values[known] > 1)).any():
        raise ValueError("a p-value lies between 0 and 1")
    return values, known, np.argsort(values[known], kind="stable")


def _spread(
    values: FloatArray,
    known: npt.NDArray[np.bool_],
    order: npt.NDArray[np.intp],
    adjusted: FloatArray,
) -> FloatArray:
    in_place = np.empty(order.size)
    in_place[order] = np.minimum(adjusted, 1.0)
    result = np.full(values.shape, np.nan)
    result[known] = in_place
    return result
