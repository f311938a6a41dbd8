"""Every two of many systems on the same segments: all pairs at once, by sums over segments.

The numbers are those of `paired_tests` and its references, but p-values of the
permutation and of the signed-rank test come from the normal distribution: a test by draws would
need twenty draws for every pair to detect anything after a correction for all pairs.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import scipy

from analysis.stats.arrays import FloatArray, IntArray, as_matrix
from analysis.stats.signature import NO_VARIANT, Variant, signature

Test = Literal["permutation", "wilcoxon"]
PAIRS_AT_ONCE = 1_000_000
"""Differences (pairs × segments) that are ranked at once: 8 MB an array."""
ROUNDING = 1e-12
MOST_PARTS = 60
"""Scores that are multiples of 1, 1/2, 1/3, …, 1/60 have a continuity correction."""
TESTS: Mapping[str, str] = {
    "permutation": "the two systems are exchangeable on each segment, normal approximation",
    "wilcoxon": "differences symmetric about 0, Wilcoxon's signed ranks, normal approximation",
    "mean": "equal means, paired t-test",
}


@dataclass(frozen=True, slots=True)
class AllPairs:
    """What is known of every two systems; NaN where undefined.

    Parameters
    ----------
    first, second : ndarray of int, shape (pairs,)
        Columns, in the order (0, 1), (0, 2), …, (1, 2), ….
    segments : ndarray of int
        Segments with scores of both.
    difference, low, high : ndarray
        Mean of first less second, with Student's t interval.
    p_mean, p_tested : ndarray
        p-values of the paired t-test and of the test asked for, two-sided.
    signatures : mapping
        Of "mean" and of the test.
    """

    first: IntArray
    second: IntArray
    segments: IntArray
    difference: FloatArray
    low: FloatArray
    high: FloatArray
    p_mean: FloatArray
    p_tested: FloatArray
    signatures: Mapping[str, str] = field(default_factory=dict)


def compare_all_pairs(
    scores: FloatArray, test: Test, *, level: float = 0.95, variant: Variant = NO_VARIANT
) -> AllPairs:
    """Compare every two columns on the rows that both have.

    * ``permutation``: under exchangeability on each segment the sum of differences dᵢ has mean 0
      and variance Σ dᵢ² over all flips of signs; z is the sum by its standard deviation. Where
      all scores are multiples of a unit, as means of few ratings are, the sum moves in steps of
      two units, and |Σ dᵢ| is less one unit (continuity correction). The tails of such a sum are
      lighter than the normal distribution's, so that small p-values are rather too large.
    * ``wilcoxon``: differences of zero left out; z as SciPy has it for ``method="asymptotic"``.

    Parameters
    ----------
    scores : ndarray, shape (segments, systems)
        NaN where missing.
    test : {"permutation", "wilcoxon"}
    level : float
    variant : mapping
        Further parts of the signatures.

    Returns
    -------
    AllPairs

    Raises
    ------
    ValueError
        If the test is unknown.

    Examples
    --------
    >>> pairs = compare_all_pairs(np.array([[3.0, 1.0], [5, 2], [4, 3], [6, 2]]), "permutation")
    >>> pairs.difference.tolist(), pairs.low.round(3).tolist()
    ([2.5], [0.446])
    """
    if test not in ("permutation", "wilcoxon"):
        raise ValueError(f"unknown test of all pairs: {test}")
    matrix = as_matrix(scores, "scores")
    known = np.isfinite(matrix).astype(np.float64)
    # Centred by system, sums of squares of differences lose no digits to a common offset.
    centre = np.nansum(matrix, axis=0) / np.maximum(known.sum(axis=0), 1)
    values = np.where(known > 0, matrix - centre, 0.0)
    first, second = np.triu_indices(matrix.shape[1], 1)
    shift = centre[first] - centre[second]
    n = (known.T @ known)[first, second]
    own = values.T @ known
    sums = own[first, second] - own.T[first, second]
    squared = (values**2).T @ known
    squares = (squared + squared.T - 2 * values.T @ values)[first, second]
    shared = np.where(n > 0, n, np.nan)
    gap = sums / shared
    difference = gap + shift
    spread = np.maximum(squares - n * gap**2, 0.0)
    size = np.maximum(squares, 0.0) + n * shift**2
    varied = (n > 1) & (spread > ROUNDING * np.maximum(size, np.finfo(float).tiny))
    error = np.where(varied, np.sqrt(spread / np.maximum(n * (n - 1), 1)), np.nan)
    half = scipy.stats.t.ppf((1 + level) / 2, np.maximum(n - 1, 1)) * error
    p_mean = 2 * scipy.stats.t.sf(np.abs(difference) / error, np.maximum(n - 1, 1))
    if test == "permutation":
        squares = np.maximum(squares + 2 * shift * sums + n * shift**2, 0.0)
        p_tested = _sign_flip_p(difference * n, squares, size, _unit(matrix))
    else:
        p_tested = _signed_rank_p(matrix, first, second)
    names = {"permutation": "sign-flip", "wilcoxon": "wilcoxon-signed-rank"}
    return AllPairs(
        first,
        second,
        np.asarray(n, dtype=np.int64),
        difference,
        difference - half,
        difference + half,
        p_mean,
        p_tested,
        {
            "mean": signature("paired-mean-difference", confidence=level, **variant),
            test: signature(names[test], alternative="two-sided", p="normal", **variant),
        },
    )


def smallest_normal_p(test: str, segments: int) -> float:
    """Return the smallest p-value that a test of `compare_all_pairs` can give; 0 of the t-test.

    Where all differences have one sign, z is at most √n for flips, and Σr/√Σr² for ranks.

    Examples
    --------
    >>> round(smallest_normal_p("permutation", 9), 4)
    0.0027
    """
    if test == "mean":
        return 0.0
    z = math.sqrt(segments)
    if test == "wilcoxon" and segments:
        z = math.sqrt(1.5 * segments * (segments + 1) / (2 * segments + 1))
    return math.erfc(z / math.sqrt(2))


def _sign_flip_p(
    sums: FloatArray, squares: FloatArray, size: FloatArray, unit: float
) -> FloatArray:
    """Return the p-value of Σd with its variance Σd² over flips; NaN where all d are 0."""
    some = squares > ROUNDING * np.maximum(size, np.finfo(float).tiny)
    far = np.maximum(np.abs(np.where(some, sums, np.nan)) - unit, 0.0)
    z = far / np.sqrt(np.where(some, squares, 1.0))
    return np.asarray(2 * scipy.stats.norm.sf(z), dtype=np.float64)


def _unit(scores: FloatArray) -> float:
    """Return the largest whole part of 1 of which all scores are multiples; 0 if there is none."""
    present = np.unique(scores[np.isfinite(scores)])
    for parts in range(1, MOST_PARTS + 1):
        if np.allclose(present * parts, np.round(present * parts), rtol=0, atol=1e-7):
            return 1.0 / parts
    return 0.0


def _signed_rank_p(matrix: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    found = np.full(first.size, np.nan)
    block = max(1, PAIRS_AT_ONCE // max(1, matrix.shape[0]))
    columns = np.ascontiguousarray(matrix.T)
    for start in range(0, first.size, block):
        own = slice(start, start + block)
        gaps = columns[first[own]] - columns[second[own]]
        gaps[gaps == 0] = np.nan
        ranks = scipy.stats.rankdata(np.abs(gaps), axis=1, nan_policy="omit")
        ranks = np.nan_to_num(ranks)
        # Half the sum of all ranks is expected; under flips of signs the variance is Σ ranks² / 4.
        plus = np.where(gaps > 0, ranks, 0.0).sum(axis=1) - ranks.sum(axis=1) / 2
        deviation = np.sqrt((ranks**2).sum(axis=1)) / 2
        z = np.divide(plus, deviation, out=np.full(plus.shape, np.nan), where=deviation > 0)
        found[own] = 2 * scipy.stats.norm.sf(np.abs(z))
    return found
