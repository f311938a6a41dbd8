"""Fleiss' kappa with its null test and its non-null interval."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.agreement.chance_correction import ChanceCorrected, why_undefined
from analysis.stats.agreement.coded_ratings import (
    CodedRatings,
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
from analysis.stats.results import Result, Undefined, with_details
from analysis.stats.signature import signature


def fleiss_kappa(ratings: npt.ArrayLike, *, level: float = 0.95) -> Result:
    """Agreement of categorical ratings beyond chance, raters being interchangeable.

    κ = (P − Pₑ) / (1 − Pₑ), where P is the mean over units of the share of agreeing pairs of
    ratings and Pₑ = Σ pⱼ² with pⱼ the mean over units of the share of category j. Units may have
    unequal numbers of ratings: P is the mean over units with at least two, pⱼ over all rated
    units, every unit counting once (Gwet 2014, chapter 2). A missing rating is not a category.
    statsmodels' `fleiss_kappa` needs equally many ratings of all units, where both are equal.

    Parameters
    ----------
    ratings : array_like, shape (units, raters)
        Category of each rating as a number, NaN where missing. Columns are mere slots.
    level : float
        Coverage of the interval.

    Returns
    -------
    Estimate or Undefined
        ``p_value`` belongs to the null test (Fleiss, Nee and Landis 1979), whose z and standard
        error are in ``details``; ``interval`` uses the non-null standard error, linearised
        (Gwet 2014), with Student's t.

    Examples
    --------
    >>> round(fleiss_kappa([[1, 1], [1, 2], [2, 2], [2, 2]]).value, 4)
    0.4667
    """
    name = signature("fleiss-kappa", level=level)
    coded = code_ratings(ratings)
    if reason := why_undefined(coded):
        return Undefined(reason, coded.counts.size, "units", name)
    shares = category_shares(coded)
    expected, chance = float((shares**2).sum()), mean_over_ratings(coded, shares)
    corrected = ChanceCorrected.of(coded, "unweighted", expected, chance)
    null_error = _null_standard_error(coded, shares)
    z = corrected.value / null_error
    result = corrected.estimate(
        name,
        level,
        "non-null standard error",
        float(2 * scipy.stats.norm.sf(abs(z))),
        z=z,
        null_standard_error=null_error,
        test="kappa = 0, Fleiss, Nee and Landis (1979)",
    )
    return with_details(result, unequal_numbers_of_ratings=bool(np.ptp(coded.counts) > 0))


def weighted_fleiss_kappa(categories: FloatArray) -> WeightedAgreement:
    """Fleiss' kappa, see `analysis.stats.agreement.fleiss.fleiss_kappa`."""

    def kappa(drawn: WeightedRatings) -> FloatArray:
        expected = (drawn.category_shares(categories) ** 2).sum(axis=1)
        observed = drawn.mean_agreement("unweighted", categories)
        return chance_corrected(observed, expected)

    return kappa


def _null_standard_error(coded: CodedRatings, shares: FloatArray) -> float:
    """Standard error if ratings were independent draws from the overall shares.

    With equal numbers of ratings this is the formula of Fleiss, Nee and Landis (1979). Unequal
    numbers enter through each unit's own number of pairs; the second term is the share of units
    that were rated once in estimating the categories' shares.
    """
    pairable = coded.counts[coded.counts >= 2].astype(np.float64)
    spread = float((shares * (1 - shares)).sum())
    skew = float((shares * (1 - shares) * (1 - 2 * shares)).sum())
    per_pair = (spread**2 - skew) / spread**2
    variance = float((2 / (pairable * (pairable - 1))).sum()) / pairable.size**2 * per_pair
    n_units = coded.counts.size
    weight = np.where(coded.counts >= 2, 1 / pairable.size, 0.0) - 1 / n_units
    linear = 4 * float((shares**3).sum() - (shares**2).sum() ** 2) / spread**2
    return math.sqrt(variance + linear * float((weight**2 / coded.counts).sum()))
