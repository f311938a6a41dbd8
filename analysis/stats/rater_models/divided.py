"""How raters are divided over an item: entropy, agreement on an ordered scale, bimodality."""

from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray
from analysis.stats.rater_models.labels import entropy
from analysis.stats.resampling.bootstrap import Bootstrap, interval_of_ratio
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import signature

Measure = Literal["entropy", "ordinal-agreement", "bimodality"]
MOST_POINTS = 12
"""Points of a scale for which every pattern of answers is looked up: 4,096."""
UNIFORM_BIMODALITY = 5 / 9
"""Sarle's coefficient of a uniform distribution; above it a distribution counts as bimodal."""
FEWEST_FOR_BIMODALITY = 10
"""With fewer answers even half at each end stays below 5/9, so strong is the correction."""
_UNITS = "items"


def relative_entropy(counts: npt.ArrayLike) -> FloatArray:
    """Return the entropy of each row as a share of the largest possible: 0 agree, 1 even.

    Parameters
    ----------
    counts : array_like, shape (items, categories)

    Returns
    -------
    ndarray, shape (items,)
        NaN where there is no answer, or only one category to choose from.

    Examples
    --------
    >>> relative_entropy([[4, 0, 0, 0], [1, 1, 1, 1], [2, 2, 0, 0]]).tolist()
    [0.0, 1.0, 0.5]
    """
    table = _table(counts)
    if table.shape[1] < 2:
        return np.full(len(table), np.nan)
    shares: FloatArray = entropy(table) / np.log2(table.shape[1])
    return np.where(table.sum(axis=1) > 0, shares, np.nan)


def ordinal_agreement(counts: npt.ArrayLike) -> FloatArray:
    """Return van der Eijk's agreement A of each row of answers on an ordered scale.

    1 where all give one answer, 0 where every answer is as frequent, −1 where half of the raters
    are at each end. The answers are taken apart into layers, in each of which every answer occurs
    equally often or not at all; A is the mean of the layers' agreement, weighted by how many
    answers they hold. That of a layer with S of K points is U (1 − (S − 1) / (K − 1)), where
    U = ((K − 2) T − (K − 1) D) / ((K − 2) (T + D)), T counts triples of points, in order, that
    fit one peak (110, 011), D those that do not (101). Van der Eijk (2001), "Measuring Agreement
    in Ordered Rating Scales", Quality & Quantity 35.

    Parameters
    ----------
    counts : array_like, shape (items, points)
        How often each point was given, lowest point first.

    Returns
    -------
    ndarray, shape (items,)
        NaN where there is no answer, and everywhere with fewer than three points, where it is not
        defined.

    Raises
    ------
    ValueError
        If there are more than `MOST_POINTS`.

    Examples
    --------
    >>> ordinal_agreement([[0, 6, 0, 0, 0], [2, 2, 2, 2, 2], [5, 0, 0, 0, 5]]).tolist()
    [1.0, 0.0, -1.0]
    >>> ordinal_agreement([[0, 3, 1, 0, 0]]).tolist()
    [0.875]
    """
    table = _table(counts)
    items, points = table.shape
    if points > MOST_POINTS:
        raise ValueError(f"{points} points are no categories; up to {MOST_POINTS} are taken")
    if points < 3:
        return np.full(items, np.nan)
    totals = table.sum(axis=1)
    of_pattern, bits = _agreement_of_patterns(points), 2 ** np.arange(points)
    found, below = np.zeros(items), np.zeros(items)
    for level in np.sort(table, axis=1).T:
        pattern = table >= np.maximum(level, np.finfo(float).tiny)[:, None]
        held = (level - below) * pattern.sum(axis=1)
        found += held * of_pattern[pattern @ bits]
        below = level
    with np.errstate(invalid="ignore"):
        agreement: FloatArray = found / totals
    return agreement


