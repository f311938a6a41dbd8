"""Correlation over the best and over the last N systems, from all down to three."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy.typing as npt

from analysis.stats.arrays import FloatArray, as_matrix, metric_and_human
from analysis.stats.correlation.metric_correlation import segment_level, system_level
from analysis.stats.correlation.tau_like import tau_like
from analysis.stats.results import Result
from analysis.stats.systems.system_means import rank_systems

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
        `analysis.stats.correlation.subset_correlations`.
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
    wanted = range(len(order), FEWEST_SYSTEMS - 1, -1) if sizes is None else sizes
    chosen = [
        (side, columns)
        for size in wanted
        if FEWEST_SYSTEMS <= size <= len(order)
        for side, columns in sides(order, size)
    ]
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


def order_of_systems(raw_human: FloatArray, systems: Sequence[str]) -> list[int]:
    """Return the columns of rated systems, best human mean first, equal ones by name."""
    column = {system: index for index, system in enumerate(systems)}
    if len(column) != len(systems):
        raise ValueError("system names must be distinct")
    ranked = rank_systems(raw_human, systems)
    return [column[row.system] for row in ranked if row.rank is not None]
