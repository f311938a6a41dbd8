"""Prediction-powered means: ratings of some outputs, and a metric's scores of many more.

Angelopoulos, Duchi and Zrnic (2023), "PPI++: Efficient Prediction-Powered Inference".
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from analysis.stats.arrays import as_vector
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import signature

FEWEST_RATED = 2


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
    level: float = 0.95,
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
    level : float
        Coverage of the interval.
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
        powered=_estimate(
            float(y.mean()) + shift, variance, n, level, "prediction-powered-mean", tuning
        ),
        classical=_estimate(float(y.mean()), spread, n, level, "mean", None),
        weight=relied_on,
        worth=spread / variance if variance else 1.0,
    )


def worth_of_ratings(correlation: float, rated: int, further: float = math.inf) -> float:
    """Return how many ratings one rating is worth with a metric's help: effective n, divided by n.

    The best that a tuned λ of either sign reaches: ``1 / (1 − ρ² N / (n + N))``.

    Parameters
    ----------
    correlation : float
        ρ of ratings and metric, over units.
    rated, further : float
        n and N; without a limit to the further units, ``1 / (1 − ρ²)``.

    Examples
    --------
    >>> worth_of_ratings(0.5, 100), round(worth_of_ratings(0.5, 100, 100), 3)
    (1.3333333333333333, 1.143)
    """
    share = 1.0 if math.isinf(further) else further / (rated + further)
    unexplained = 1 - correlation**2 * share
    return 1 / unexplained if unexplained > 0 else math.inf


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


def _estimate(
    value: float, variance: float, n: int, level: float, name: str, tuning: str | None
) -> Estimate:
    error = math.sqrt(variance)
    reach = float(ndtri((1 + level) / 2)) * error
    return Estimate(
        value,
        n,
        "segments",
        signature(name, level=level, weight=tuning),
        interval=Interval(value - reach, value + reach, level, "normal"),
        details={"standard_error": error},
    )
