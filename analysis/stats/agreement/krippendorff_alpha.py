"""Krippendorff's alpha at four levels of measurement, with a bootstrap of units."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.agreement.alpha_disagreement import (
    PairableUnits,
    Scale,
    units_of_patterns,
    units_of_table,
)
from analysis.stats.agreement.coded_ratings import code_ratings
from analysis.stats.arrays import as_matrix
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap, resampled_interval
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import signature

SCALES: tuple[Scale, ...] = get_args(Scale)
ALL_THE_SAME = "all ratings that have a partner are the same"
"""Why there is no alpha where nobody disagrees with anybody, on any unit."""
MOST_RATIO_VALUES = 4000
"""A table of distances of this many values takes 128 MB."""
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

    Both disagreements come from per-unit sums, which need no table of all values: exact for
    nominal, ordinal and interval at any size. Ratio distances cannot be reduced to sums, there the
    number of distinct values is limited.

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
        units = units_of_table(as_matrix(ratings))
    else:
        units = units_of_patterns(code_ratings(ratings), scale)
    n_pairable = int(units.frequencies.sum())
    reason = _why_undefined(units, scale)
    if reason:
        return Undefined(reason, units.units, "units", name)
    details: dict[str, Any] = {"units_rated_once": units.units - n_pairable, "values": units.values}
    most, interval = int(units.counts.max()), None
    if bootstrap:
        cells = 1 if scale == "interval" else 2 * most
        interval, facts = resampled_interval(
            units.frequencies, units.alpha, bootstrap, "units", cells
        )
        details |= facts
    return Estimate(
        float(units.alpha(units.frequencies[None])[0]),
        n=n_pairable,
        unit="units",
        signature=name,
        raters=most,
        pairs=int((units.frequencies * units.counts * (units.counts - 1)).sum()) // 2,
        interval=interval,
        details=details,
    )


def _why_undefined(units: PairableUnits, scale: Scale) -> str:
    """Say why there is no alpha; empty where there is one."""
    if not units.counts.size:
        return "no unit was rated twice"
    if units.values < 2:
        return ALL_THE_SAME
    if scale == "ratio" and units.values > MOST_RATIO_VALUES:
        return (
            f"ratio alpha compares every two of {units.values} distinct values; "
            f"the limit is {MOST_RATIO_VALUES}: round the ratings or use the interval level"
        )
    if scale == "ratio" and units.lowest < 0:
        return "a ratio scale has no values below zero"
    return ""
