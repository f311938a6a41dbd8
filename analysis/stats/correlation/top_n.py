"""Correlation over the best and over the last N systems, from all down to three, with intervals."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, IntArray, as_matrix, metric_and_human, ratio
from analysis.stats.correlation.correlation_bootstrap import ResampledStatistic
from analysis.stats.correlation.metric_correlation import (
    segment_level,
    system_level,
    system_level_of_means,
    system_means,
)
from analysis.stats.correlation.pearson import estimate_of_r, pearson_r, r_of_sums, row_sums
from analysis.stats.correlation.strata import SegmentStatistic, with_draws
from analysis.stats.correlation.tau_like import PairCounts, TauLike, tau_like
from analysis.stats.resampling.bootstrap import Bootstrap, multiplicities
from analysis.stats.resampling.resampled_sums import resampled_alone
from analysis.stats.results import Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, signature
from analysis.stats.systems.rank_ranges import rank_systems

Statistic: TypeAlias = Callable[[FloatArray, FloatArray], Result]
OfSubsets: TypeAlias = Callable[[FloatArray, FloatArray, list[list[int]]], list[Result]]
"""Computes a statistic over many subsets of columns at once."""
Side = Literal["top", "last"]
FEWEST_SYSTEMS = 3
STATISTICS: Mapping[str, Statistic] = {
    "segment_tau_like": tau_like,
    "segment_pearson": segment_level,
    "system_pearson": system_level,
}


@dataclass(frozen=True, slots=True)
class SystemSubset:
    """The statistics over one subset of systems.

    Parameters
    ----------
    side : {"top", "last"}
    size : int
    systems : tuple of str
        Best first.
    results : mapping of str to Estimate or Undefined
    """

    side: Side
    size: int
    systems: tuple[str, ...]
    results: Mapping[str, Result]


def top_and_last_systems(
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    systems: Sequence[str],
    *,
    raw_human: npt.ArrayLike | None = None,
    statistics: Mapping[str, Statistic] = STATISTICS,
    at_once: Mapping[str, OfSubsets] | None = None,
    sizes: Sequence[int] | None = None,
) -> list[SystemSubset]:
    """Compute statistics over the top N and the last N systems, for every N down to three.

    Systems are ordered by their raw human mean over all their outputs, best first, equal means by
    name. The set of each N is fixed: it is not ranked again inside a statistic's resamples
    (Mathur, Baldwin and Cohn 2020, who show that a metric may be good only because some systems
    are far behind).

    Parameters
    ----------
    metric, human : array_like, shape (segments, systems)
        NaN where missing; what the statistics get.
    systems : sequence of str
        Names of the columns.
    raw_human : array_like, optional
        Raw human scores for the order, if `human` holds z-scores.
    statistics : mapping of str to callable
        Each takes metric and human matrices of the subset. Default: tau-like, pooled Pearson at
        segment level, Pearson at system level.
    at_once : mapping of str to callable, optional
        In their place, statistics that take the whole matrices and all subsets, such as those of
        `analysis.stats.correlation.top_n`.
    sizes : sequence of int, optional
        The N to compute; default all.

    Returns
    -------
    list of SystemSubset
        From all systems down, top before last; empty with fewer than three rated systems.

    Raises
    ------
    ValueError
        If shapes differ, or there is not one name per column.
    """
    scores, judgements, _ = metric_and_human(metric, human)
    order = order_of_systems(
        as_matrix(human if raw_human is None else raw_human, "raw_human"), systems
    )
    chosen = sets_of_systems(order, sizes)
    subsets = [columns for _, columns in chosen]
    if at_once is None:
        results = {
            name: [statistic(scores[:, columns], judgements[:, columns]) for columns in subsets]
            for name, statistic in statistics.items()
        }
    else:
        results = {name: compute(scores, judgements, subsets) for name, compute in at_once.items()}
    return [
        SystemSubset(
            side,
            len(columns),
            tuple(systems[column] for column in columns),
            {name: found[place] for name, found in results.items()},
        )
        for place, (side, columns) in enumerate(chosen)
    ]


def sides(order: list[int], size: int) -> tuple[tuple[Side, list[int]], tuple[Side, list[int]]]:
    """Return the first and the last columns of an order, named."""
    return ("top", order[:size]), ("last", order[len(order) - size :])


def sets_of_systems(
    order: list[int], sizes: Sequence[int] | None = None
) -> list[tuple[Side, list[int]]]:
    """Return the best and the last systems of each size, by default from all down to three."""
    wanted = range(len(order), FEWEST_SYSTEMS - 1, -1) if sizes is None else sizes
    known = [size for size in wanted if FEWEST_SYSTEMS <= size <= len(order)]
    return [each for size in known for each in sides(order, size)]


def order_of_systems(raw_human: FloatArray, systems: Sequence[str]) -> list[int]:
    """Return the columns of rated systems, best human mean first, equal ones by name."""
    column = {system: index for index, system in enumerate(systems)}
    if len(column) != len(systems):
        raise ValueError("system names must be distinct")
    ranked = rank_systems(raw_human, systems)
    return [column[row.system] for row in ranked if row.rank is not None]


Subsets = Sequence[Sequence[int]]


def system_pearson_of_subsets(
    metric: npt.ArrayLike, human: npt.ArrayLike, subsets: Subsets, *, variant: Variant = NO_VARIANT
) -> list[Result]:
    """Correlate system means over each subset of columns, as `system_level` does over all."""
    metric_means, human_means, counts = system_means(metric, human)
    return [
        system_level_of_means(
            metric_means[chosen], human_means[chosen], counts[chosen], variant=variant
        )
        for chosen in (list(subset) for subset in subsets)
    ]


def pooled_pearson_of_subsets(
    metric: npt.ArrayLike, human: npt.ArrayLike, subsets: Subsets, *, variant: Variant = NO_VARIANT
) -> list[Result]:
    """Correlate pooled outputs over each subset of columns, as `segment_level` does over all.

    Without intervals. Counts, sums, squares and products are added up per system; they are centred
    over all systems first, so that little is lost in taking the subset's mean away.
    """
    scores, judgements, both = metric_and_human(metric, human)
    name = signature("pearson", **{**variant, "level": "segment", "group": "none"})
    n = both.sum(axis=0)
    sums = row_sums(scores.T, judgements.T, both.T)
    spreads = [_extremes(side, both) for side in (scores, judgements)]
    complete = bool(both.all())
    results: list[Result] = []
    for subset in subsets:
        chosen = list(subset)
        cells = int(n[chosen].sum())
        facts = {
            "missing": len(scores) * len(chosen) - cells,
            "segments": len(scores) if complete else int(both[:, chosen].any(axis=1).sum()),
            "systems": int((n[chosen] > 0).sum()),
        }
        reason = _why_undefined(cells, [spread[:, chosen] for spread in spreads])
        if reason:
            results.append(Undefined(reason, cells, "outputs", name, facts))
            continue
        r = float(r_of_sums(sums[chosen].sum(axis=0)))
        if np.isnan(r):
            # The subset varies by so little of the whole that sums have lost it.
            cut = both[:, chosen]
            r = pearson_r(scores[:, chosen][cut], judgements[:, chosen][cut])
        results.append(estimate_of_r(r, cells, unit="outputs", name=name, details=facts))
    return results


def tau_like_of_subsets(
    counts: Sequence[PairCounts], kind: TauLike, *, variant: Variant = NO_VARIANT
) -> list[Result]:
    """Tau-like over each subset, as `tau_like` without bootstrap does over all.

    Parameters
    ----------
    counts : sequence of PairCounts
        From `analysis.stats.correlation.tau_like.count_pairs_of_subsets` with the same `min_gap`.
    kind : TauLike
    variant : mapping
        What the signature says of the scores on both sides.
    """
    name = kind.signature(None, {"human": "raw", **variant})
    return [resampled_alone(kind.steps(counted, name), None) for counted in counts]


def _extremes(values: FloatArray, both: npt.NDArray[np.bool_]) -> FloatArray:
    """Return each column's lowest and highest value; infinite where it has none."""
    lowest = np.where(both, values, np.inf).min(axis=0, initial=np.inf)
    return np.stack([lowest, np.where(both, values, -np.inf).max(axis=0, initial=-np.inf)])


