"""Agreement as percentages and correlations of pairs of ratings."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import combinations

import numpy as np
import numpy.typing as npt

from analysis.stats.agreement.rater_correlations import ResampledPairs, pair_correlations
from analysis.stats.agreement.weighted_ratings import (
    WeightedAgreement,
    WeightedRatings,
    code_ratings,
)
from analysis.stats.arrays import FloatArray, as_matrix, is_constant
from analysis.stats.correlation.pearson import correlate, fisher_interval, margin_of_r, r_of_sums
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap, resampled_interval
from analysis.stats.resampling.proportions import KORN_GRAUBARD, interval_of_mean_share
from analysis.stats.resampling.resampled_sums import SumStatistic
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import signature

LEAST_COMMON = 3
"""Units that two raters must share for a correlation between them."""


def percent_agreement(ratings: npt.ArrayLike, *, level: float = 0.95) -> Result:
    """Mean over units of the share of their pairs of ratings that are equal, as a share of 1.

    Parameters
    ----------
    ratings : array_like, shape (units, raters)
        NaN where missing; units with one rating do not enter. Columns are mere slots.
    level : float

    Returns
    -------
    Estimate or Undefined
        The interval treats units as independent, not pairs (Korn and Graubard 1998): with two
        ratings a unit it is Clopper and Pearson's, and where all ratings agree it is not [1, 1].

    Examples
    --------
    >>> percent_agreement([[1, 1], [1, 2]]).value
    0.5
    """
    name = signature("percent-agreement", interval=KORN_GRAUBARD, level=level)
    coded = code_ratings(ratings)
    agreement = WeightedRatings.once(coded.values).pair_agreement("unweighted", coded.categories)[0]
    twice = np.isfinite(agreement)
    if not twice.any():
        return Undefined("no unit was rated twice", coded.counts.size, "units", name)
    shares, counts = agreement[twice], coded.counts[twice]
    return Estimate(
        float(shares.mean()),
        n=shares.size,
        unit="units",
        signature=name,
        raters=int(coded.counts.max()),
        pairs=coded.pairs,
        interval=interval_of_mean_share(shares, counts * (counts - 1) / 2, level, over="units"),
        details={"units_rated_once": int((coded.counts == 1).sum())},
    )


def weighted_percent_agreement(drawn: WeightedRatings) -> FloatArray:
    """Percent agreement, see `analysis.stats.agreement.rater_pairs.percent_agreement`."""
    return drawn.mean_agreement("unweighted", np.zeros(1))


def pearson_file_order(ratings: npt.ArrayLike, *, level: float = 0.95) -> Result:
    """Pearson's r between the first and the second rating of each unit, in file order.

    Where units have different raters, the value depends on which rating is called the first: it
    is for replication, alongside `pearson_double_entry` and ICC(1). With more than two ratings of a
    unit every pair (i < j) enters; only with two is there an interval and a p-value.

    Parameters
    ----------
    ratings : array_like, shape (units, slots)
        NaN where missing, in file order, as `analysis.stats.arrays.slots_in_file_order` makes it.
    level : float

    Returns
    -------
    Estimate or Undefined
        ``n`` counts units.
    """
    name = signature("pearson-between-raters", order="file", level=level)
    values = code_ratings(ratings).values
    chosen = [values[:, pair] for pair in combinations(range(values.shape[1]), 2)]
    if not chosen:
        return Undefined("no unit was rated twice", values.shape[0], "units", name)
    stacked = np.concatenate(chosen)
    two_each = values.shape[1] == 2
    result = correlate(
        stacked[:, 0],
        stacked[:, 1],
        unit="units" if two_each else "pairs",
        independent=two_each,
        level=level,
        name=name,
    )
    if isinstance(result, Undefined):
        return result
    n_units = int((np.isfinite(values).sum(axis=1) >= 2).sum())
    details = dict(result.details)
    details["units_rated_once"] = values.shape[0] - n_units
    if not two_each:
        details.pop("test")
        details["margin"] = margin_of_r(result.value, n_units)
    return replace(
        result,
        n=n_units,
        unit="units",
        raters=values.shape[1],
        pairs=result.n,
        p_value=result.p_value if two_each else None,
        details=details,
    )


def pearson_double_entry(
    ratings: npt.ArrayLike, *, bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP
) -> Result:
    """Pearson's r over all ordered pairs of ratings of a unit, each pair entered both ways.

    Free of the order of ratings (Fisher 1925, chapter 7). With equal numbers of ratings it is the
    intraclass correlation with variances over n instead of n − 1.

    Parameters
    ----------
    ratings : array_like, shape (units, slots)
        NaN where missing. Columns are mere slots.
    bootstrap : Bootstrap, optional
        Units are drawn with replacement. None: no interval.

    Returns
    -------
    Estimate or Undefined
        ``n`` counts units, ``pairs`` unordered pairs.
    """
    variant = bootstrap.variant("units") if bootstrap else {}
    name = signature("pearson-between-raters", order="double-entry", **variant)
    coded = code_ratings(ratings)
    values = coded.values[coded.counts >= 2]
    counts = coded.counts[coded.counts >= 2].astype(np.float64)
    if counts.size == 0:
        return Undefined("no unit was rated twice", coded.counts.size, "units", name)
    if is_constant(values):
        return Undefined("all ratings are the same", counts.size, "units", name)
    # Sums over pairs from those over ratings: faster than `weighted_pearson` of annotators.
    scaled = _scaled(values)
    total, squares = np.nansum(scaled, axis=1), np.nansum(scaled**2, axis=1)
    single, square = (counts - 1) * total, (counts - 1) * squares
    sums = np.column_stack(
        [counts * (counts - 1), single, single, square, square, total**2 - squares]
    )
    value = float(r_of_sums(sums.sum(axis=0)))
    interval = None
    details: dict[str, object] = {"units_rated_once": int((coded.counts == 1).sum())}
    if bootstrap:
        interval, facts = resampled_interval(
            np.ones(counts.size), lambda weights: r_of_sums(weights @ sums), bootstrap, "units"
        )
        details |= facts
    return Estimate(
        value,
        n=counts.size,
        unit="units",
        signature=name,
        raters=int(counts.max()),
        pairs=int((counts * (counts - 1)).sum()) // 2,
        interval=interval,
        details=details,
    )


@cache
def weighted_pearson(*, both_ways: bool) -> WeightedAgreement:
    """Pearson's r of pairs of ratings, in file order or each pair entered both ways."""

    def r(drawn: WeightedRatings) -> FloatArray:
        if len(drawn.weights) == 1:
            return pearson_of_units(drawn, both_ways=both_ways)(drawn.units)
        return _r_of_pairs(_sums_of_pairs(drawn), both_ways)

    return r


