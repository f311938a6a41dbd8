"""Agreement of raters under two protocols that judged the same units, and the difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, IntArray, as_matrix, ratio
from analysis.stats.coded_ratings import code_ratings, pair_agreement
from analysis.stats.fleiss import fleiss_kappa
from analysis.stats.krippendorff_alpha import krippendorff_alpha
from analysis.stats.resampling import (
    STANDARD_BOOTSTRAP,
    Bootstrap,
    bootstrap_draws,
    percentile_interval,
)
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
    parts = [_UnitParts.of(matrix) for matrix in ratings]
    of_draws = _OF_DRAWS[statistic]

    def difference(weights: FloatArray) -> FloatArray:
        drawn = weights[:, codes]
        return of_draws(drawn, parts[0]) - of_draws(drawn, parts[1])

    draws = bootstrap_draws(
        np.ones(int(codes.max(initial=-1)) + 1),
        difference,
        bootstrap,
        cells_per_unit=4 * max(1, n_units // (int(codes.max(initial=0)) + 1)),
    )
    interval, degenerate = percentile_interval(draws, bootstrap, over)
    return PairedAgreement(
        one,
        other,
        Estimate(
            one.value - other.value,
            n=n_units,
            unit="units",
            signature=name,
            interval=interval,
            details={"resamples": bootstrap.resamples, "degenerate_draws": degenerate},
        ),
    )


def _plain(matrix: FloatArray, statistic: Statistic, bootstrap: Bootstrap) -> Result:
    if statistic == "fleiss-kappa":
        return fleiss_kappa(matrix)
    return krippendorff_alpha(matrix, "nominal", bootstrap=bootstrap)


def _codes(groups: npt.ArrayLike | None, n_units: int) -> IntArray:
    if groups is None:
        return np.arange(n_units)
    _, codes = np.unique(np.asarray(groups), return_inverse=True)
    if codes.size != n_units:
        raise ValueError("one group for each unit is needed")
    return np.asarray(codes, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class _UnitParts:
    """Per unit: agreement of its pairs (NaN if none), counts of categories, number of ratings."""

    agreement: FloatArray
    counts: FloatArray
    ratings: FloatArray

    @classmethod
    def of(cls, matrix: FloatArray) -> _UnitParts:
        rated = np.isfinite(matrix).any(axis=1)
        coded = code_ratings(matrix)
        agreement = np.full(matrix.shape[0], np.nan)
        agreement[rated] = pair_agreement(coded)
        counts = np.zeros((matrix.shape[0], coded.categories.size))
        rows, columns = np.nonzero(coded.codes >= 0)
        np.add.at(counts, (np.flatnonzero(rated)[rows], coded.codes[rows, columns]), 1)
        return cls(agreement, counts, counts.sum(axis=1))


def _kappa_of(weights: FloatArray, unit: _UnitParts) -> FloatArray:
    """Return Fleiss' kappa for each row of multiplicities, NaN where degenerate."""
    pairable = np.isfinite(unit.agreement).astype(np.float64)
    observed = ratio(weights @ np.nan_to_num(unit.agreement), weights @ pairable)
    rated = unit.ratings > 0
    shares = np.divide(
        unit.counts, unit.ratings[:, None], where=rated[:, None], out=unit.counts * 0
    )
    share = ratio(weights @ shares, (weights @ rated.astype(np.float64))[:, None])
    expected = (share**2).sum(axis=1)
    return ratio(observed - expected, 1 - expected)


def _alpha_of(weights: FloatArray, unit: _UnitParts) -> FloatArray:
    """Return nominal alpha for each row of multiplicities, NaN where degenerate."""
    pairable = np.isfinite(unit.agreement)
    ratings = np.where(pairable, unit.ratings, 0.0)
    n = weights @ ratings
    disagreement = weights @ (ratings * (1 - np.nan_to_num(unit.agreement)))
    totals = weights @ (unit.counts * pairable[:, None])
    expected = n**2 - (totals**2).sum(axis=1)
    return np.asarray(1 - (n - 1) * ratio(disagreement, expected), dtype=np.float64)


_OF_DRAWS: Mapping[Statistic, Callable[[FloatArray, _UnitParts], FloatArray]] = {
    "fleiss-kappa": _kappa_of,
    "alpha-nominal": _alpha_of,
}
