"""Agreement of raters under two protocols that judged the same units, and the difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.agreement.fleiss import fleiss_kappa, weighted_fleiss_kappa
from analysis.stats.agreement.krippendorff_alpha import krippendorff_alpha, weighted_alpha
from analysis.stats.agreement.weighted_ratings import WeightedAgreement, WeightedRatings
from analysis.stats.arrays import FloatArray, IntArray, as_matrix
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap, resampled_interval
from analysis.stats.results import Estimate, Result, Undefined
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
    one, other = (_plain(matrix, statistic, bootstrap) for matrix in ratings)
    name = signature(f"{statistic}-difference", **bootstrap.variant(over))
    if isinstance(one, Undefined) or isinstance(other, Undefined):
        reason = "agreement is undefined under one of the two protocols"
        return PairedAgreement(one, other, Undefined(reason, n_units, "units", name))
    codes = _codes(groups, n_units)
    of_ratings = [_weighted(matrix, statistic) for matrix in ratings]

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
        Estimate(
            one.value - other.value,
            n=n_units,
            unit="units",
            signature=name,
            interval=interval,
            details=facts,
        ),
    )


def _plain(matrix: FloatArray, statistic: Statistic, bootstrap: Bootstrap) -> Result:
    if statistic == "fleiss-kappa":
        return fleiss_kappa(matrix)
    return krippendorff_alpha(matrix, "nominal", bootstrap=bootstrap)


def _weighted(matrix: FloatArray, statistic: Statistic) -> WeightedAgreement:
    categories = np.unique(matrix[np.isfinite(matrix)])
    if statistic == "fleiss-kappa":
        return weighted_fleiss_kappa(categories)
    return weighted_alpha(categories, "nominal")


def _codes(groups: npt.ArrayLike | None, n_units: int) -> IntArray:
    if groups is None:
        return np.arange(n_units)
    _, codes = np.unique(np.asarray(groups), return_inverse=True)
    if codes.size != n_units:
        raise ValueError("one group for each unit is needed")
    return np.asarray(codes, dtype=np.int64)
