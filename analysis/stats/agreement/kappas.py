"""Agreement beyond chance: Cohen's and Fleiss' kappa, Gwet's AC1 and AC2."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.agreement.weighted_ratings import (
    CodedRatings,
    WeightedAgreement,
    WeightedRatings,
    Weights,
    agreement_weight,
    category_shares,
    chance_corrected,
    code_ratings,
    mean_over_ratings,
)
from analysis.stats.arrays import FloatArray, as_matrix, ratio
from analysis.stats.results import Estimate, Interval, Result, Undefined, with_details
from analysis.stats.signature import signature


def why_undefined(coded: CodedRatings) -> str:
    """Say why no agreement beyond chance can be computed; empty if it can."""
    if not (coded.counts >= 2).any():
        return "no unit was rated twice"
    return "all ratings are in one category" if coded.categories.size < 2 else ""


@dataclass(frozen=True, slots=True)
class ChanceCorrected:
    """(observed − expected) / (1 − expected); the error is None for a single unit."""

    coded: CodedRatings
    observed: float
    expected: float
    value: float
    error: float | None

    @classmethod
    def of(
        cls, coded: CodedRatings, weights: Weights, expected: float, chance: FloatArray
    ) -> "ChanceCorrected":
        """Compute it, with its error by linearisation (Gwet 2014).

        Parameters
        ----------
        coded : CodedRatings
        weights : {"unweighted", "linear", "quadratic"}
            How far two categories agree.
        expected : float
            Agreement by chance.
        chance : ndarray, shape (units,)
            Mean over a unit's ratings of their agreement by chance.
        """
        agreement = WeightedRatings.once(coded.values).pair_agreement(weights, coded.categories)[0]
        observed = float(np.nanmean(agreement))
        value = (observed - expected) / (1 - expected)
        n_units, pairable = coded.counts.size, coded.counts >= 2
        if n_units < 2:
            return cls(coded, observed, expected, value, None)
        above = n_units / pairable.sum() * (np.nan_to_num(agreement) - expected)
        own = np.where(pairable, above, 0.0) / (1 - expected)
        influence = own - 2 * (1 - value) * (chance - expected) / (1 - expected)
        squares = float(((influence - value) ** 2).sum())
        return cls(coded, observed, expected, value, math.sqrt(squares / (n_units * (n_units - 1))))

    def estimate(
        self, name: str, level: float, method: str, p_value: float | None, **test: object
    ) -> Estimate:
        """Return the value with Student's t interval, a test's p-value and facts of the test."""
        counts, interval = self.coded.counts, None
        pairable = int((counts >= 2).sum())
        if self.error is not None:
            half = float(scipy.stats.t.ppf((1 + level) / 2, counts.size - 1)) * self.error
            low, high = self.value - half, min(1.0, self.value + half)
            interval = Interval(low, high, level, f"{method}, Student's t")
        return Estimate(
            self.value,
            n=pairable,
            unit="units",
            signature=name,
            raters=int(counts.max()),
            pairs=self.coded.pairs,
            p_value=p_value,
            interval=interval,
            details={
                "observed_agreement": self.observed,
                "expected_agreement": self.expected,
                "standard_error": self.error,
                **test,
                "categories": int(self.coded.categories.size),
                "units_rated_once": counts.size - pairable,
            },
        )


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
    null_error = _fleiss_null_error(coded, shares)
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
    """Fleiss' kappa, see `analysis.stats.agreement.kappas.fleiss_kappa`."""

    def kappa(drawn: WeightedRatings) -> FloatArray:
        expected = (drawn.category_shares(categories) ** 2).sum(axis=1)
        observed = drawn.mean_agreement("unweighted", categories)
        return chance_corrected(observed, expected)

    return kappa


def _fleiss_null_error(coded: CodedRatings, shares: FloatArray) -> float:
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
    """Gwet's AC1 or AC2 with the categories of all ratings, see `agreement.kappas.gwet_ac`."""
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
