"""Distributions of answers scored against those of human raters: Manhattan and Wasserstein."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray
from analysis.stats.resampling.bootstrap import Bootstrap, bootstrap_draws, percentile_interval
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import signature

Distance = Literal["manhattan", "wasserstein"]
DISTANCES: tuple[Distance, ...] = ("manhattan", "wasserstein")


def manhattan(first: npt.ArrayLike, second: npt.ArrayLike) -> FloatArray:
    """Return half the sum of absolute differences of shares, row by row: 0 equal, 1 disjoint.

    Half the Manhattan distance is the total variation distance. It knows no order.

    Examples
    --------
    >>> manhattan([[0.5, 0.5, 0], [1, 0, 0]], [[0.5, 0, 0.5], [0, 0, 1]]).tolist()
    [0.5, 1.0]
    """
    found: FloatArray = np.abs(np.asarray(first) - np.asarray(second)).sum(axis=1) / 2
    return found


def wasserstein(first: npt.ArrayLike, second: npt.ArrayLike, points: npt.ArrayLike) -> FloatArray:
    """Return the Wasserstein-1 distance on an ordered scale as a share of its length, row by row.

    The least mean distance by which one distribution must be moved to become the other: the area
    between the distribution functions. 1 where all of one is at one end, all of the other at the
    other end.

    Parameters
    ----------
    first, second : array_like, shape (items, points)
        Shares that sum to 1.
    points : array_like, shape (points,)
        Rising values of the points.

    Examples
    --------
    >>> wasserstein([[1, 0, 0], [1, 0, 0]], [[0, 1, 0], [0, 0, 1]], [1, 2, 3]).tolist()
    [0.5, 1.0]
    """
    values = np.asarray(points, dtype=np.float64)
    apart = np.cumsum(np.asarray(first) - np.asarray(second), axis=1)[:, :-1]
    found: FloatArray = np.abs(apart) @ np.diff(values) / (values[-1] - values[0])
    return found


def mass_of_numbers(numbers: npt.ArrayLike, points: npt.ArrayLike) -> FloatArray:
    """Return the distribution that a single number stands for: all mass at it.

    Between two points the mass is divided so that its mean is the number; NaN outside the scale.

    Parameters
    ----------
    numbers : array_like, shape (items,)
    points : array_like, shape (points,)

    Returns
    -------
    ndarray, shape (items, points)

    Examples
    --------
    >>> mass_of_numbers([2, 2.25], [1, 2, 3]).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.75, 0.25]]
    """
    given, values = np.asarray(numbers, dtype=np.float64), np.asarray(points, dtype=np.float64)
    inside = (given >= values[0]) & (given <= values[-1])
    filled = np.where(inside, given, values[0])
    right = np.clip(np.searchsorted(values, filled), 1, len(values) - 1)
    share = (filled - values[right - 1]) / (values[right] - values[right - 1])
    found = np.zeros((len(given), len(values)))
    rows = np.arange(len(given))
    found[rows, right - 1] = 1 - share
    found[rows, right] += share
    found[~inside] = np.nan
    return found


def scored_against(
    judged: npt.ArrayLike,
    human: npt.ArrayLike,
    points: npt.ArrayLike | None,
    units: npt.ArrayLike,
    *,
    bootstrap: Bootstrap,
    variant: Mapping[str, str] | None = None,
) -> dict[str, Result]:
    """Return the mean distances of distributions of items from those of human raters.

    Parameters
    ----------
    judged, human : array_like, shape (items, categories)
        Rows of shares; NaN where there is none.
    points : array_like, shape (categories,), or None
        Values of the categories; None where they have no order, then there is no Wasserstein.
    units : array_like of int, shape (items,)
        Segment of each item: segments are resampled.
    bootstrap : Bootstrap
    variant : mapping, optional
        Further parts of the signature.
    """
    q, p = np.asarray(judged, dtype=np.float64), np.asarray(human, dtype=np.float64)
    known = np.isfinite(q).all(axis=1) & np.isfinite(p).all(axis=1)
    found: dict[str, Result] = {}
    for name in DISTANCES:
        signed = signature(
            name, normalised=True, **(variant or {}), **bootstrap.variant("segments")
        )
        if name == "wasserstein" and points is None:
            reason = "the answers are choices, which have no order"
            found[name] = Undefined(reason, int(known.sum()), "items", signed)
            continue
        if not known.any():
            found[name] = Undefined("no item has both distributions", 0, "items", signed)
            continue
        distances = manhattan(q[known], p[known])
        if name == "wasserstein" and points is not None:
            distances = wasserstein(q[known], p[known], points)
        found[name] = _mean(distances, np.asarray(units)[known], bootstrap, signed, len(p))
    return found


def _mean(
    values: FloatArray,
    units: npt.NDArray[np.int64],
    bootstrap: Bootstrap,
    signed: str,
    items: int,
) -> Result:
    _, place = np.unique(units, return_inverse=True)
    sums, counts = np.bincount(place, values), np.bincount(place)
    interval = None
    if bootstrap and len(sums) > 1:
        draws = bootstrap_draws(
            np.ones(len(sums)), lambda drawn: (drawn @ sums) / (drawn @ counts), bootstrap
        )
        interval, _ = percentile_interval(draws, bootstrap, "segments")
    details = {"left_out": items - len(values)}
    return Estimate(
        float(values.mean()), len(values), "items", signed, interval=interval, details=details
    )
