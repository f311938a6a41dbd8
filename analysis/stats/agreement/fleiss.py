"""Fleiss' kappa with its null test and its non-null interval."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.agreement.coded_ratings import (
    CodedRatings,
    category_shares,
    code_ratings,
    mean_over_ratings,
)
from analysis.stats.agreement.drawn_ratings import DrawnRatings, WeightedAgreement, chance_corrected
from analysis.stats.arrays import FloatArray
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import signature


def fleiss_kappa(ratings: npt.ArrayLike, *, level: float = 0.95) -> Result:
    """Agreement of categorical ratings beyond chance, raters being interchangeable.

    κ = (P − Pₑ) / (1 − Pₑ), where P is the mean over units of the share of agreeing pairs of
    ratings and Pₑ = Σ pⱼ² with pⱼ the mean over units of the share of category j. Units may have
    unequal numbers of ratings: P is the mean over units with at least two, pⱼ over all rated
    units, every unit counting once (Gwet 2014, chapter 2). A missing rating is not a category.

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
    n_units, n_pairable = coded.counts.size, int((coded.counts >= 2).sum())
    if n_pairable == 0:
        return Undefined("no unit was rated twice", n_units, "units", name)
    if coded.categories.size < 2:
        return Undefined("all ratings are in one category", n_units, "units", name)
    drawn = DrawnRatings.once(coded.values)
    agreement = drawn.pair_agreement("unweighted", coded.categories)[0]
    shares = category_shares(coded)
    observed, expected = float(np.nanmean(agreement)), float((shares**2).sum())
    kappa = (observed - expected) / (1 - expected)
    error = _standard_error(coded, agreement, shares, kappa)
    null_error = _null_standard_error(coded, shares)
    z = kappa / null_error
    counts = coded.counts
    return Estimate(
        kappa,
        n=n_pairable,
        unit="units",
        signature=name,
        raters=int(counts.max()),
        pairs=int((counts * (counts - 1) // 2).sum()),
        p_value=float(2 * scipy.stats.norm.sf(abs(z))),
        interval=_interval(kappa, error, n_units, level),
        details={
            "observed_agreement": observed,
            "expected_agreement": expected,
            "standard_error": error,
            "z": z,
            "null_standard_error": null_error,
            "test": "kappa = 0, Fleiss, Nee and Landis (1979)",
            "categories": int(coded.categories.size),
            "units_rated_once": n_units - n_pairable,
            "unequal_numbers_of_ratings": bool(np.ptp(counts) > 0),
        },
    )


def weighted_fleiss_kappa(categories: FloatArray) -> WeightedAgreement:
    """Fleiss' kappa, see `analysis.stats.agreement.fleiss.fleiss_kappa`."""

    def kappa(drawn: DrawnRatings) -> FloatArray:
        expected = (drawn.category_shares(categories) ** 2).sum(axis=1)
        observed = drawn.mean_agreement("unweighted", categories)
        return chance_corrected(observed, expected)

    return kappa


def _standard_error(
    coded: CodedRatings, agreement: FloatArray, shares: FloatArray, kappa: float
) -> float | None:
    """Non-null standard error by linearisation; None for a single unit."""
    n_units = coded.counts.size
    if n_units < 2:
        return None
    pairable = coded.counts >= 2
    expected = float((shares**2).sum())
    scale = n_units / pairable.sum()
    own = np.where(pairable, scale * (np.nan_to_num(agreement) - expected), 0.0) / (1 - expected)
    chance = mean_over_ratings(coded, shares)
    influence = own - 2 * (1 - kappa) * (chance - expected) / (1 - expected)
    return math.sqrt(float(((influence - kappa) ** 2).sum()) / (n_units * (n_units - 1)))


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


def _interval(kappa: float, error: float | None, n_units: int, level: float) -> Interval | None:
    if error is None:
        return None
    half = float(scipy.stats.t.ppf((1 + level) / 2, n_units - 1)) * error
    low, high = kappa - half, min(1.0, kappa + half)
    return Interval(low, high, level, "non-null standard error, Student's t")
