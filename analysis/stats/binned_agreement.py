"""Absolute ratings cut at a threshold, beside and against relative judgements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, as_matrix, as_vector
from analysis.stats.coded_ratings import code_ratings, pair_agreement
from analysis.stats.cohen import cohen_kappa
from analysis.stats.fleiss import fleiss_kappa
from analysis.stats.rater_pairs import percent_agreement
from analysis.stats.resampling import (
    STANDARD_BOOTSTRAP,
    Bootstrap,
    bootstrap_draws,
    percentile_interval,
)
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import signature

AtThreshold = Literal["low", "high"]


def bin_at_threshold(
    ratings: npt.ArrayLike, threshold: float, *, at_threshold: AtThreshold = "low"
) -> FloatArray:
    """Cut ratings into 0 (low) and 1 (high); NaN stays NaN.

    Parameters
    ----------
    ratings : array_like
    threshold : float
        The 2019 study uses 2 and 3 on a scale of 1 to 5.
    at_threshold : {"low", "high"}
        Side to which a rating equal to the threshold belongs.

    Examples
    --------
    >>> bin_at_threshold([1, 3, 4], 3).tolist()
    [0.0, 0.0, 1.0]
    """
    values = np.asarray(ratings, dtype=np.float64)
    high = values >= threshold if at_threshold == "high" else values > threshold
    return np.where(np.isnan(values), np.nan, high.astype(np.float64))


def binned_against_relative(
    absolute: npt.ArrayLike,
    relative: npt.ArrayLike,
    threshold: float,
    *,
    at_threshold: AtThreshold = "low",
    ties: Literal["left-out", "low"] = "left-out",
) -> tuple[Result, Result]:
    """Agreement, output by output, of a binned absolute rating with the relative judgement.

    The absolute rating says *high* above the threshold, the relative judgement says *high* where
    the output was preferred to its source.

    Parameters
    ----------
    absolute : array_like, shape (outputs,)
        Rating (or mean rating) of the output alone.
    relative : array_like, shape (outputs,)
        1 output preferred, −1 source preferred, 0 tie; NaN where missing.
    threshold : float
    at_threshold : {"low", "high"}
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


@dataclass(frozen=True, slots=True)
class PairedReliability:
    """Fleiss' kappa under two protocols over the same units, and their difference.

    Parameters
    ----------
    first, second : Estimate or Undefined
    difference : Estimate or Undefined
        First minus second, with a paired bootstrap interval.
    """

    first: Result
    second: Result
    difference: Result


def paired_fleiss_kappa(
    first: npt.ArrayLike, second: npt.ArrayLike, *, bootstrap: Bootstrap = STANDARD_BOOTSTRAP
) -> PairedReliability:
    """Compare the agreement of raters under two protocols that judged the same units.

    For example masked against unmasked content ratings, or binned absolute against relative
    judgements of naturalness.

    Parameters
    ----------
    first, second : array_like, shape (units, raters)
        The same units in the same rows; raters and categories may differ.
    bootstrap : Bootstrap
        Units are drawn with replacement, under both protocols alike.

    Returns
    -------
    PairedReliability

    Raises
    ------
    ValueError
        If the numbers of units differ.
    """
    ratings = [as_matrix(first, "first"), as_matrix(second, "second")]
    if ratings[0].shape[0] != ratings[1].shape[0]:
        raise ValueError("both protocols need the same units in the same rows")
    one, other = (fleiss_kappa(matrix) for matrix in ratings)
    name = signature("fleiss-kappa-difference", **bootstrap.variant("units"))
    if isinstance(one, Undefined) or isinstance(other, Undefined):
        reason = "undefined under one of the two protocols"
        return PairedReliability(one, other, Undefined(reason, one.n, "units", name))
    parts = [_unit_parts(matrix) for matrix in ratings]
    draws = bootstrap_draws(
        np.ones(ratings[0].shape[0]),
        lambda weights: _kappa_of(weights, *parts[0]) - _kappa_of(weights, *parts[1]),
        bootstrap,
        cells_per_unit=4,
    )
    interval, degenerate = percentile_interval(draws, bootstrap, "units")
    difference = Estimate(
        one.value - other.value,
        n=ratings[0].shape[0],
        unit="units",
        signature=name,
        interval=interval,
        details={"resamples": bootstrap.resamples, "degenerate_draws": degenerate},
    )
    return PairedReliability(one, other, difference)


def _unit_parts(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return per unit the agreement of its pairs (NaN if none) and its shares of categories."""
    rated = np.isfinite(matrix).any(axis=1)
    coded = code_ratings(matrix)
    agreement = np.full(matrix.shape[0], np.nan)
    agreement[rated] = pair_agreement(coded)
    shares = np.zeros((matrix.shape[0], coded.categories.size))
    rows, columns = np.nonzero(coded.codes >= 0)
    units = np.flatnonzero(rated)[rows]
    np.add.at(shares, (units, coded.codes[rows, columns]), 1 / coded.counts[rows])
    return agreement, shares


def _kappa_of(weights: FloatArray, agreement: FloatArray, shares: FloatArray) -> FloatArray:
    """Return Fleiss' kappa for each row of multiplicities, NaN where degenerate."""
    pairable = weights @ np.isfinite(agreement).astype(np.float64)
    total = weights @ np.nan_to_num(agreement)
    observed, kappa = np.full(total.shape, np.nan), np.full(total.shape, np.nan)
    np.divide(total, pairable, out=observed, where=pairable > 0)
    share = weights @ shares
    rated = share.sum(axis=1, keepdims=True)
    share = np.divide(share, rated, out=np.zeros(share.shape), where=rated > 0)
    expected = (share**2).sum(axis=1)
    varies = expected < 1 - 1e-12
    np.divide(observed - expected, 1 - expected, out=kappa, where=varies)
    return kappa


def _renamed(result: Result, name: str, facts: dict[str, float]) -> Result:
    details = {**result.details, **facts}
    if isinstance(result, Undefined):
        return Undefined(result.reason, result.n, "outputs", name, details)
    return Estimate(
        result.value,
        n=result.n,
        unit="outputs",
        signature=name,
        p_value=result.p_value,
        interval=result.interval,
        details=details,
    )
