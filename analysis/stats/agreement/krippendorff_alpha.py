"""Krippendorff's alpha at four levels of measurement, with a bootstrap of units."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.agreement.weighted_ratings import (
    WeightedAgreement,
    WeightedRatings,
    code_ratings,
)
from analysis.stats.arrays import FloatArray, IntArray, ratio
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap, resampled_interval
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import signature

Scale = Literal["nominal", "ordinal", "interval", "ratio"]
SCALES: tuple[Scale, ...] = get_args(Scale)
ALL_THE_SAME = "all ratings that have a partner are the same"
"""Why there is no alpha where nobody disagrees with anybody, on any unit."""
MOST_RATIO_VALUES = 4000
"""A table of distances of this many values takes 128 MB."""
LARGE_TABLE = 50_000
"""Ratings beyond which units are not sorted into patterns for interval alpha, which needs sums."""


def krippendorff_alpha(
    ratings: npt.ArrayLike, scale: Scale, *, bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP
) -> Result:
    """Agreement of any number of raters on a nominal, ordinal, interval or ratio scale.

    α = 1 − Dₒ / Dₑ: observed over expected disagreement of pairs of ratings, the observed within
    units, the expected over all ratings that have a partner. Squared distances are 0 or 1
    (nominal), squared differences of mid-ranks (ordinal), (a − b)² (interval) and
    ((a − b) / (a + b))² (ratio). Krippendorff (2011, 2019).

    Value and draws come from one function of weights, exact for nominal, ordinal and interval at
    any size; the value equals that of the package `krippendorff`, which takes no weights. Ratio
    distances cannot be reduced to sums, there the number of distinct values is limited.

    Parameters
    ----------
    ratings : array_like, shape (units, raters)
        NaN where missing. Columns are mere slots; units with one rating do not enter.
    scale : {"nominal", "ordinal", "interval", "ratio"}
    bootstrap : Bootstrap, optional
        Units with at least two ratings are drawn with replacement; the expected disagreement is
        recomputed in each draw. None: no interval.

    Returns
    -------
    Estimate or Undefined
        ``details["degenerate_draws"]`` counts draws without any expected disagreement.

    Raises
    ------
    ValueError
        If the level is unknown.

    Examples
    --------
    >>> round(krippendorff_alpha([[1, 1], [1, 2], [3, 3]], "nominal", bootstrap=None).value, 4)
    0.5455
    """
    if scale not in SCALES:
        raise ValueError(f"unknown level of measurement: {scale}")
    variant = bootstrap.variant("units") if bootstrap else {}
    name = signature("krippendorff-alpha", scale=scale, **variant)
    coded = code_ratings(ratings)
    units = coded.counts.size
    pairable = coded.codes[coded.counts >= 2]
    values = coded.categories[np.unique(pairable[pairable >= 0])]
    if reason := _why_undefined(values, scale):
        return Undefined(reason, units, "units", name)
    patterns, frequencies = pairable, np.ones(len(pairable))
    is_large = np.size(ratings) > LARGE_TABLE
    if scale != "interval" or not is_large:
        distinct = distinct_patterns(pairable)
        # A group takes ten times as long to draw as a unit, which other statistics draw too.
        if not is_large or 10 * len(distinct[1]) < len(pairable):
            patterns, frequencies = distinct
    ratings_of = np.append(coded.categories, np.nan)[patterns]
    alpha = alpha_of_units(WeightedRatings.once(ratings_of), values, scale)
    counts = (patterns >= 0).sum(axis=1)
    n_pairable, most = int(frequencies.sum()), int(counts.max())
    details: dict[str, Any] = {"units_rated_once": units - n_pairable, "values": values.size}
    interval = None
    if bootstrap:
        cells = 1 if scale == "interval" else 2 * most
        interval, facts = resampled_interval(frequencies, alpha, bootstrap, "units", cells)
        details |= facts
    return Estimate(
        float(alpha(frequencies[None])[0]),
        n=n_pairable,
        unit="units",
        signature=name,
        raters=most,
        pairs=int((frequencies * counts * (counts - 1)).sum()) // 2,
        interval=interval,
        details=details,
    )


def distinct_patterns(codes: IntArray) -> tuple[IntArray, FloatArray]:
    """Return units' distinct ratings, whatever their order, and how many units have each.

    They are few on short scales; −1, a missing rating, comes first.
    """
    patterns, frequencies = np.unique(np.sort(codes, axis=1), axis=0, return_counts=True)
    return patterns, frequencies.astype(np.float64)


def _why_undefined(values: FloatArray, scale: Scale) -> str:
    """Say why there is no alpha of such distinct values; empty where there is one."""
    if not values.size:
        return "no unit was rated twice"
    if values.size < 2:
        return ALL_THE_SAME
    if scale == "ratio" and values.size > MOST_RATIO_VALUES:
        return (
            f"ratio alpha compares every two of {values.size} distinct values; "
            f"the limit is {MOST_RATIO_VALUES}: round the ratings or use the interval level"
        )
    if scale == "ratio" and values[0] < 0:
        return "a ratio scale has no values below zero"
    return ""


def squared_distance(left: FloatArray, right: FloatArray, scale: Scale) -> FloatArray:
    """Return squared distances of values on a nominal or a ratio scale."""
    if scale == "nominal":
        return np.asarray(left != right, dtype=np.float64)
    total = left + right
    shares = np.divide(left - right, total, out=np.zeros(total.shape), where=total != 0)
    return np.asarray(shares**2, dtype=np.float64)


def weighted_alpha(categories: FloatArray, scale: Scale) -> WeightedAgreement:
    """Krippendorff's alpha, its expected disagreement (and ranks) anew in each draw."""
    return lambda drawn: alpha_of_units(drawn, categories, scale)(drawn.units)


