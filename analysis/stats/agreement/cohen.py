"""Cohen's kappa between two raters, unweighted or weighted."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.agreement.coded_ratings import Weights, agreement_weight
from analysis.stats.agreement.weighted_ratings import (
    WeightedAgreement,
    WeightedRatings,
    chance_corrected,
)
from analysis.stats.arrays import FloatArray, as_matrix, ratio
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import signature

MOST_CATEGORIES = 4000


def cohen_kappa(
    ratings: npt.ArrayLike, *, weights: Weights = "unweighted", level: float = 0.95
) -> Result:
    """Agreement of two raters beyond what their own marginal distributions give by chance.

    κ = (Pₒ − Pₑ) / (1 − Pₑ) with agreement weights on the category values: 1 for the same
    category and 0 otherwise (unweighted), 1 − |a − b| / range (linear), 1 − (a − b)² / range²
    (quadratic). Cohen (1960, 1968); standard errors by Fleiss, Cohen and Everitt (1969).

    Parameters
    ----------
    ratings : array_like, shape (units, 2)
        One column per rater; units that either left out are left out.
    weights : {"unweighted", "linear", "quadratic"}
    level : float

    Returns
    -------
    Estimate or Undefined
        The interval uses the non-null standard error, the p-value the null one.

    Raises
    ------
    ValueError
        If there are not two columns.

    Examples
    --------
    >>> round(cohen_kappa([[1, 1], [1, 2], [2, 2], [2, 2]]).value, 4)
    0.5
    """
    name = signature("cohen-kappa", weights=weights, level=level)
    matrix = as_matrix(ratings)
    if matrix.shape[1] != 2:
        raise ValueError(f"Cohen's kappa compares two raters, found {matrix.shape[1]} columns")
    both = matrix[np.isfinite(matrix).all(axis=1)]
    n = both.shape[0]
    if n == 0:
        return Undefined("no unit was rated by both raters", 0, "units", name)
    categories, codes = np.unique(both, return_inverse=True)
    if categories.size < 2:
        return Undefined("all ratings are in one category", n, "units", name)
    if categories.size > MOST_CATEGORIES:
        reason = f"more than {MOST_CATEGORIES} distinct values: kappa is for categories"
        return Undefined(reason, n, "units", name)
    codes = codes.reshape(both.shape)
    table = agreement_weight(categories[:, None], categories[None, :], weights, categories)
    parts = _observed_and_expected(table, codes, np.ones((1, n)))
    observed, expected = (float(part[0]) for part in parts[:2])
    first, second = (side[0] for side in parts[2])
    kappa = (observed - expected) / (1 - expected)
    error, null_error = _standard_errors(table, codes, first, second, kappa)
    half = float(scipy.stats.norm.ppf((1 + level) / 2)) * error
    z = kappa / null_error if null_error > 0 else None
    return Estimate(
        kappa,
        n=n,
        unit="units",
        signature=name,
        raters=2,
        pairs=n,
        p_value=float(2 * scipy.stats.norm.sf(abs(z))) if z is not None else None,
        interval=Interval(kappa - half, min(1.0, kappa + half), level, "non-null standard error"),
        details={
            "observed_agreement": observed,
            "expected_agreement": expected,
            "standard_error": error,
            "null_standard_error": null_error,
            "z": z,
            "test": "kappa = 0, Fleiss, Cohen and Everitt (1969)",
            "categories": int(categories.size),
            "units_rated_by_one": int(np.isfinite(matrix).any(axis=1).sum()) - n,
        },
    )


def weighted_cohen_kappa(categories: FloatArray, weights: Weights) -> WeightedAgreement:
    """Return `cohen_kappa` as a function of weights; slots are raters."""
    table = agreement_weight(categories[:, None], categories[None, :], weights, categories)

    def kappa(drawn: WeightedRatings) -> FloatArray:
        both = np.isfinite(drawn.values).all(axis=1)
        units = drawn.units[:, both] * drawn.weights[:, both].prod(axis=2)
        codes = np.searchsorted(categories, drawn.values[both])
        observed, expected, _ = _observed_and_expected(table, codes, units)
        return chance_corrected(observed, expected)

    return kappa


def _observed_and_expected(
    table: FloatArray, codes: npt.NDArray[np.intp], units: FloatArray
) -> tuple[FloatArray, FloatArray, list[FloatArray]]:
    """Return observed and expected agreement and both raters' shares of the categories.

    Of each draw, under weights of units (draws × units).
    """
    n = units.sum(axis=1)
    sides = []
    for side in (0, 1):
        entries = np.ones(len(codes)), codes[:, side], np.arange(len(codes) + 1)
        member = scipy.sparse.csr_array(entries, shape=(len(codes), len(table)))
        sides.append(ratio(np.asarray(units @ member), n[:, None]))
    observed = ratio(units @ table[codes[:, 0], codes[:, 1]], n)
    return observed, ((sides[0] @ table) * sides[1]).sum(axis=1), sides


def _standard_errors(
    table: FloatArray,
    codes: npt.NDArray[np.intp],
    first: FloatArray,
    second: FloatArray,
    kappa: float,
) -> tuple[float, float]:
    """Return the non-null and the null standard error of kappa."""
    n = codes.shape[0]
    expected = float(first @ table @ second)
    by_first, by_second = table @ second, first @ table
    weight = table[codes[:, 0], codes[:, 1]]
    chance = by_first[codes[:, 0]] + by_second[codes[:, 1]]
    influence = weight - chance * (1 - kappa)
    centre = kappa - expected * (1 - kappa)
    # Rounding can carry a variance that is zero in theory just below zero.
    variance = max(0.0, float((influence**2).mean()) - centre**2) / (n * (1 - expected) ** 2)
    gap = table - (by_first[:, None] + by_second[None, :])
    null = max(0.0, float(first @ gap**2 @ second) - expected**2) / (n * (1 - expected) ** 2)
    return math.sqrt(variance), math.sqrt(null)
