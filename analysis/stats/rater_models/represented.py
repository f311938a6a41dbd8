"""Whom a metric represents: its correlation with the own answers of each group of raters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray
from analysis.stats.correlation.pearson import r_of_sums, row_sums
from analysis.stats.resampling.bootstrap import Bootstrap, multiplicities, percentile_interval
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import signature

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
            _mean(values, draws, own, None, outputs, left_out, bootstrap, signed),
            _mean(values, draws, own, others, outputs, left_out, bootstrap, signed),
        )
    return found


def _mean(
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
