"""Absolute ratings cut at a threshold, against relative judgements of the same outputs."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.stats.agreement.cohen import cohen_kappa
from analysis.stats.agreement.rater_pairs import percent_agreement
from analysis.stats.arrays import FloatArray, as_vector
from analysis.stats.results import Estimate, Result, with_details
from analysis.stats.signature import signature

AtThreshold = Literal["high", "low"]


def bin_at_threshold(
    ratings: npt.ArrayLike, threshold: float, *, at_threshold: AtThreshold = "high"
) -> FloatArray:
    """Cut ratings into 0 (low) and 1 (high); NaN stays NaN.

    Parameters
    ----------
    ratings : array_like
    threshold : float
        Mir et al. (2019) use 2 and 3 on a scale of 1 to 5.
    at_threshold : {"high", "low"}
        Side to which a rating equal to the threshold belongs: *high* where a score of at least
        the threshold is high, as in Mir et al. (2019); *low* where it must be above.

    Examples
    --------
    >>> bin_at_threshold([1, 3, 4], 3).tolist()
    [0.0, 1.0, 1.0]
    """
    values = np.asarray(ratings, dtype=np.float64)
    high = values >= threshold if at_threshold == "high" else values > threshold
    return np.where(np.isnan(values), np.nan, high.astype(np.float64))


def binned_against_relative(
    absolute: npt.ArrayLike,
    relative: npt.ArrayLike,
    threshold: float,
    *,
    at_threshold: AtThreshold = "high",
    ties: Literal["left-out", "low"] = "left-out",
) -> tuple[Result, Result]:
    """Agreement, output by output, of a binned absolute rating with the relative judgement.

    The absolute rating says *high* at or above the threshold, the relative judgement where the
    output was preferred to its source.

    Parameters
    ----------
    absolute : array_like, shape (outputs,)
        Rating (or mean rating) of the output alone.
    relative : array_like, shape (outputs,)
        1 output preferred, −1 source preferred, 0 tie; NaN where missing.
    threshold : float
    at_threshold : {"high", "low"}
        See `bin_at_threshold`.
    ties : {"left-out", "low"}
        A tie is left out and counted, or is "not preferred", hence low.

    Returns
    -------
    percent, kappa : Estimate or Undefined
        Share of outputs on which both agree, and Cohen's kappa.

    Raises
    ------
    ValueError
        If lengths differ or a relative judgement is not −1, 0, 1 or NaN.
    """
    ratings, judgements = as_vector(absolute, "absolute"), as_vector(relative, "relative")
    if ratings.shape != judgements.shape:
        raise ValueError("one relative judgement per absolute rating is needed")
    if not np.isin(judgements[np.isfinite(judgements)], [-1, 0, 1]).all():
        raise ValueError("relative judgements are −1, 0 or 1")
    tied = judgements == 0
    preferred = np.where(np.isnan(judgements), np.nan, (judgements > 0).astype(np.float64))
    if ties == "left-out":
        preferred[tied] = np.nan
    binned = bin_at_threshold(ratings, threshold, at_threshold=at_threshold)
    table = np.column_stack([binned, preferred])
    variant = {"threshold": threshold, "at-threshold": at_threshold, "ties": ties}
    facts = {"human_ties": int(tied.sum()), "threshold": threshold}
    percent, kappa = percent_agreement(table), cohen_kappa(table)
    return (
        _renamed(percent, signature("binned-percent-agreement", **variant), facts),
        _renamed(kappa, signature("binned-cohen-kappa", **variant), facts),
    )


def _renamed(result: Result, name: str, facts: dict[str, float]) -> Result:
    result = replace(result, unit="outputs", signature=name)
    if isinstance(result, Estimate):
        result = replace(result, raters=None, pairs=None)
    return with_details(result, **facts)