@cache
def _agreement_of_patterns(points: int) -> FloatArray:
    """Return A of every pattern of points that occur; the number of a pattern has a bit a point."""
    patterns = (np.arange(2**points)[:, None] >> np.arange(points)) & 1
    found = np.zeros(len(patterns))
    for number, there in enumerate(patterns):
        empty, occurs = 1 - there, np.flatnonzero(there)
        pairs = [(first, second) for first in occurs for second in occurs if first < second]
        # A triple is two points that occur and one that does not: between the two, or outside.
        deviating = sum(int(empty[first:second].sum()) for first, second in pairs)
        fitting = len(pairs) * int(empty.sum()) - deviating
        shape = 1.0
        if deviating + fitting:
            shape = (points - 2) * fitting - (points - 1) * deviating
            shape /= (points - 2) * (fitting + deviating)
        found[number] = shape * (1 - (len(occurs) - 1) / (points - 1)) if len(occurs) else 0.0
    return found


def bimodality(counts: npt.ArrayLike, points: npt.ArrayLike) -> FloatArray:
    """Return Sarle's bimodality coefficient of each row of answers, corrected for few answers.

    (g² + 1) / (k + 3 (n − 1)² / ((n − 2) (n − 3))), with the skewness g and the excess kurtosis k
    of a sample, both corrected for bias. 5/9 is that of a uniform distribution, 1 that of two
    points; skewed answers with one peak can exceed 5/9 too. SAS Institute (1990), SAS/STAT User's
    Guide; Pfister and others (2013), Frontiers in Psychology 4:700.

    Parameters
    ----------
    counts : array_like, shape (items, points)
    points : array_like, shape (points,)
        The value of each answer.

    Returns
    -------
    ndarray, shape (items,)
        NaN with fewer than ten answers, and where all are the same.

    Examples
    --------
    >>> bimodality([[5, 0, 0, 0, 5], [3, 0, 0, 0, 0]], [1, 2, 3, 4, 5]).round(3).tolist()
    [0.566, nan]
    """
    table, values = _table(counts), np.asarray(points, dtype=np.float64)
    n = table.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = values - ((table @ values) / n)[:, None]
        second, third, fourth = ((table * apart**power).sum(axis=1) / n for power in (2, 3, 4))
        skewness = np.sqrt(n * (n - 1)) / (n - 2) * third / second**1.5
        raw = fourth / second**2 - 3
        excess = (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * raw + 6)
        corrected = 3 * (n - 1) ** 2 / ((n - 2) * (n - 3))
        found: FloatArray = (skewness**2 + 1) / (excess + corrected)
    varies = (table > 0).sum(axis=1) > 1
    return np.where((n >= FEWEST_FOR_BIMODALITY) & varies, found, np.nan)


def mean_division(
    values: npt.ArrayLike,
    units: npt.ArrayLike,
    measure: Measure,
    *,
    above: float | None = None,
    below: float | None = None,
    bootstrap: Bootstrap,
) -> Result:
    """Return the mean of a measure over items, or the share of items above or below a limit.

    Parameters
    ----------
    values : array_like, shape (items,)
        NaN where it is undefined of an item; such items are left out and counted.
    units : array_like of int, shape (items,)
        Segment of each item: segments are resampled.
    measure : {"entropy", "ordinal-agreement", "bimodality"}
    above, below : float, optional
        The share on this side is returned in place of the mean.
    bootstrap : Bootstrap

    Returns
    -------
    Estimate or Undefined
    """
    found, segments = np.asarray(values, dtype=np.float64), np.asarray(units)
    name = signature(
        f"{'mean' if above is None and below is None else 'share'}-of-{measure}",
        above=above,
        below=below,
        **bootstrap.variant("segments"),
    )
    known = np.isfinite(found)
    n = int(known.sum())
    if not n:
        return Undefined(_WHY_NOT[measure], 0, _UNITS, name)
    taken = found[known]
    if above is not None:
        taken = (taken > above).astype(np.float64)
    elif below is not None:
        taken = (taken < below).astype(np.float64)
    interval, facts = interval_of_ratio(taken, np.ones(n), segments[known], bootstrap)
    details = {"left_out": int(found.size - n), "degenerate_draws": facts["degenerate_draws"]}
    return Estimate(float(taken.mean()), n, _UNITS, name, interval=interval, details=details)


_WHY_NOT: dict[Measure, str] = {
    "entropy": "no item has two answers",
    "ordinal-agreement": "the answers are no scale of three points or more",
    "bimodality": "no item has ten answers on a scale that differ",
}


def _table(counts: npt.ArrayLike) -> FloatArray:
    table = np.asarray(counts, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError(f"counts have {table.ndim} dimensions, expected items × categories")
    return table
