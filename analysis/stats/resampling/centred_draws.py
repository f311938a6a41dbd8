"""Intervals from draws that lie low as a whole: they enclose those of the draws centred.

A mean over drawn segments has the noise of the mean over all segments twice: that of the segments
that there are, and that of the drawing. A statistic over such means that noise pulls down, as the
correlation of system means or the share of system pairs in the right order, is therefore lower in
nearly every draw than in the data. With many systems the spread of the draws is small and
percentile limits lie below the value itself. The same holds for mean ratings over drawn annotators.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from analysis.stats.arrays import FloatArray
from analysis.stats.resampling.bootstrap import Bootstrap, percentile_interval
from analysis.stats.results import Interval

Scale = Literal["plain", "fisher"]
"""On which all draws are moved by as much: as they are, or Fisher's z for Pearson's r."""
CENTRED: dict[str, str] = {"centred": "enclosed"}
"""What such an interval adds to a signature."""
NO_BOUNDS = (-np.inf, np.inf)
NEAREST_TO_ONE = 1 - 1e-15
ROUNDING = 1e-12


def centred_draws(
    draws: FloatArray,
    observed: float,
    *,
    scale: Scale = "plain",
    bounds: tuple[float, float] = NO_BOUNDS,
) -> FloatArray:
    """Add to all draws what their median lacks of the observed value.

    The additive correction of bias (Efron and Tibshirani 1993, chapter 10) with the median in the
    place of the mean, as limits are quantiles.

    Parameters
    ----------
    draws : ndarray
        NaN where degenerate; such a draw stays NaN.
    observed : float
    scale : {"plain", "fisher"}
    bounds : tuple of float
        Moved draws beyond them are set to them.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> centred_draws(np.array([0.6, 0.7, 0.8, np.nan]), 0.75).round(2).tolist()
    [0.65, 0.75, 0.85, nan]
    """
    if not np.isfinite(draws).any():
        return draws
    if scale == "fisher":
        places = np.arctanh(np.clip(draws, -NEAREST_TO_ONE, NEAREST_TO_ONE))
        middle = np.arctanh(np.clip(observed, -NEAREST_TO_ONE, NEAREST_TO_ONE))
        moved = np.tanh(places + (middle - np.nanmedian(places)))
    else:
        moved = np.clip(draws + (observed - np.nanmedian(draws)), *bounds)
    at_observed = np.abs(moved - observed) <= ROUNDING * max(1.0, abs(observed))
    return np.where(at_observed, observed, moved)


def enclosing(one: Interval | None, other: Interval | None) -> Interval | None:
    """Return the interval from the lower of two lower limits to the higher of the upper ones."""
    if one is None or other is None:
        return one or other
    low, high = min(one.low, other.low), max(one.high, other.high)
    return Interval(low, high, one.level, f"{one.method}, enclosing the centred one")


def interval_of_draws(
    draws: FloatArray,
    observed: float,
    bootstrap: Bootstrap,
    over: str,
    *,
    scale: Scale | None = None,
    bounds: tuple[float, float] = NO_BOUNDS,
) -> tuple[Interval | None, dict[str, Any]]:
    """Return the percentile interval of draws, and the numbers of resamples and degenerate draws.

    With a scale the interval encloses that of the draws centred on it as well, and so the observed
    value whatever the draws. Centring alone is too narrow with few systems, where the draws spread
    to the left because they are few, and percentiles alone miss the value with many; in simulations
    the two together cover what studies of as many segments and raters give in 95 to 99 %
    (``docs/statistics/uncertainty.md``).
    """
    interval, degenerate = percentile_interval(draws, bootstrap, over)
    if scale is not None:
        moved = centred_draws(draws, observed, scale=scale, bounds=bounds)
        interval = enclosing(interval, percentile_interval(moved, bootstrap, over)[0])
    return interval, {"resamples": bootstrap.resamples, "degenerate_draws": degenerate}
