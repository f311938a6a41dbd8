"""Means with a metric's help, and how many ratings the metric is worth.

Angelopoulos, Duchi and Zrnic (2023), "PPI++: Efficient Prediction-Powered Inference".
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from analysis.stats.arrays import FloatArray, as_matrix, as_vector
from analysis.stats.resampling.bootstrap import MOST_LEFT_OUT
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import signature

FEWEST_RATED = 2
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class PredictionPowered:
    """A mean of ratings with a metric's help, and the mean of the ratings alone.

    Parameters
    ----------
    powered, classical : Result
        Means with normal intervals.
    weight : float
        λ, how far the metric is relied on; 0 where it says nothing.
    worth : float
        How many times as many ratings a mean without the metric would need to be as sure: the
        ratio of both variances.
    """

    powered: Result
    classical: Result
    weight: float
    worth: float


def prediction_powered_mean(
    ratings: npt.ArrayLike,
    predictions: npt.ArrayLike,
    further: npt.ArrayLike,
    *,
    weight: float | None = None,
    clipped: bool = True,
) -> PredictionPowered:
    """Estimate a mean rating from rated units and from predictions of further units.

    With n ratings y, their predictions f and N further predictions u, the estimate is
    ``mean(y) + λ (mean(u) − mean(f))``, its variance ``var(y − λ f) / n + λ² var(u) / N``.
    λ is tuned to the least variance: ``cov(y, f) / ((1 + n / N) var(f and u))``. The difference of
    two systems is the same of differences by segment. Rated and further units must be drawn alike:
    where the rated ones were chosen for what they are, the mean is not that of all.

    Parameters
    ----------
    ratings, predictions : array_like, shape (n,)
        Of the same units, in the same order.
    further : array_like, shape (N,)
        Predictions of units without ratings.
    weight : float, optional
        λ; by default it is tuned.
    clipped : bool
        Whether a tuned λ is kept between 0 and 1, as for predictions on the scale of the ratings;
        otherwise it is only kept from being negative.

    Returns
    -------
    PredictionPowered

    Raises
    ------
    ValueError
        If ratings and predictions are of different lengths, or a value is not finite.

    Examples
    --------
    >>> found = prediction_powered_mean([1, 2, 3, 4], [1, 2, 3, 4], [2, 3] * 50)
    >>> found.powered.value, found.classical.value, round(found.weight, 2), found.worth > 3
    (2.5, 2.5, 1.0, True)
    """
    y, f, u = as_vector(ratings), as_vector(predictions), as_vector(further)
    if y.size != f.size or not all(np.isfinite(each).all() for each in (y, f, u)):
        raise ValueError("each rating has a prediction, and all are finite numbers")
    n, more = y.size, u.size
    if n < FEWEST_RATED:
        nothing = Undefined("fewer than two units are rated", n, "units")
        return PredictionPowered(nothing, nothing, 0.0, 1.0)
    relied_on = _tuned(y, f, u, clipped=clipped) if weight is None else weight
    relied_on = relied_on if more else 0.0
    spread = float(y.var()) / n
    variance, shift = spread, 0.0
    if more:
        shift = relied_on * float(u.mean() - f.mean())
        variance = float((y - relied_on * f).var()) / n + relied_on**2 * float(u.var()) / more
    tuning = "given" if weight is not None else "clipped" if clipped else "tuned"
    return PredictionPowered(
        powered=_estimate(float(y.mean()) + shift, variance, n, "prediction-powered-mean", tuning),
        classical=_estimate(float(y.mean()), spread, n, "mean", None),
        weight=relied_on,
        worth=spread / variance if variance else 1.0,
    )


def _tuned(
    y: npt.NDArray[np.float64],
    f: npt.NDArray[np.float64],
    u: npt.NDArray[np.float64],
    *,
    clipped: bool,
) -> float:
    if not u.size:
        return 0.0
    spread = float(np.concatenate([f, u]).var(ddof=1))
    if not spread:
        return 0.0
    covariance = float(((y - y.mean()) * (f - f.mean())).mean())
    tuned = covariance / ((1 + y.size / u.size) * spread)
    return min(1.0, max(0.0, tuned)) if clipped else max(0.0, tuned)


def _estimate(value: float, variance: float, n: int, name: str, tuning: str | None) -> Estimate:
    error = math.sqrt(variance)
    reach = float(ndtri((1 + LEVEL) / 2)) * error
    return Estimate(
        value,
        n,
        "segments",
        signature(name, level=LEVEL, weight=tuning),
        interval=Interval(value - reach, value + reach, LEVEL, "normal"),
        details={"standard_error": error},
    )


SUMS = 6
"""What a segment adds: 1, y, f, y², f², y f."""
FEWEST_SEGMENTS = 4


def worth_for_means(human: npt.ArrayLike, metric: npt.ArrayLike) -> Result:
    """Return how many times its number a rating counts where a metric helps to find means.

    With a metric's scores of unlimited outputs, a mean needs ``1 − ρ²`` times the ratings, ρ being
    the correlation over a system's segments, of either sign. The value is the mean of
    ``1 / (1 − ρ²)`` over the systems. Its interval is Tukey's jackknife over segments, less its
    bias, from 1 on: a bootstrap would promise too much, as resampled correlations are further
    from 0.

    Parameters
    ----------
    human, metric : array_like, shape (segments, systems)
        NaN where there is none.

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
    return _worth("worth-for-means", columns, y.shape[0], "systems")


def worth_for_differences(human: npt.ArrayLike, metric: npt.ArrayLike) -> Result:
    """Return how many times its number a rating counts where systems are compared.

    As `worth_for_means`, of the differences of two systems on each segment, and the mean over all
    pairs of systems.
    """
    y, f = _checked(human, metric)
    columns = [
        (y[:, one] - y[:, other], f[:, one] - f[:, other])
        for one, other in combinations(range(y.shape[1]), 2)
    ]
    return _worth("worth-for-differences", columns, y.shape[0], "pairs of systems")


def _checked(human: npt.ArrayLike, metric: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    y, f = as_matrix(human), as_matrix(metric)
    if y.shape != f.shape:
        raise ValueError(f"ratings {y.shape} and scores {f.shape} are of different shapes")
    return y, f


def _worth(
    name: str, columns: list[tuple[FloatArray, FloatArray]], segments: int, over: str
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
        interval=_jackknifed(per_segment, value),
    )


def _jackknifed(per_segment: FloatArray, value: float) -> Interval | None:
    """Return Tukey's interval: no more than `MOST_LEFT_OUT` blocks of segments are left out."""
    blocks = min(len(per_segment), MOST_LEFT_OUT)
    starts = np.arange(blocks) * len(per_segment) // blocks
    left_out = _means(per_segment.sum(axis=0) - np.add.reduceat(per_segment, starts, axis=0))
    if not np.isfinite(left_out).all():
        return None
    centre = blocks * value - (blocks - 1) * float(left_out.mean())
    error = math.sqrt((blocks - 1) * float(left_out.var()))
    reach = float(stdtrit(blocks - 1, (1 + LEVEL) / 2)) * error
    # About a centre without bias, the limits may both be on one side of the estimate.
    low, high = max(1.0, centre - reach), max(value, centre + reach)
    return Interval(min(low, value), high, LEVEL, "jackknife over segments")


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