def alpha_of_units(
    drawn: WeightedRatings, categories: FloatArray, scale: Scale
) -> Callable[[FloatArray], FloatArray]:
    """Return Krippendorff's alpha as a function of weights of units; the rest is computed once.

    α = 1 − (n² − Q) / n · Σ_u m_u d_u / Σ_{c,k} n_c n_k δ²(c, k), with m_u the weight of the
    ratings of unit u, d_u the mean disagreement of its pairs, n = Σ m_u and n² − Q the weight of
    ordered pairs of different ratings (n (n − 1) with weights of one).
    """
    paired = (drawn.pair_weights() > 0).astype(np.float64)
    totals = drawn.totals()
    sizes, squares = paired * totals, paired * drawn.squared_totals()
    if scale == "interval":
        low, span = categories[0], max(float(np.ptp(categories)), 1e-12)
        scaled = np.nan_to_num((drawn.values - low) / span)
        disagreement, *sums = _squared_differences(drawn, scaled[None])
        sums = [paired * side for side in sums]
    elif scale == "ordinal":
        codes = np.searchsorted(categories, np.nan_to_num(drawn.values, nan=categories[0]))
    else:
        disagreement = drawn.mean_over_pairs(
            lambda left, right: squared_distance(left, right, scale)
        )
        distances = squared_distance(categories[:, None], categories[None, :], scale)
    counts = drawn.category_counts(categories, paired) if scale != "interval" else None

    def alpha(units: FloatArray) -> FloatArray:
        now = replace(drawn, units=units)
        n, own = now.over_units(sizes), now.over_units(squares)
        if counts is None:
            expected = _spread(n, *(now.over_units(side) for side in sums))
        elif scale == "ordinal":
            # Differences of mid-ranks, which each draw ranks anew.
            found = counts(units)
            ranks = np.nan_to_num(ratio(np.cumsum(found, axis=1) - found / 2, n[:, None]))
            by_draw, *_ = _squared_differences(drawn, ranks[:, codes])
            weighted = found * ranks
            expected = _spread(n, weighted.sum(axis=1), (weighted * ranks).sum(axis=1))
        elif scale == "nominal":
            expected = n**2 - (counts(units) ** 2).sum(axis=1)
        else:
            found = counts(units)
            expected = ((found @ distances) * found).sum(axis=1)
        differing = by_draw if scale == "ordinal" else disagreement
        observed = now.over_units(totals * np.nan_to_num(differing))
        shares = ratio(np.maximum(observed, 0.0), expected, least=0.0)
        return 1 - ratio(n**2 - own, n) * shares

    return alpha


def _squared_differences(
    drawn: WeightedRatings, values: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return each unit's mean squared difference of pairs, Σ w x and Σ w x² (draws × units).

    Over pairs Σ w w' (x − x')² = Σ w · Σ w x² − (Σ w x)².
    """
    total = (drawn.weights * values).sum(axis=2)
    squares = (drawn.weights * values**2).sum(axis=2)
    return ratio(drawn.totals() * squares - total**2, drawn.pair_weights()), total, squares


def _spread(n: FloatArray, total: FloatArray, squares: FloatArray) -> FloatArray:
    """Return Σ (x − x')² over ordered pairs of all ratings, zero where it is rounding."""
    spread = n * squares - total**2
    return np.where(spread > 1e-12 * n * squares, 2 * spread, 0.0)
