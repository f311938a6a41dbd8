"""Tau-like under many weightings of segments or of systems, as resampling them needs it."""

from __future__ import annotations

from typing import get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import CELLS_IN_MEMORY, FloatArray, metric_and_human, ratio_of_sums
from analysis.stats.correlation.correlation_bootstrap import with_interval
from analysis.stats.correlation.resampled_correlation import Method, Over
from analysis.stats.correlation.tau_like import (
    HUMAN_TIE,
    Average,
    MetricTies,
    tau_like_signature,
    weighted_tau_like,
)
from analysis.stats.correlation.weighted_correlation import WeightedStatistic
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap
from analysis.stats.results import Result
from analysis.stats.signature import NO_VARIANT, Variant

NO_PAIR = "no segment has two outputs that human raters rate differently and the metric scored"


def bootstrap_tau_like(
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    min_gap: float = 0.0,
    metric_ties: MetricTies = "discordant",
    average: Average = "segments",
    over: Over = "segments",
    method: Method = "percentile",
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
    variant: Variant = NO_VARIANT,
) -> Result:
    """Tau-like with an interval by drawing segments or systems.

    Parameters
    ----------
    metric, human : array_like, shape (segments, systems)
        NaN where missing; `metric` oriented so that higher is better.
    min_gap, metric_ties, average
        As in `analysis.stats.correlation.tau_like.tau_like`.
    over, method, bootstrap, variant
        As in `analysis.stats.correlation.correlation_bootstrap.bootstrap_correlation`.

    Returns
    -------
    Estimate or Undefined
        ``n`` counts the units drawn.

    Raises
    ------
    ValueError
        If shapes differ or a variant is unknown.
    """
    if over not in get_args(Over) or method not in get_args(Method):
        raise ValueError(f"unknown variant: {over}, {method}")
    name = tau_like_signature(
        min_gap, metric_ties, average, bootstrap, {"interval": method, **variant}, over=over
    )
    scores, judgements, _ = metric_and_human(metric, human)
    of_units = weighted_tau_like if over == "segments" else tau_like_of_systems
    statistic = of_units(
        scores, judgements, min_gap=min_gap, metric_ties=metric_ties, average=average
    )
    n_units = scores.shape[0 if over == "segments" else 1]
    return with_interval(statistic, n_units, 1, over, method, bootstrap, name, NO_PAIR)


def tau_like_of_systems(
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    min_gap: float = 0.0,
    metric_ties: MetricTies = "discordant",
    average: Average = "segments",
) -> WeightedStatistic:
    """Return `tau_like` as a function of weights of systems; parameters are those of `tau_like`.

    A pair of systems counts as often as both were drawn, in every segment. Copies of one system
    never form a pair: human raters tie them. NaN where a draw has no pair.
    """
    scores, judgements, both = metric_and_human(metric, human)
    left, right = np.triu_indices(scores.shape[1], k=1)
    gap = np.where(both, judgements, np.nan)
    gap = gap[:, left] - gap[:, right]
    metric_gap = scores[:, left] - scores[:, right]
    # Comparisons with NaN are false: a pair with a missing score never enters.
    enters = (np.abs(gap) > HUMAN_TIE) & (np.abs(gap) >= min_gap - HUMAN_TIE)
    tied = enters & (metric_gap == 0)
    agree = enters & ~tied & ((metric_gap > 0) == (gap > 0))
    signs = np.where(agree, 1.0, np.where(enters, -1.0, 0.0))
    if metric_ties != "discordant":
        signs[tied] = 0.0
    counted = (enters & ~tied if metric_ties == "skip" else enters).astype(np.float64)
    if average == "pooled":
        signs, counted = signs.sum(axis=0)[None, :], counted.sum(axis=0)[None, :]

    def of_systems(weights: FloatArray) -> FloatArray:
        values = np.empty(weights.shape[0])
        block = max(1, CELLS_IN_MEMORY // max(1, signs.shape[0]))
        for start in range(0, weights.shape[0], block):
            drawn = slice(start, start + block)
            of_pairs = weights[drawn][:, left] * weights[drawn][:, right]
            pairs = of_pairs @ counted.T
            shares = np.zeros(pairs.shape)
            np.divide(of_pairs @ signs.T, pairs, out=shares, where=pairs > 0)
            values[drawn] = ratio_of_sums(
                np.column_stack([shares.sum(axis=1), (pairs > 0).sum(axis=1)])
            )
        return values

    return of_systems
