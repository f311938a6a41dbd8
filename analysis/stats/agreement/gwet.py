"""Gwet's AC1 and AC2: agreement that stays stable when one category dominates."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.agreement.coded_ratings import (
    CodedRatings,
    Weights,
    category_shares,
    code_ratings,
    mean_over_ratings,
)
from analysis.stats.agreement.drawn_ratings import DrawnRatings, WeightedAgreement, chance_corrected
from analysis.stats.arrays import FloatArray
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import signature


def gwet_ac(
    ratings: npt.ArrayLike,
    *,
    weights: Weights = "unweighted",
    categories: npt.ArrayLike | None = None,
    level: float = 0.95,
) -> Result:
    """Gwet's AC1 (unweighted) or AC2 (linear or quadratic weights).

    AC = (P − Pₑ) / (1 − Pₑ), P the mean weighted agreement of pairs of ratings over units with at
    least two, Pₑ = T / (q (q − 1)) · Σ πⱼ (1 − πⱼ) with T the sum of all q × q weights and πⱼ the
    mean over rated units of the share of category j. Gwet (2008; 2014, chapter 5).

    Parameters
    ----------
    ratings : array_like, shape (units, raters)
        NaN where missing. Columns are mere slots.
    weights : {"unweighted", "linear", "quadratic"}
    categories : array_like, optional
        The whole scale. Without it the categories that occur are taken, and a category that
        nobody used changes the value.
    level : float

    Returns
    -------
    Estimate or Undefined
        Interval and p-value by Gwet's linearised standard error with Student's t. Where units were
        rated once it is wider than need be.

    Raises
    ------
    ValueError
        If a rating is not among `categories`.

    Examples
    --------
    >>> round(gwet_ac([[1, 1], [1, 2], [2, 2], [2, 2]]).value, 4)
    0.5294
    """
    statistic = "gwet-ac1" if weights == "unweighted" else "gwet-ac2"
    scale = "observed" if categories is None else "given"
    name = signature(statistic, weights=weights, categories=scale, level=level)
    coded = code_ratings(ratings, categories)
    n_units, n_pairable = coded.counts.size, int((coded.counts >= 2).sum())
    if n_pairable == 0:
        return Undefined("no unit was rated twice", n_units, "units", name)
    if coded.categories.size < 2:
        return Undefined("all ratings are in one category", n_units, "units", name)
    drawn = DrawnRatings.once(coded.values)
    agreement = drawn.pair_agreement(weights, coded.categories)[0]
    shares = category_shares(coded)
    factor = _chance_factor(coded.categories, weights)
    observed = float(np.nanmean(agreement))
    expected = factor * float((shares * (1 - shares)).sum())
    value = (observed - expected) / (1 - expected)
    error = _standard_error(coded, agreement, shares, factor, value)
    interval = p_value = None
    if error is not None:
        half = float(scipy.stats.t.ppf((1 + level) / 2, n_units - 1)) * error
        method = "linearised standard error, Student's t"
        interval = Interval(value - half, min(1.0, value + half), level, method)
        p_value = (
            float(2 * scipy.stats.t.sf(abs(value) / error, n_units - 1)) if error > 0 else None
        )
    counts = coded.counts
    return Estimate(
        value,
        n=n_pairable,
        unit="units",
        signature=name,
        raters=int(counts.max()),
        pairs=int((counts * (counts - 1) // 2).sum()),
        p_value=p_value,
        interval=interval,
        details={
            "observed_agreement": observed,
            "expected_agreement": expected,
            "standard_error": error,
            "test": "coefficient = 0, Student's t",
            "categories": int(coded.categories.size),
            "units_rated_once": n_units - n_pairable,
        },
    )


def weighted_gwet_ac(categories: FloatArray, weights: Weights) -> WeightedAgreement:
    """Gwet's AC1 or AC2 with the categories of all ratings, see `agreement.gwet.gwet_ac`."""
    factor = _chance_factor(categories, weights) if categories.size > 1 else 0.0

    def coefficient(drawn: DrawnRatings) -> FloatArray:
        shares = drawn.category_shares(categories)
        expected = factor * (shares * (1 - shares)).sum(axis=1)
        observed = drawn.mean_agreement(weights, categories)
        return chance_corrected(observed, expected)

    return coefficient


def _chance_factor(categories: FloatArray, weights: Weights) -> float:
    """Return the sum of all q × q agreement weights over q (q − 1), without making the table."""
    q = categories.size
    if weights == "unweighted":
        return 1 / (q - 1)
    scaled = (categories - categories[0]) / (categories[-1] - categories[0])
    if weights == "linear":
        # Sorted values: the i-th is above i others and below q − 1 − i.
        distance = 2 * float((scaled * (2 * np.arange(q) - q + 1)).sum())
    else:
        distance = 2 * q * float((scaled**2).sum()) - 2 * float(scaled.sum()) ** 2
    return (q * q - distance) / (q * (q - 1))


def _standard_error(
    coded: CodedRatings, agreement: FloatArray, shares: FloatArray, factor: float, value: float
) -> float | None:
    n_units = coded.counts.size
    if n_units < 2:
        return None
    pairable = coded.counts >= 2
    expected = factor * float((shares * (1 - shares)).sum())
    scale = n_units / pairable.sum()
    own = np.where(pairable, scale * (np.nan_to_num(agreement) - expected), 0.0) / (1 - expected)
    chance = factor * mean_over_ratings(coded, 1 - shares)
    influence = own - 2 * (1 - value) * (chance - expected) / (1 - expected)
    return math.sqrt(float(((influence - value) ** 2).sum()) / (n_units * (n_units - 1)))