def pearson_of_units(drawn: WeightedRatings, *, both_ways: bool) -> SumStatistic:
    """Return `weighted_pearson` as a function of weights of units, all raters drawn alike."""
    sums = np.zeros((len(drawn.values), 6))
    for products, weight in _products(drawn):
        sums += weight[0][:, None] * products
    return SumStatistic(sums, lambda of_draws: _r_of_pairs(of_draws, both_ways))


def _r_of_pairs(sums: FloatArray, both_ways: bool) -> FloatArray:
    if both_ways:
        # Counts and products are the same with first and second exchanged.
        sums = (sums + sums[:, [0, 2, 1, 4, 3, 5]]) / 2
    return r_of_sums(sums)


def _scaled(values: FloatArray) -> FloatArray:
    """Return values less their mean, the largest of size one, NaN where missing."""
    present = values[np.isfinite(values)]
    centre = present.mean() if present.size else 0.0
    largest = np.abs(present - centre).max(initial=0.0)
    return (values - centre) / (largest if largest > 0 else 1.0)


def _sums_of_pairs(drawn: WeightedRatings) -> FloatArray:
    """Return each draw's sums over pairs of 1, x, y, x², y² and xy (draws × 6)."""
    sums = np.zeros((1, 6))
    for products, weight in _products(drawn):
        sums = sums + (weight * drawn.units) @ products
    return sums


def _products(drawn: WeightedRatings) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield 1, x, y, x², y² and xy (units × 6) and weights (draws × units) of slot pairs."""
    for x, y, weight in replace(drawn, values=_scaled(drawn.values)).pairs():
        yield np.column_stack([np.ones(x.shape), x, y, x * x, y * y, x * y]), weight


def pearson_of_rater_pairs(
    ratings: npt.ArrayLike, *, least_common: int = LEAST_COMMON, level: float = 0.95
) -> Result:
    """Mean over pairs of raters of Pearson's r over the units that both rated.

    Parameters
    ----------
    ratings : array_like, shape (units, raters)
        One column per rater, NaN where missing.
    least_common : int
        A pair of raters with fewer units in common is left out and counted.
    level : float

    Returns
    -------
    Estimate or Undefined
        ``n`` counts pairs of raters; with a single pair it counts units and Fisher's interval is
        given.
    """
    name = signature("pearson-of-rater-pairs", least_common=least_common, level=level)
    matrix = as_matrix(ratings)
    found = pair_correlations(matrix, max(LEAST_COMMON, least_common))
    details = {"pairs_with_few_common_units": found.few, "constant_pairs_left_out": found.constant}
    if not found.r.size:
        reason = "no two raters with enough units in common and ratings that vary"
        return Undefined(reason, 0, "pairs of raters", name, details)
    value, single = float(found.r.mean()), found.r.size == 1
    return Estimate(
        value,
        n=int(found.common[0]) if single else found.r.size,
        unit="units" if single else "pairs of raters",
        signature=name,
        raters=matrix.shape[1],
        pairs=int(found.common.sum()),
        interval=fisher_interval(value, int(found.common[0]), level=level) if single else None,
        details={**details, "lowest": float(found.r.min()), "highest": float(found.r.max())},
    )


def weighted_rater_pairs(drawn: WeightedRatings) -> FloatArray:
    """Mean over pairs of raters of Pearson's r over their common units; slots are raters."""
    times = drawn.weights.max(axis=1, initial=0.0)
    return ResampledPairs(drawn.values, LEAST_COMMON).mean_r(times, drawn.units)


def rater_pairs_of_units(drawn: WeightedRatings) -> Callable[[FloatArray], FloatArray]:
    """Return `weighted_rater_pairs` as a function of weights of units, all raters drawn alike."""
    pairs = ResampledPairs(drawn.values, LEAST_COMMON)
    return partial(pairs.mean_r, drawn.weights.max(axis=1, initial=0.0))
