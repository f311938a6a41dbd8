"""Means over all segments, of ratings of segments that were chosen with known probabilities.

Horvitz and Thompson (1952); Hájek (1971). Variance by Hájek's approximation (1964), which needs no
joint probabilities: Deville (1999), "Variance estimation for complex statistics and estimators".
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from analysis.stats.arrays import FloatArray, IntArray, as_vector
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import signature

Estimator = Literal["hajek", "horvitz-thompson"]
FEWEST_IN_STRATUM = 2


def weighted_mean(
    values: npt.ArrayLike,
    inclusion: npt.ArrayLike,
    *,
    strata: Sequence[Hashable] | None = None,
    estimator: Estimator = "hajek",
    population: int | None = None,
    level: float = 0.95,
) -> Result:
    """Estimate the mean over all segments that were chosen from.

    Each value weighs 1 / π, π being its segment's probability of being chosen. Hájek's estimate
    divides by the sum of the weights, that of Horvitz and Thompson by the number of all segments.
    The interval is by t, with the finite population's correction; strata in which one segment was
    chosen are taken together.

    Parameters
    ----------
    values : array_like, shape (chosen,)
        NaN where a chosen segment has none: it is left out.
    inclusion : array_like, shape (chosen,)
    strata : sequence of hashable, optional
    estimator : {"hajek", "horvitz-thompson"}
    population : int, optional
        How many segments there are, for Horvitz and Thompson.
    level : float

    Returns
    -------
    Result

    Raises
    ------
    ValueError
        If a probability is not above 0 and up to 1, lengths differ, or the population is lacking.

    Examples
    --------
    >>> found = weighted_mean([2.0, 4.0, 8.0], [0.25, 0.5, 0.5])
    >>> round(found.value, 2), found.n
    (4.0, 3)
    """
    y, chances = as_vector(values), as_vector(inclusion, "inclusion")
    if y.size != chances.size or not ((chances > 0) & (chances <= 1)).all():
        raise ValueError("each value has a probability of being chosen, above 0 and up to 1")
    if estimator == "horvitz-thompson" and population is None:
        raise ValueError("the estimate of Horvitz and Thompson needs the number of all segments")
    rated = np.isfinite(y)
    y, chances = y[rated], chances[rated]
    name = signature("weighted-mean", estimator=estimator, strata=strata is not None, level=level)
    if y.size < FEWEST_IN_STRATUM:
        return Undefined("fewer than two chosen segments are rated", y.size, "segments", name)
    places: list[Hashable] = [None] * y.size
    if strata is not None:
        places = [each for each, there in zip(strata, rated.tolist(), strict=True) if there]
    weights = 1 / chances
    total = float(weights.sum()) if estimator == "hajek" else float(population or 0)
    mean = float(weights @ y) / total
    about = mean if estimator == "hajek" else 0.0
    groups = _collapsed(places)
    error = math.sqrt(_variance((y - about) * weights / total, chances, groups))
    freedom = y.size - int(groups.max()) - 1
    reach = float(stdtrit(freedom, (1 + level) / 2)) * error
    return Estimate(
        mean,
        int(y.size),
        "segments",
        name,
        interval=Interval(mean - reach, mean + reach, level, "t, weighted by inclusion"),
        details={"standard_error": error, "segments_estimated": float(weights.sum())},
    )


def _variance(parts: FloatArray, chances: FloatArray, groups: IntArray) -> float:
    """Return Hájek's variance of a sum of weighted parts; what is certain adds nothing."""
    counts = np.bincount(groups)
    scale = (1 - chances) * (counts / np.maximum(counts - 1, 1))[groups]
    sums = np.bincount(groups, scale)
    middle = np.bincount(groups, scale * parts)
    middle = np.divide(middle, sums, out=np.zeros(len(sums)), where=sums > 0)
    return float((scale * (parts - middle[groups]) ** 2).sum())


def _collapsed(strata: Sequence[Hashable]) -> IntArray:
    """Number strata from 0; those with one segment are one, with the next if alone."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(strata))}
    groups = np.array([numbers[name] for name in strata], dtype=np.int64)
    few = np.bincount(groups) < FEWEST_IN_STRATUM
    groups[few[groups]] = len(numbers)
    _, groups = np.unique(groups, return_inverse=True)
    counts = np.bincount(groups)
    if len(counts) > 1 and counts[-1] < FEWEST_IN_STRATUM:
        groups[groups == len(counts) - 1] = len(counts) - 2
    return groups