def _why_undefined(cells: int, spreads: Sequence[FloatArray]) -> str:
    """Say as `correlate` does why there is no coefficient; empty where there is one."""
    if cells < 3:
        return "fewer than three outputs"
    for (lows, highs), side in zip(spreads, ("first", "second"), strict=True):
        low, high = float(lows.min()), float(highs.max())
        if high - low <= 1e-13 * max(abs(low), abs(high)):
            return f"the {side} variable is constant over all {cells} outputs"
    return ""


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
    wanted = sets_of_systems(order)
    drawn: list[list[FloatArray]] = [[] for _ in wanted]
    kind = statistic.kind
    whole = [kind.statistic(scores[:, columns], judgements[:, columns]) for _, columns in wanted]
    per_unit = kind.cells_per_unit(len(order))
    for weights in multiplicities(np.ones(scores.shape[0]), bootstrap, per_unit):
        orders = _orders(weights, raw, order, systems) if sets == "reranked" else None
        for place, (side, columns) in enumerate(wanted):
            if orders is None:
                drawn[place].append(whole[place](weights))
            else:
                size = len(columns)
                part = orders[:, :size] if side == "top" else orders[:, len(order) - size :]
                drawn[place].append(_of_sets(part, weights, scores, judgements, kind))
    name = statistic.signature(bootstrap, sets=sets)
    every = np.ones((1, scores.shape[0]))
    subsets = []
    for place, (side, columns) in enumerate(wanted):
        value = float(whole[place](every)[0])
        facts = {"outputs": int(both[:, columns].sum())}
        draws = np.concatenate(drawn[place])
        scale = kind.scale
        result = with_draws(value, draws, bootstrap, scores.shape[0], name, facts, scale)
        names = tuple(systems[column] for column in columns)
        subsets.append(SystemSubset(side, len(columns), names, {RESULT: result}))
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
    kind: ResampledStatistic,
) -> FloatArray:
    """Compute the statistic of each draw over the systems that are in its own set."""
    values = np.full(weights.shape[0], np.nan)
    known, which = np.unique(np.sort(members, axis=1), axis=0, return_inverse=True)
    for place, columns in enumerate(known):
        if columns[0] >= 0:
            own = which.ravel() == place
            of_set = kind.statistic(scores[:, columns], judgements[:, columns])
            values[own] = of_set(weights[own])
    return values
