"""Paired bootstrap of every two of many metrics: each metric is resampled once for all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import BoolArray, FloatArray, Grouping, Level
from analysis.stats.comparison.metric_cells import same_shapes
from analysis.stats.comparison.metric_permutation import MetricPair
from analysis.stats.correlation.correlation_bootstrap import cells_per_unit, estimate_of_difference
from analysis.stats.correlation.resampled_correlation import (
    Over,
    by_units,
    correlation_signature,
    lies_low,
    no_variation,
)
from analysis.stats.correlation.weighted_correlation import WeightedCoefficient
from analysis.stats.pieces import InPieces, at_once
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap, bootstrap_draws
from analysis.stats.results import Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant


def bootstrap_difference_steps(
    metrics: Sequence[npt.ArrayLike],
    human: npt.ArrayLike,
    coefficient: WeightedCoefficient = "pearson",
    *,
    level: Level = "segment",
    grouping: Grouping = "none",
    over: Over = "segments",
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
    variant: Variant = NO_VARIANT,
) -> InPieces[list[MetricPair]]:
    """Compare every two metrics on the same resamples, with percentile intervals.

    The draws of a metric are kept for all pairs that rest on the same cells.

    Parameters
    ----------
    metrics : sequence of array_like, shape (segments, systems)
        NaN where missing. A pair is compared over the cells that both have.
    human : array_like, shape (segments, systems)
    coefficient, level, grouping, over, bootstrap, variant
        As in `correlation.correlation_bootstrap.bootstrap_correlation`.

    Returns
    -------
    list of MetricPair
        In the order (0, 1), (0, 2), …, (1, 2), …, the first metric's correlation less the second's.
        The two-sided p-value is min(1, 2 (c + 1) / (k + 1)), with c the smaller of the numbers of
        draws at most and at least zero (Efron and Tibshirani 1993, chapter 15; Koehn 2004). It
        answers whether the interval excludes zero; it is not a test of exchangeability.

    Raises
    ------
    ValueError
        If shapes differ or a variant is unknown.
    """
    scores, human_scores = same_shapes(metrics, human)
    name = correlation_signature(
        "difference", coefficient, level, grouping, over, "percentile", bootstrap, variant
    )
    present = np.isfinite(scores)
    pairs = [(i, j) for i in range(len(scores)) for j in range(i + 1, len(scores))]
    keys = {
        (metric, np.packbits(present[i] & present[j]).tobytes()): present[i] & present[j]
        for i, j in pairs
        for metric in (i, j)
    }

    def draws_of(metric: int, common: BoolArray) -> FloatArray:
        """Return the number of units, the value, and the draws where there is one."""
        cut = np.where(common, scores[metric], np.nan)
        statistic, n_units = by_units(cut, human_scores, coefficient, level, grouping, over)
        observed = float(statistic(np.ones((1, n_units)))[0]) if n_units else np.nan
        draws = np.empty(0)
        if np.isfinite(observed):
            per_unit = cells_per_unit(cut.size // max(1, n_units), coefficient)
            draws = bootstrap_draws(np.ones(n_units), statistic, bootstrap, per_unit)
        return np.concatenate([[n_units, observed], draws])

    values = yield [partial(draws_of, metric, common) for (metric, _), common in keys.items()]
    resampled = dict(zip(keys, values, strict=True))
    found = []
    for i, j in pairs:
        common = np.packbits(present[i] & present[j]).tobytes()
        sides = resampled[i, common], resampled[j, common]
        found.append(MetricPair(i, j, _difference(*sides, over, level, bootstrap, name)))
    return found


bootstrap_differences = at_once(bootstrap_difference_steps)


def _difference(
    first: FloatArray,
    second: FloatArray,
    over: Over,
    level: Level,
    bootstrap: Bootstrap,
    name: str,
) -> Result:
    n_units, one, other = int(first[0]), float(first[1]), float(second[1])
    if not np.isfinite(one - other):
        return Undefined(no_variation(level), n_units, over, name)
    return estimate_of_difference(
        one,
        other,
        first[2:] - second[2:],
        bootstrap,
        n=n_units,
        over=over,
        name=name,
        centred=lies_low(level, over),
    )
