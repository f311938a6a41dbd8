"""p-values of a family of tests, adjusted for their number."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import scipy

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
    # Imported where it is needed: it takes longer than most pages.
    from statsmodels.stats.multitest import multipletests

    return _of_known(p_values, lambda known: multipletests(known, method="holm")[1])


def benjamini_hochberg(p_values: npt.ArrayLike) -> FloatArray:
    """Adjust so that the expected share of false rejections is held (Benjamini, Hochberg 1995).

    Holds for independent tests and for those that depend positively on each other. Parameters as
    for `holm`.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03]).round(6).tolist()
    [0.03, 0.04, 0.04]
    """
    return _of_known(p_values, scipy.stats.false_discovery_control)


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
    return np.asarray(scipy.stats.false_discovery_control(p_values, axis=-1, method="by"))


def _of_known(p_values: npt.ArrayLike, adjust: Callable[[FloatArray], FloatArray]) -> FloatArray:
    values = as_vector(p_values, "p-values")
    known = np.isfinite(values)
    if ((values[known] < 0) | (values[known] > 1)).any():
        raise ValueError("a p-value lies between 0 and 1")
    adjusted = np.full(values.shape, np.nan)
    if known.any():
        adjusted[known] = adjust(values[known])
    return adjusted
