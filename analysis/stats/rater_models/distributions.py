"""How answers and metrics fit groups of raters: distances of distributions, and correlations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray
from analysis.stats.correlation.pearson import r_of_sums, row_sums
from analysis.stats.resampling.bootstrap import (
    Bootstrap,
    interval_of_ratio,
    multiplicities,
    percentile_interval,
)
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
    interval, _ = interval_of_ratio(values, np.ones(len(values)), units, bootstrap)
    details = {"left_out": items - len(values)}
    return Estimate(
        float(values.mean()), len(values), "items", signed, interval=interval, details=details
    )


FEWEST_OUTPUTS = 3


@dataclass(frozen=True)
class Represented:
    """A metric's mean r with one group of raters, and how far it exceeds that with others."""

    correlation: Result
    difference: Result


def represented(
    metric: npt.ArrayLike,
    ratings: npt.ArrayLike,
    groups: Mapping[str, Sequence[int]],
    *,
    bootstrap: Bootstrap,
    variant: Mapping[str, str] | None = None,
) -> dict[str, Represented]:
    """Correlate a metric with each rater by the rater's own answers, and average over groups.

    A group's value is the mean over its raters of Pearson's r of metric and rater, each over the
    outputs that the rater rated. It does not grow with the size of the group, as r with the mean of
    its ratings would. The difference is that from the mean over all other raters.

    Parameters
    ----------
    metric : array_like, shape (segments, systems) or (raters, segments, systems)
        Oriented; NaN where missing. With a first axis, what each rater is compared with, such as
        the mean of the other raters.
    ratings : array_like, shape (raters, segments, systems)
        NaN where a rater rated nothing.
    groups : mapping
        Name of a group to places of its raters.
    bootstrap : Bootstrap
        Over segments, the same draws for all raters.
    variant : mapping, optional
        Further parts of the signature.

    Returns
    -------
    dict
        One for each group. A rater with fewer than three outputs, or where a side does not vary,
        is left out of means and counted.
    """
    raters = np.asarray(ratings, dtype=np.float64)
    given = np.asarray(metric, dtype=np.float64)
    beside = np.broadcast_to(given, raters.shape)
    sums = np.stack(
        [
            row_sums(scores, own, np.isfinite(scores) & np.isfinite(own))
            for scores, own in zip(beside, raters, strict=True)
        ],
        axis=1,
    )
    there = sums[:, :, 0].any(axis=1)
    sums = sums[there]
    counts = sums[:, :, 0].sum(axis=0)
    enough = counts >= FEWEST_OUTPUTS
    values = np.where(enough, r_of_sums(sums.sum(axis=0)), np.nan)
    draws = np.full((0, len(raters)), np.nan)
    if bootstrap and len(sums) > 1:
        blocks = multiplicities(np.ones(len(sums)), bootstrap, sums[0].size)
        draws = np.concatenate([r_of_sums(np.tensordot(each, sums, axes=1)) for each in blocks])
    everybody = range(len(raters))
    signed = {**(variant or {}), **bootstrap.variant("segments")}
    found = {}
    for name, members in groups.items():
        own = [place for place in members if np.isfinite(values[place])]
        others = [
            place for place in everybody if place not in members and np.isfinite(values[place])
        ]
        outputs = int(counts[list(members)].sum())
        left_out = len(members) - len(own)
        found[name] = Represented(
            _mean_of_raters(values, draws, own, None, outputs, left_out, bootstrap, signed),
            _mean_of_raters(values, draws, own, others, outputs, left_out, bootstrap, signed),
        )
    return found


def _mean_of_raters(
    values: FloatArray,
    draws: FloatArray,
    own: Sequence[int],
    others: Sequence[int] | None,
    outputs: int,
    left_out: int,
    bootstrap: Bootstrap,
    signed: Mapping[str, str | int | float | bool | None],
) -> Result:
    """Return the mean over raters, minus that over others where some are given."""
    difference = "" if others is None else "difference-of-"
    name = signature(f"{difference}mean-pearson-with-raters", **signed)
    if not own:
        reason = "no rater has three outputs on which ratings and scores vary"
        return Undefined(reason, outputs, "outputs", name)
    if others is not None and not others:
        return Undefined("there are no other raters", outputs, "outputs", name)
    value, drawn = values[list(own)].mean(), draws[:, list(own)].mean(axis=1)
    if others is not None:
        value = value - values[list(others)].mean()
        drawn = drawn - draws[:, list(others)].mean(axis=1)
    interval, degenerate = None, 0
    if len(drawn):
        interval, degenerate = percentile_interval(drawn, bootstrap, "segments")
    return Estimate(
        float(value),
        outputs,
        "outputs",
        name,
        raters=len(own),
        interval=interval,
        details={"raters_left_out": left_out, "degenerate_draws": degenerate},
    )
