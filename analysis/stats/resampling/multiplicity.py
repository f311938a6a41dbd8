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


def benjamini_yekutieli(p_values: npt.ArrayLike) -> FloatArray:
    """Adjust so that the expected share of false rejections is held, however tests depend.

    Benjamini and Yekutieli (2001).

    Parameters
    ----------
    p_values : array_like, shape (..., tests)
        Families of tests along the last axis; none may be missing.

    Returns
    -------
    ndarray, shape (..., tests)

    Examples
    --------
    >>> benjamini_yekutieli([0.01, 0.04, 0.03]).round(6).tolist()
    [0.055, 0.073333, 0.073333]
    """
    values = np.asarray(p_values, dtype=np.float64)
    ranks = np.arange(1, values.shape[-1] + 1)
    order = np.argsort(values, axis=-1, kind="stable")
    factors = values.shape[-1] * (1 / ranks).sum() / ranks
    stepped = (np.take_along_axis(values, order, axis=-1) * factors)[..., ::-1]
    in_order = np.minimum(np.minimum.accumulate(stepped, axis=-1)[..., ::-1], 1.0)
    adjusted = np.empty_like(values)
    np.put_along_axis(adjusted, order, in_order, axis=-1)
    return adjusted


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
