"""Krippendorff's alpha at four levels of measurement, with a bootstrap of units."""

from __future__ import annotations

from typing import Literal

import krippendorff
import numpy as np
import numpy.typing as npt

from analysis.stats.alpha_disagreement import (
    MOST_RATIO_VALUES,
    RatingPatterns,
    Scale,
    alpha_of_resamples,
    rating_patterns,
)
from analysis.stats.arrays import FloatArray, as_matrix
from analysis.stats.coded_ratings import code_ratings
from analysis.stats.interval_alpha import alpha_of_sums, sums_of_units
from analysis.stats.resampling import (
    STANDARD_BOOTSTRAP,
    Bootstrap,
    bootstrap_draws,
    percentile_interval,
)
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import signature

__all__ = ["SCALES", "Scale", "krippendorff_alpha"]

SCALES: tuple[Literal["nominal", "ordinal", "interval", "ratio"], ...] = (
    "nominal",
    "ordinal",
    "interval",
    "ratio",
)
PACKAGE_CELLS = 200_000
"""Units × values² up to which the krippendorff package answers at once."""
LARGE_TABLE = 50_000
"""Ratings beyond which interval alpha does not sort them: sums of units are all it needs."""


def krippendorff_alpha(
    ratings: npt.ArrayLike, scale: Scale, *, bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP
) -> Result:
    """Agreement of any number of raters on a nominal, ordinal, interval or ratio scale.

    α = 1 − Dₒ / Dₑ: observed over expected disagreement of pairs of ratings, the observed within
    units, the expected over all ratings that have a partner. Squared distances are 0 or 1
    (nominal), squared differences of mid-ranks (ordinal), (a − b)² (interval) and
    ((a − b) / (a + b))² (ratio). Krippendorff (2011, 2019).

    Small tables are given to the ``krippendorff`` package. On long or continuous scales both
    disagreements come from per-unit sums, which need no table of all values: exact for nominal,
    ordinal and interval at any size. Ratio distances cannot be reduced to sums, there the number
    of distinct values is limited.

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
    if scale == "interval" and np.size(ratings) > LARGE_TABLE:
        return _interval_of_large_table(as_matrix(ratings), name, bootstrap)
    coded = code_ratings(ratings)
    n_units = coded.counts.size
    if not (coded.counts >= 2).any():
        return Undefined("no unit was rated twice", n_units, "units", name)
    patterns = rating_patterns(coded)
    if patterns.categories.size < 2:
        reason = "all ratings that have a partner are the same"
        return Undefined(reason, n_units, "units", name)
    if scale == "ratio" and patterns.categories.size > MOST_RATIO_VALUES:
        reason = (
            f"ratio alpha compares every two of {patterns.categories.size} distinct values; "
            f"the limit is {MOST_RATIO_VALUES}: round the ratings or use the interval level"
        )
        return Undefined(reason, n_units, "units", name)
    if scale == "ratio" and patterns.categories[0] < 0:
        return Undefined("a ratio scale has no values below zero", n_units, "units", name)
    value = _point(patterns, scale)
    n_pairable = int(patterns.frequencies.sum())
    details = {"units_rated_once": n_units - n_pairable, "values": int(patterns.categories.size)}
    interval = None
    if bootstrap:
        draws = bootstrap_draws(
            patterns.frequencies,
            lambda weights: alpha_of_resamples(patterns, weights, scale),
            bootstrap,
            cells_per_unit=2 * patterns.codes.shape[1],
        )
        interval, degenerate = percentile_interval(draws, bootstrap, "units")
        details |= {"resamples": bootstrap.resamples, "degenerate_draws": degenerate}
    counts = coded.counts
    return Estimate(
        value,
        n=n_pairable,
        unit="units",
        signature=name,
        raters=int(counts.max()),
        pairs=int((counts * (counts - 1) // 2).sum()),
        interval=interval,
        details=details,
    )


def _interval_of_large_table(matrix: FloatArray, name: str, bootstrap: Bootstrap | None) -> Result:
    units = sums_of_units(matrix)
    n_pairable, n_units = units.counts.size, units.units
    if not n_pairable:
        return Undefined("no unit was rated twice", n_units, "units", name)
    value = float(alpha_of_sums(units, np.ones((1, n_pairable)))[0])
    if not np.isfinite(value):
        reason = "all ratings that have a partner are the same"
        return Undefined(reason, n_units, "units", name)
    details = {"units_rated_once": n_units - n_pairable, "values": units.values}
    interval = None
    if bootstrap:
        draws = bootstrap_draws(
            np.ones(n_pairable), lambda weights: alpha_of_sums(units, weights), bootstrap
        )
        interval, degenerate = percentile_interval(draws, bootstrap, "units")
        details |= {"resamples": bootstrap.resamples, "degenerate_draws": degenerate}
    return Estimate(
        value,
        n=n_pairable,
        unit="units",
        signature=name,
        raters=int(units.counts.max()),
        pairs=int((units.counts * (units.counts - 1) / 2).sum()),
        interval=interval,
        details=details,
    )


def _point(patterns: RatingPatterns, scale: Scale) -> float:
    units, values = int(patterns.frequencies.sum()), patterns.categories.size
    if units * values**2 > PACKAGE_CELLS:
        return float(alpha_of_resamples(patterns, patterns.frequencies[None, :], scale)[0])
    counts = np.zeros((patterns.codes.shape[0], values))
    rows, columns = np.nonzero(patterns.codes >= 0)
    np.add.at(counts, (rows, patterns.codes[rows, columns]), 1)
    every_unit: FloatArray = np.repeat(counts, patterns.frequencies.astype(np.int64), axis=0)
    return float(
        krippendorff.alpha(
            value_counts=every_unit,
            value_domain=patterns.categories,
            level_of_measurement=scale,
        )
    )
