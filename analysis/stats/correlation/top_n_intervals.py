"""Intervals of correlations over the best and over the last N systems, by drawing segments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, IntArray, as_matrix, metric_and_human, ratio
from analysis.stats.correlation.segment_statistics import SegmentStatistic
from analysis.stats.correlation.strata import with_draws
from analysis.stats.correlation.top_n import FEWEST_SYSTEMS, SystemSubset, order_of_systems, sides
from analysis.stats.resampling.bootstrap import Bootstrap, multiplicities

Sets = Literal["fixed", "reranked"]
RESULT = "asked"
"""Name of the one statistic in each subset's results."""


def top_and_last_intervals(
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    systems: Sequence[str],
    statistic: SegmentStatistic,
    *,
    raw_human: npt.ArrayLike | None = None,
    sets: Sets = "fixed",
    bootstrap: Bootstrap,
) -> list[SystemSubset]:
    """Correlate over the top N and the last N systems, for every N down to three, with intervals.

    Order and values are those of `correlation.top_n.top_and_last_systems`. Each draw of
    segments serves all N, so that neighbouring points of a curve go up and down together.

    Parameters
    ----------
    metric, human : array_like, shape (segments, systems)
        NaN where missing.
    systems : sequence of str
        Names of the columns.
    statistic : SegmentStatistic
    raw_human : array_like, optional
        Raw human scores for the order, if `human` holds z-scores.
    sets : {"fixed", "reranked"}
        The systems of each N are those of the data in every draw, or each draw ranks the systems
        anew by its own raw human means: the interval then holds the uncertainty of who the best N
        are as well. A draw in which a system has no rating is degenerate.
    bootstrap : Bootstrap

    Returns
    -------
    list of SystemSubset
        With one result, named `RESULT`; empty with fewer than three rated systems.

    Raises
    ------
    ValueError
        If shapes differ, names are not distinct, or `sets` is unknown.
    """
    if sets not in get_args(Sets):
        raise ValueError(f"unknown sets: {sets}")
    scores, judgements, both = metric_and_human(metric, human)
    raw = as_matrix(human if raw_human is None else raw_human, "raw_human")
    order = order_of_systems(raw, systems)
    rated = np.isfinite(judgements[:, order]).any(axis=1) if order else np.zeros(0, dtype=bool)
    scores, judgements, raw = (part[rated] for part in (scores, judgements, raw))
    both = both[rated]
    wanted = [
        (side, size, columns)
        for size in range(len(order), FEWEST_SYSTEMS - 1, -1)
        for side, columns in sides(order, size)
    ]
    drawn: list[list[FloatArray]] = [[] for _ in wanted]
    whole = [statistic.of(scores[:, columns], judgements[:, columns]) for *_, columns in wanted]
    per_unit = statistic.cells_per_unit(len(order))
    for weights in multiplicities(np.ones(scores.shape[0]), bootstrap, per_unit):
        orders = _orders(weights, raw, order, systems) if sets == "reranked" else None
        for place, (side, size, _) in enumerate(wanted):
            if orders is None:
                drawn[place].append(whole[place](weights))
            else:
                part = orders[:, :size] if side == "top" else orders[:, len(order) - size :]
                drawn[place].append(_of_sets(part, weights, scores, judgements, statistic))
    name = statistic.signature(bootstrap, sets=sets)
    every = np.ones((1, scores.shape[0]))
    subsets = []
    for place, (side, size, columns) in enumerate(wanted):
        value = float(whole[place](every)[0])
        facts = {"outputs": int(both[:, columns].sum())}
        draws = np.concatenate(drawn[place])
        scale = statistic.scale
        result = with_draws(value, draws, bootstrap, scores.shape[0], name, facts, scale)
        names = tuple(systems[column] for column in columns)
        subsets.append(SystemSubset(side, size, names, {RESULT: result}))
    return subsets


def _orders(
    weights: FloatArray, raw: FloatArray, order: Sequence[int], systems: Sequence[str]
) -> IntArray:
    """Return each draw's order of systems, best first; −1 throughout where one is unrated.

    Equal means stand in the order of names, as in the data.
    """
    by_name = np.array(sorted(order, key=lambda column: systems[column]), dtype=np.int64)
    present = np.isfinite(raw[:, by_name])
    counts = weights @ present.astype(np.float64)
    totals = weights @ np.where(present, raw[:, by_name], 0.0)
    means = ratio(totals, counts)
    # Rounding keeps sums of the same ratings in another order from being ranked apart.
    places = np.argsort(-np.round(means, 9), axis=1, kind="stable")
    orders = by_name[places]
    orders[~np.isfinite(means).all(axis=1)] = -1
    return orders


def _of_sets(
    members: IntArray,
    weights: FloatArray,
    scores: FloatArray,
    judgements: FloatArray,
    statistic: SegmentStatistic,
) -> FloatArray:
    """Compute the statistic of each draw over the systems that are in its own set."""
    values = np.full(weights.shape[0], np.nan)
    known, which = np.unique(np.sort(members, axis=1), axis=0, return_inverse=True)
    for place, columns in enumerate(known):
        if columns[0] >= 0:
            own = which.ravel() == place
            values[own] = statistic.of(scores[:, columns], judgements[:, columns])(weights[own])
    return values
