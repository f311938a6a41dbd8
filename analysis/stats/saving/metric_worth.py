"""How many ratings a metric is worth: for means of systems, and for differences of two."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from analysis.stats.arrays import FloatArray, as_matrix
from analysis.stats.resampling.bootstrap import MOST_LEFT_OUT
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import signature

SUMS = 6
"""What a segment adds: 1, y, f, y², f², y f."""
FEWEST_SEGMENTS = 4


def worth_for_means(human: npt.ArrayLike, metric: npt.ArrayLike, *, level: float = 0.95) -> Result:
    """Return how many times its number a rating counts where a metric helps to find means.

    With a metric's scores of unlimited outputs, a mean needs ``1 − ρ²`` times the ratings, ρ being
    the correlation over a system's segments, of either sign. The value is the mean of
    ``1 / (1 − ρ²)`` over the systems.

    Parameters
    ----------
    human, metric : array_like, shape (segments, systems)
        NaN where there is none.
    level : float
        Coverage of the interval: Tukey's jackknife over segments, less its bias, from 1 on. A
        bootstrap would promise too much: resampled correlations are further from 0.

    Returns
    -------
    Result

    Raises
    ------
    ValueError
        If shapes differ.

    Examples
    --------
    >>> human = [[1, 2], [2, 1], [3, 4], [4, 3], [5, 5]]
    >>> metric = [[1, 1], [3, 2], [2, 3], [5, 4], [4, 5]]
    >>> round(worth_for_means(human, metric).value, 3)
    2.778
    """
    y, f = _checked(human, metric)
    columns = [(y[:, place], f[:, place]) for place in range(y.shape[1])]
    return _worth("worth-for-means", columns, y.shape[0], "systems", level)


def worth_for_differences(
    human: npt.ArrayLike, metric: npt.ArrayLike, *, level: float = 0.95
) -> Result:
    """Return how many times its number a rating counts where systems are compared.

    As `worth_for_means`, of the differences of two systems on each segment, and the mean over all
    pairs of systems.
    """
    y, f = _checked(human, metric)
    columns = [
        (y[:, one] - y[:, other], f[:, one] - f[:, other])
        for one, other in combinations(range(y.shape[1]), 2)
    ]
    return _worth("worth-for-differences", columns, y.shape[0], "pairs of systems", level)


def _checked(human: npt.ArrayLike, metric: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    y, f = as_matrix(human), as_matrix(metric)
    if y.shape != f.shape:
        raise ValueError(f"ratings {y.shape} and scores {f.shape} are of different shapes")
    return y, f


def _worth(
    name: str,
    columns: list[tuple[FloatArray, FloatArray]],
    segments: int,
    over: str,
    level: float,
) -> Result:
    per_segment = np.concatenate([*_sums(columns), np.empty((segments, 0))], axis=1)
    filled = per_segment.any(axis=1)
    per_segment = per_segment[filled]
    value = float(_means(per_segment.sum(axis=0)[None])[0])
    if not np.isfinite(value):
        reason = f"no two {over} have {FEWEST_SEGMENTS} segments with ratings and scores"
        return Undefined(reason, int(filled.sum()), "segments", signature(name, mean=over))
    return Estimate(
        value,
        len(per_segment),
        "segments",
        signature(name, mean=over),
        interval=_jackknifed(per_segment, value, level),
    )


def _jackknifed(per_segment: FloatArray, value: float, level: float) -> Interval | None:
    """Return Tukey's interval: no more than `MOST_LEFT_OUT` blocks of segments are left out."""
    blocks = min(len(per_segment), MOST_LEFT_OUT)
    starts = np.arange(blocks) * len(per_segment) // blocks
    left_out = _means(per_segment.sum(axis=0) - np.add.reduceat(per_segment, starts, axis=0))
    if not np.isfinite(left_out).all():
        return None
    centre = blocks * value - (blocks - 1) * float(left_out.mean())
    error = math.sqrt((blocks - 1) * float(left_out.var()))
    reach = float(stdtrit(blocks - 1, (1 + level) / 2)) * error
    # About a centre without bias, the limits may both be on one side of the estimate.
    low, high = max(1.0, centre - reach), max(value, centre + reach)
    return Interval(min(low, value), high, level, "jackknife over segments")


def _sums(columns: list[tuple[FloatArray, FloatArray]]) -> Iterator[FloatArray]:
    """Yield what each segment adds to each column's correlation, of values about their means."""
    for y, f in columns:
        both = np.isfinite(y) & np.isfinite(f)
        if both.sum() < FEWEST_SEGMENTS:
            continue
        here, there = (np.where(both, each - each[both].mean(), 0.0) for each in (y, f))
        yield np.stack([both, here, there, here**2, there**2, here * there], axis=1)


def _means(sums: FloatArray) -> FloatArray:
    """Return the mean worth of each row of sums."""
    if not sums.size:
        return np.full(len(sums), np.nan)
    n, y, f, yy, ff, yf = np.moveaxis(sums.reshape(len(sums), -1, SUMS), -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        covariance = n * yf - y * f
        squared = covariance**2 / ((n * yy - y**2) * (n * ff - f**2))
    # Where nothing varies the metric explains nothing.
    explained = np.where(np.isfinite(squared), squared, 0.0)
    with np.errstate(divide="ignore"):
        worth: FloatArray = (1 / (1 - np.minimum(explained, 1.0))).mean(axis=1)
    return worth
