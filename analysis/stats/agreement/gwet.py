"""Gwet's AC1 and AC2: agreement that stays stable when one category dominates."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.agreement.chance_correction import ChanceCorrected, why_undefined
from analysis.stats.agreement.coded_ratings import (
    Weights,
    category_shares,
    code_ratings,
    mean_over_ratings,
)
from analysis.stats.agreement.weighted_ratings import (
    WeightedAgreement,
    WeightedRatings,
    chance_corrected,
)
from analysis.stats.arrays import FloatArray
from analysis.stats.results import Result, Undefined
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
    if reason := why_undefined(coded):
        return Undefined(reason, coded.counts.size, "units", name)
    shares = category_shares(coded)
    factor = _chance_factor(coded.categories, weights)
    expected = factor * float((shares * (1 - shares)).sum())
    chance = factor * mean_over_ratings(coded, 1 - shares)
    corrected = ChanceCorrected.of(coded, weights, expected, chance)
    p_value = None
    if corrected.error:
        t = abs(corrected.value) / corrected.error
        p_value = float(2 * scipy.stats.t.sf(t, coded.counts.size - 1))
    test = "coefficient = 0, Student's t"
    return corrected.estimate(name, level, "linearised standard error", p_value, test=test)


def weighted_gwet_ac(categories: FloatArray, weights: Weights) -> WeightedAgreement:
    """Gwet's AC1 or AC2 with the categories of all ratings, see `agreement.gwet.gwet_ac`."""
    factor = _chance_factor(categories, weights) if categories.size > 1 else 0.0

    def coefficient(drawn: WeightedRatings) -> FloatArray:
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
