"""Scores of which lower is better as similarities between 0 and 1, for plots of trade-offs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, as_vector


def normalised_inverse(values: npt.ArrayLike, among: npt.ArrayLike | None = None) -> FloatArray:
    """Return (max − v) / (max − min): 1 for the lowest of the plotted values, 0 for the highest.

    As word mover's distance is plotted by Mir et al. (2019). The result depends on which values are
    plotted together, so it compares settings within one plot and is no score of a system.

    Parameters
    ----------
    values : array_like, shape (n,)
        NaN where missing.
    among : array_like, optional
        Values whose lowest and highest count, `values` themselves by default. Limits of intervals
        are thus put on the scale of their values; they may lie beyond 0 and 1.

    Returns
    -------
    ndarray, shape (n,)
        NaN where missing, and throughout if all values are equal or there is none.

    Examples
    --------
    >>> normalised_inverse([0.2, 0.6, float("nan"), 0.3]).round(6).tolist()
    [1.0, 0.0, nan, 0.75]
    """
    given = as_vector(values)
    scale = given if among is None else as_vector(among)
    known = scale[np.isfinite(scale)]
    if not known.size or known.min() == known.max():
        return np.full(given.shape, np.nan)
    return np.asarray((known.max() - given) / (known.max() - known.min()), dtype=np.float64)
