"""Effects on a judge's scores, with intervals that take outputs of one segment together."""

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit
from scipy.stats import rankdata

from analysis.stats.arrays import FloatArray, IntArray
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import signature

FEWEST_SEGMENTS = 3
LEVEL = 0.95


def mean_shift(changed: npt.ArrayLike, plain: npt.ArrayLike, units: npt.ArrayLike) -> Result:
    """Return by how much scores of changed outputs differ from those of the outputs as they are.

    The interval is Student's t, whose variance is that of segments.

    Parameters
    ----------
    changed, plain : array_like, shape (outputs,)
        NaN where there is none.
    units : array_like of int, shape (outputs,)
        The segment of each.

    Examples
    --------
    >>> mean_shift([4, 5, 5, 4], [3, 3, 4, 4], [0, 1, 2, 3]).value
    1.0
    """
    shift = np.asarray(changed, dtype=np.float64) - np.asarray(plain, dtype=np.float64)
    known = np.isfinite(shift)
    ones = np.ones((int(known.sum()), 1))
    segments = np.asarray(units, dtype=np.int64)[known]
    return _effect("mean-shift", shift[known], ones, segments)


def own_family_shift(
    scores: npt.ArrayLike, human: npt.ArrayLike, own: npt.ArrayLike, units: npt.ArrayLike
) -> Result:
    """Return how much higher a judge scores outputs of its own family, at equal human scores.

    The coefficient of "own" in the least-squares regression of the scores on human score and own;
    its variance takes the outputs of a segment together (Liang and Zeger 1986, with the usual
    correction for few segments).

    Parameters
    ----------
    scores, human : array_like, shape (outputs,)
        NaN where there is none.
    own : array_like of bool, shape (outputs,)
        Whether the system is of the judge's family.
    units : array_like of int, shape (outputs,)
    """
    y, x, is_own = (np.asarray(each, dtype=np.float64) for each in (scores, human, own))
    known = np.isfinite(y) & np.isfinite(x)
    columns = np.column_stack([is_own, x, np.ones(len(y))])[known]
    segments = np.asarray(units, dtype=np.int64)[known]
    name = "own-family-shift"
    if not 0 < columns[:, 0].sum() < len(columns):
        return Undefined(
            "rated outputs of the judge's family and of others are needed",
            len(columns),
            "outputs",
            signature(name, interval="clustered by segment"),
        )
    return _effect(name, y[known], columns, segments)


def length_correlation(
    scores: npt.ArrayLike, lengths: npt.ArrayLike, human: npt.ArrayLike | None = None
) -> Result:
    """Return Spearman's correlation of scores and lengths, partial on human scores if given.

    Intervals are Fisher's, with one output less for the human score; outputs count as independent.

    Examples
    --------
    >>> round(length_correlation([1, 3, 2, 5, 4], [2, 4, 6, 9, 8]).value, 3)
    0.9
    """
    given = [scores, lengths] if human is None else [scores, lengths, human]
    columns = np.column_stack([np.asarray(each, dtype=np.float64) for each in given])
    columns = columns[np.isfinite(columns).all(axis=1)]
    n, held = len(columns), 0 if human is None else 1
    partial = "human score" if held else None
    name = signature("length-correlation", coefficient="Spearman", partial=partial)
    if n < 4 + held:
        return Undefined("too few outputs", n, "outputs", name)
    ranks = np.apply_along_axis(rankdata, 0, columns)
    if (np.ptp(ranks, axis=0) == 0).any():
        return Undefined("scores, lengths or ratings do not vary", n, "outputs", name)
    r = np.corrcoef(ranks, rowvar=False)
    value = float(r[0, 1])
    if held:
        rest = (1 - r[0, 2] ** 2) * (1 - r[1, 2] ** 2)
        if rest <= 1e-12:
            return Undefined("human scores explain the other ranks wholly", n, "outputs", name)
        value = float((r[0, 1] - r[0, 2] * r[1, 2]) / math.sqrt(rest))
    value = min(1.0, max(-1.0, value))
    if abs(value) == 1:
        return Estimate(value, n, "outputs", name)
    z = 1 / math.sqrt(n - 3 - held)
    reach = -float(stdtrit(np.inf, (1 - LEVEL) / 2)) * z
    low, high = (math.tanh(math.atanh(value) + end) for end in (-reach, reach))
    return Estimate(value, n, "outputs", name, interval=Interval(low, high, LEVEL, "Fisher z"))


def spread_of_samples(samples: npt.ArrayLike, units: npt.ArrayLike) -> Result:
    """Return the standard deviation of several answers to the same question.

    The root of the mean variance within an output; its interval is Student's of that mean, over
    segments. `details` has the share of the whole variance that is within outputs: 0 where a judge
    repeats itself, 1 where an answer says nothing of the next one.

    Parameters
    ----------
    samples : array_like, shape (outputs, k)
        NaN where there is none; outputs with fewer than two count for nothing.
    units : array_like of int, shape (outputs,)

    Examples
    --------
    >>> spread_of_samples([[1, 3], [2, 4], [5, 5], [4, 2]], [0, 1, 2, 3]).value
    1.224744871391589
    """
    table = np.asarray(samples, dtype=np.float64)
    repeated = np.isfinite(table).sum(axis=1) > 1
    table, segments = table[repeated], np.asarray(units, dtype=np.int64)[repeated]
    within = np.nanvar(table, axis=1, ddof=1) if len(table) else np.empty(0)
    found = _effect("spread-of-samples", within, np.ones((len(within), 1)), segments, test=False)
    if isinstance(found, Undefined):
        return found
    total = float(np.nanvar(table, ddof=1))
    interval = found.interval and replace(
        found.interval,
        low=math.sqrt(max(0.0, found.interval.low)),
        high=math.sqrt(max(0.0, found.interval.high)),
    )
    within_share = found.value / total if total else 0.0
    details = {"samples": int(table.shape[1]), "within outputs": within_share}
    return replace(found, value=math.sqrt(found.value), interval=interval, details=details)


def _effect(
    name: str, y: FloatArray, columns: FloatArray, segments: IntArray, *, test: bool = True
) -> Result:
    """Return the first coefficient of least squares, its variance clustered by segment (CR1)."""
    named = signature(name, interval="clustered by segment")
    clusters, of = np.unique(segments, return_inverse=True)
    n, k = columns.shape
    if len(clusters) < FEWEST_SEGMENTS or n <= k:
        return Undefined(
            f"fewer than {FEWEST_SEGMENTS} segments have what is compared", n, "outputs", named
        )
    if np.linalg.matrix_rank(columns) < k:
        return Undefined("what is compared does not vary", n, "outputs", named)
    inverse = np.linalg.inv(columns.T @ columns)
    beta = inverse @ columns.T @ y
    errors = columns * (y - columns @ beta)[:, None]
    sums = np.zeros((len(clusters), k))
    np.add.at(sums, of, errors)
    g = len(clusters)
    correction = g / (g - 1) * (n - 1) / (n - k)
    variance = correction * (inverse @ sums.T @ sums @ inverse)[0, 0]
    error, value = math.sqrt(max(0.0, float(variance))), float(beta[0])
    reach = float(stdtrit(g - 1, (1 + LEVEL) / 2)) * error
    p_value = float(2 * stdtr(g - 1, -abs(value) / error)) if error else None
    return Estimate(
        value,
        n,
        "outputs",
        named,
        p_value=p_value if test else None,
        interval=Interval(value - reach, value + reach, LEVEL, "Student t, clustered by segment"),
        details={"segments": g, "standard_error": error}
        | ({"test": "t test of no effect"} if test and error else {}),
    )
