"""A metric on the raters' scale: a line that each part of the segments learns from the others."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray

FOLDS = 5


def cross_fitted_line(
    metric: npt.ArrayLike, human: npt.ArrayLike, *, folds: int = FOLDS, seed: int = 0
) -> FloatArray:
    """Put a metric's scores on the scale of human scores.

    The segments are divided at random into parts; what a part's scores mean is learned on the
    others by least squares, so that no score is fitted to the ratings that it is compared with.

    Parameters
    ----------
    metric, human : array_like, shape (segments, systems)
        NaN where there is none.
    folds : int
    seed : int
        Of the division.

    Returns
    -------
    ndarray, shape (segments, systems)
        NaN where there is no metric score, or where the others say nothing: fewer than two cells,
        or one metric score in all of them.

    Raises
    ------
    ValueError
        If shapes differ.

    Examples
    --------
    >>> metric = np.arange(10.0)[:, None]
    >>> bool(np.allclose(cross_fitted_line(metric, 2 * metric + 1), 2 * metric + 1))
    True
    """
    x, y = np.asarray(metric, dtype=np.float64), np.asarray(human, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 2:
        raise ValueError(f"expected two tables of one shape, found {x.shape} and {y.shape}")
    part = np.random.default_rng(seed).permutation(len(x)) % folds
    fitted = np.full(x.shape, np.nan)
    both = np.isfinite(x) & np.isfinite(y)
    for each in range(folds):
        own = part == each
        known = both & ~own[:, None]
        if known.sum() < 2 or np.ptp(x[known]) == 0:
            continue
        x_mean, y_mean = x[known].mean(), y[known].mean()
        apart = x[known] - x_mean
        slope = (apart @ (y[known] - y_mean)) / (apart @ apart)
        fitted[own] = y_mean + slope * (x[own] - x_mean)
    return fitted
