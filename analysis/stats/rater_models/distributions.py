"""How answers and metrics fit groups of raters: distances of distributions, and correlations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray
from analysis.stats.correlation.pearson import r_of_sums, row_sums
from analysis.stats.resampling.bootstrap import (
    Bootstrap,
    bootstrap_draws,
    interval_of_ratio,
    percentile_interval,
)
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import Variant, signature

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
        reason = "" if known.any() else "no item has both distributions"
        if name == "wasserstein" and points is None:
            reason = "the answers are choices, which have no order"
        if reason:
            found[name] = Undefined(reason, int(known.sum()), "items", signed)
            continue
        distances = manhattan(q[known], p[known])
        if name == "wasserstein" and points is not None:
            distances = wasserstein(q[known], p[known], points)
        segments = np.asarray(units)[known]
        interval, _ = interval_of_ratio(distances, np.ones(len(distances)), segments, bootstrap)
        found[name] = Estimate(
            float(distances.mean()),
            len(distances),
            "items",
            signed,
            interval=interval,
            details={"left_out": len(p) - len(distances)},
        )
    return found


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
    sums = sums[sums[:, :, 0].any(axis=1)]
    counts = sums[:, :, 0].sum(axis=0)
    values = np.where(counts >= FEWEST_OUTPUTS, r_of_sums(sums.sum(axis=0)), np.nan)
    draws = np.full((0, len(raters)), np.nan)
    if len(sums) > 1:
        draws = bootstrap_draws(
            np.ones(len(sums)),
            lambda weights: r_of_sums(np.tensordot(weights, sums, axes=1)),
            bootstrap,
            sums[0].size,
        )
    signed = {**(variant or {}), **bootstrap.variant("segments")}
    by_rater = _ByRater(values, counts, draws, bootstrap, signed)
    return {
        name: Represented(by_rater.mean(members), by_rater.mean(members, less_others=True))
        for name, members in groups.items()
    }


@dataclass(frozen=True)
class _ByRater:
    """A metric's r with each rater, NaN where there is none, its outputs, and r in each draw."""

    values: FloatArray
    counts: FloatArray
    draws: FloatArray
    bootstrap: Bootstrap
    signed: Variant

    def mean(self, members: Sequence[int], *, less_others: bool = False) -> Result:
        """Return the mean over raters, or by how much it exceeds that over all others."""
        known = np.flatnonzero(np.isfinite(self.values))
        own = [place for place in members if place in known]
        others = np.setdiff1d(known, members).tolist()
        outputs = int(self.counts[list(members)].sum())
        difference = "difference-of-" if less_others else ""
        name = signature(f"{difference}mean-pearson-with-raters", **self.signed)
        if not own:
            reason = "no rater has three outputs on which ratings and scores vary"
            return Undefined(reason, outputs, "outputs", name)
        if less_others and not others:
            return Undefined("there are no other raters", outputs, "outputs", name)
        value, drawn = self.values[own].mean(), self.draws[:, own].mean(axis=1)
        if less_others:
            value = value - self.values[others].mean()
            drawn = drawn - self.draws[:, others].mean(axis=1)
        interval, degenerate = percentile_interval(drawn, self.bootstrap, "segments")
        facts = {"raters_left_out": len(members) - len(own), "degenerate_draws": degenerate}
        found = Estimate(float(value), outputs, "outputs", name, len(own), details=facts)
        return replace(found, interval=interval)
