"""Ranks of systems by mean score, with bootstrap intervals over segments."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import FloatArray, as_matrix
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap, multiplicities
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, signature


def rank_intervals(
    scores: npt.ArrayLike,
    *,
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
    variant: Variant = NO_VARIANT,
) -> list[Result]:
    """Rank systems by their mean score, 1 for the highest, each rank with its interval.

    The interval holds the ranks that a system has when segments are resampled, all scores of a
    segment together, between the percentiles of the bootstrap (Goldstein and Spiegelhalter 1996
    for intervals of ranks; Hall and Miller 2009 for what the bootstrap of ranks can promise: it is
    too narrow where true means are equal). Equal means share their mean rank.

    Parameters
    ----------
    scores : array_like, shape (segments, systems)
        Higher is better; NaN where missing.
    bootstrap : Bootstrap
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    list of Estimate or Undefined
        One for each system, in the order of the columns; undefined without a score. `n` counts
        the system's scores.

    Examples
    --------
    >>> [result.value for result in rank_intervals([[1, 3, 2], [2, 3, 1.5]])]
    [3.0, 1.0, 2.0]
    """
    values = as_matrix(scores)
    present = np.isfinite(values)
    name = signature("rank-of-mean", **bootstrap.variant("segments"), **variant)
    filled = np.where(present, values, 0.0)
    counts = present.sum(axis=0)
    ranks = _ranks(np.ones((1, len(values))), filled, present)[0]
    draws = np.concatenate(
        [
            _ranks(weights, filled, present)
            for weights in multiplicities(np.ones(len(values)), bootstrap)
        ]
    )
    return [
        _result(rank, draws[:, column], int(counts[column]), bootstrap, name)
        for column, rank in enumerate(ranks)
    ]


def _ranks(weights: FloatArray, filled: FloatArray, present: npt.NDArray[np.bool_]) -> FloatArray:
    """Return the ranks under each row of weights over segments, NaN for systems without score."""
    counts = weights @ present
    with np.errstate(invalid="ignore", divide="ignore"):
        means = (weights @ filled) / counts
    ranks: FloatArray = scipy.stats.rankdata(-means, axis=1, nan_policy="omit")
    return ranks


def _result(rank: float, draws: FloatArray, count: int, bootstrap: Bootstrap, name: str) -> Result:
    if not np.isfinite(rank):
        return Undefined("the system has no score", 0, "outputs", name)
    if not bootstrap:
        return Estimate(float(rank), count, "outputs", name)
    tail, found = (1 - bootstrap.level) / 2, draws[np.isfinite(draws)]
    # Ranks are steps: an end between two of them would be a rank that no resample gave.
    low = float(np.quantile(found, tail, method="lower"))
    high = float(np.quantile(found, 1 - tail, method="higher"))
    interval = Interval(low, high, bootstrap.level, "percentile bootstrap over segments")
    details = {"degenerate_draws": draws.size - found.size} if found.size < draws.size else {}
    return Estimate(float(rank), count, "outputs", name, interval=interval, details=details)
