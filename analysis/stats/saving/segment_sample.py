"""A sample of segments with known probabilities, and means weighted by them.

Sampling with probability proportional to size without replacement, by a systematic sample of
segments in random order: Madow (1949), Hartley and Rao (1962). Allocation to strata: Cochran
(1977), chapter 5.

Horvitz and Thompson (1952); Hájek (1971). Variance by Hájek's approximation (1964), which needs no
joint probabilities: Deville (1999), "Variance estimation for complex statistics and estimators".
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from analysis.stats.arrays import FloatArray, IntArray, as_vector
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.saving.segment_choice import in_order
from analysis.stats.signature import signature

Way = Literal["probability", "top"]
Allocation = Literal["proportional", "equal"]
WAYS: tuple[Way, ...] = get_args(Way)
ALLOCATIONS: tuple[Allocation, ...] = get_args(Allocation)
FLOOR = 0.25
"""The share of its size that every segment has for nothing: no weight exceeds the mean fourfold."""


@dataclass(frozen=True)
class StratumOfSample:
    """How many segments a stratum has, and how many of them were chosen."""

    name: Hashable
    segments: int
    chosen: int


@dataclass(frozen=True)
class SegmentSample:
    """Chosen segments.

    Parameters
    ----------
    chosen : ndarray of int
        In the order of all segments.
    inclusion : ndarray of float or None
        The probability with which each was to be chosen; None where the best were taken.
    strata : tuple of StratumOfSample
        In order of appearance.
    """

    chosen: IntArray
    inclusion: FloatArray | None
    strata: tuple[StratumOfSample, ...]


def choose_segments(
    worth: FloatArray,
    count: int,
    *,
    way: Way = "probability",
    strata: Sequence[Hashable] | None = None,
    allocation: Allocation = "proportional",
    seed: int = 0,
) -> SegmentSample:
    """Choose segments that are worth most, in each stratum as many as it is due.

    Parameters
    ----------
    worth : ndarray, shape (segments,)
        What rating a segment is worth, not negative, NaN where it is not known. By probability a
        segment's chance is in proportion to it, with a floor of `FLOOR` of the mean; a standard
        deviation is the size to take.
    count : int
        Of segments.
    way : {"probability", "top"}
        At random with known probabilities, or those that are worth most: then nothing is said of
        the others.
    strata : sequence of hashable, optional
        The stratum of each segment.
    allocation : {"proportional", "equal"}
        How many each stratum gets; at least one.
    seed : int

    Returns
    -------
    SegmentSample

    Raises
    ------
    ValueError
        If there are fewer segments than are wanted, or more strata.

    Examples
    --------
    >>> worth = np.array([3.0, 1.0, 2.0, 5.0])
    >>> choose_segments(worth, 2, way="top").chosen.tolist()
    [0, 3]
    >>> choose_segments(worth, 2, way="top", strata=["a", "b", "b", "a"]).chosen.tolist()
    [2, 3]
    >>> choose_segments(worth, 4).inclusion.tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    if not 0 < count <= len(worth):
        raise ValueError(f"{count} segments are wanted of {len(worth)}")
    names = [None] * len(worth) if strata is None else list(strata)
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    of_segment = np.array([numbers[name] for name in names], dtype=np.int64)
    sizes = np.bincount(of_segment)
    counts = allocated(sizes, count, allocation)
    generator = np.random.default_rng(seed)
    chances = np.zeros(len(worth))
    chosen = []
    by_stratum = np.split(np.argsort(of_segment, kind="stable"), np.cumsum(sizes)[:-1])
    for places, due in zip(by_stratum, counts.tolist(), strict=True):
        if way == "top":
            chosen.append(places[in_order(worth[places])[:due]])
            continue
        chances[places] = inclusion_probabilities(_sizes(worth[places]), due)
        order = generator.permutation(len(places))
        taken = systematic_sample(chances[places][order], generator.random())
        chosen.append(places[order[taken]])
    found = np.sort(np.concatenate(chosen))
    return SegmentSample(
        found,
        None if way == "top" else chances[found],
        tuple(map(StratumOfSample, numbers, sizes.tolist(), counts.tolist())),
    )


def allocated(sizes: IntArray, count: int, allocation: Allocation) -> IntArray:
    """Share a sample out over strata: at least one to each, and no more than it has.

    Raises
    ------
    ValueError
        If there are more strata than segments are wanted.

    Examples
    --------
    >>> allocated(np.array([80, 15, 5]), 10, "proportional").tolist()
    [8, 1, 1]
    >>> allocated(np.array([80, 15, 2]), 12, "equal").tolist()
    [5, 5, 2]
    """
    if count < len(sizes):
        raise ValueError(f"{count} segments cannot be of {len(sizes)} strata: choose more segments")
    due = np.ones(len(sizes), dtype=np.int64)
    exact = sizes * count / sizes.sum() if allocation == "proportional" else None
    for _ in range(count - len(sizes)):
        # The stratum that lacks most of its share, the first of equal ones; full ones get no more.
        lacking = -due.astype(np.float64) if exact is None else exact - due
        due[np.argmax(np.where(due < sizes, lacking, -np.inf))] += 1
    return due


def inclusion_probabilities(sizes: FloatArray, count: int) -> FloatArray:
    """Return probabilities in proportion to sizes that sum to `count`, none above 1.

    Examples
    --------
    >>> inclusion_probabilities(np.array([6.0, 1.0, 1.0, 2.0]), 2).tolist()
    [1.0, 0.25, 0.25, 0.5]
    """
    certain = np.zeros(len(sizes), dtype=bool)
    while True:
        left = count - int(certain.sum())
        rest = sizes[~certain].sum()
        chances = np.where(certain, 1.0, left * sizes / rest if rest else 0.0)
        above = (chances >= 1.0) & ~certain
        if not above.any():
            return chances
        certain |= above


def systematic_sample(inclusion: FloatArray, start: float) -> IntArray:
    """Return the segments on whose stretches a comb with teeth one apart falls.

    Parameters
    ----------
    inclusion : ndarray
        Probabilities, in the order in which they are laid end to end.
    start : float
        From 0 to 1, the first tooth.

    Examples
    --------
    >>> systematic_sample(np.array([0.5, 0.5, 1.0]), 0.6).tolist()
    [1, 2]
    """
    ends = np.cumsum(inclusion)
    # Sums of fractions miss the whole number that they stand for by their rounding.
    ends[-1] = round(ends[-1])
    teeth = start + np.arange(int(ends[-1]))
    return np.searchsorted(ends, teeth, side="right")


def _sizes(worth: FloatArray) -> FloatArray:
    known = np.where(np.isnan(worth), 0.0, worth)
    mean = known.mean()
    return FLOOR + (1 - FLOOR) * (known / mean if mean else np.ones(len(known)))


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
