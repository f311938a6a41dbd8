"""Agreement under two protocols, and of absolute ratings with relative judgements."""

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.agreement.agreement_statistics import STATISTICS_OF_AGREEMENT
from analysis.stats.agreement.kappas import cohen_kappa
from analysis.stats.agreement.rater_pairs import percent_agreement
from analysis.stats.agreement.weighted_ratings import WeightedRatings
from analysis.stats.arrays import FloatArray, IntArray, as_matrix, as_vector
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap, resampled_interval
from analysis.stats.results import Estimate, Result, Undefined, with_details
from analysis.stats.signature import signature

Statistic = Literal["fleiss-kappa", "alpha-nominal"]
STATISTICS: tuple[Statistic, ...] = get_args(Statistic)


@dataclass(frozen=True, slots=True)
class PairedAgreement:
    """Agreement under two protocols over the same units, and the difference.

    Parameters
    ----------
    first, second : Estimate or Undefined
    difference : Estimate or Undefined
        First minus second, with a paired bootstrap interval.
    """

    first: Result
    second: Result
    difference: Result


def paired_agreement(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    statistic: Statistic = "fleiss-kappa",
    *,
    groups: npt.ArrayLike | None = None,
    over: str = "units",
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
) -> PairedAgreement:
    """Compare the agreement of raters under two protocols that judged the same units.

    For example content ratings of masked and of plain texts, or absolute ratings of naturalness,
    cut at a threshold, and relative judgements. Units (or whole groups of them) are drawn with
    replacement, the same for both protocols, so that what makes a unit hard to judge under either
    does not widen the interval of the difference.

    Parameters
    ----------
    first, second : array_like, shape (units, raters)
        The same units in the same rows; raters and categories may differ. NaN where missing.
    statistic : {"fleiss-kappa", "alpha-nominal"}
        Alpha weighs units by their number of ratings and allows for small numbers of them, which
        matters where these are unequal.
    groups : array_like of int, shape (units,), optional
        What is drawn: the segment or system of each unit. Without it, units.
    over : str
        Name of what is drawn, for the signature.
    bootstrap : Bootstrap

    Returns
    -------
    PairedAgreement

    Raises
    ------
    ValueError
        If the numbers of units differ or the statistic is unknown.
    """
    ratings = [as_matrix(first, "first"), as_matrix(second, "second")]
    if ratings[0].shape[0] != ratings[1].shape[0]:
        raise ValueError("both protocols need the same units in the same rows")
    if statistic not in STATISTICS:
        raise ValueError(f"unknown statistic of agreement under two protocols: {statistic}")
    n_units = ratings[0].shape[0]
    kind = STATISTICS_OF_AGREEMENT[statistic]
    one, other = (kind.of(matrix, None, bootstrap) for matrix in ratings)
    name = signature(f"{statistic}-difference", **bootstrap.variant(over))
    if isinstance(one, Undefined) or isinstance(other, Undefined):
        reason = "agreement is undefined under one of the two protocols"
        return PairedAgreement(one, other, Undefined(reason, n_units, "units", name))
    codes = _codes(groups, n_units)
    of_ratings = [kind.weighted(np.unique(matrix[np.isfinite(matrix)]), None) for matrix in ratings]

    def difference(weights: FloatArray) -> FloatArray:
        values = [
            coefficient(WeightedRatings.once(matrix, weights[:, codes]))
            for coefficient, matrix in zip(of_ratings, ratings, strict=True)
        ]
        return values[0] - values[1]

    groups_drawn = int(codes.max(initial=-1)) + 1
    interval, facts = resampled_interval(
        np.ones(groups_drawn), difference, bootstrap, over, max(1, n_units // groups_drawn)
    )
    return PairedAgreement(
        one,
        other,
        Estimate(one.value - other.value, n_units, "units", name, interval=interval, details=facts),
    )


def _codes(groups: npt.ArrayLike | None, n_units: int) -> IntArray:
    if groups is None:
        return np.arange(n_units)
    _, codes = np.unique(np.asarray(groups), return_inverse=True)
    if codes.size != n_units:
        raise ValueError("one group for each unit is needed")
    return np.asarray(codes, dtype=np.int64)


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
