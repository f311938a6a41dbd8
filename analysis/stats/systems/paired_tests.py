"""Two systems on the same segments: mean difference, Wilcoxon's tests, and flips of signs."""

import math
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import FloatArray, as_vector, is_constant
from analysis.stats.resampling.permutation import (
    BITS_IN_BLOCK,
    SLACK,
    STANDARD_PERMUTATION,
    Alternative,
    Permutation,
    at_least_as_extreme,
    enumerated_bits,
    random_bytes,
    sampled_p_value,
)
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, signature

Zeros = Literal["wilcox", "pratt", "zsplit"]
MOST_ENUMERATED = 20


def wilcoxon_signed_rank(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    zeros: Zeros = "wilcox",
    alternative: Alternative = "two-sided",
    variant: Variant = NO_VARIANT,
) -> Result:
    """Wilcoxon's signed-rank test on the segments that both systems have.

    Parameters
    ----------
    first, second : array_like, shape (segments,)
        NaN where missing.
    zeros : {"wilcox", "pratt", "zsplit"}
        Differences of zero are left out (Wilcoxon 1945), ranked and then left out (Pratt 1959), or
        ranked and split between both signs.
    alternative : {"two-sided", "greater", "less"}
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    Estimate or Undefined
        ``value`` is the mean difference. The p-value is SciPy's: exact for at most 50 differences
        without ties and zeros, else the normal approximation, as ``details["method"]`` says.

    Raises
    ------
    ValueError
        If lengths differ or the handling of zeros is unknown.
    """
    if zeros not in ("wilcox", "pratt", "zsplit"):
        raise ValueError(f"unknown handling of zeros: {zeros}")
    name = signature("wilcoxon-signed-rank", alternative=alternative, zeros=zeros, **variant)
    gaps = paired_differences(first, second)
    if not gaps.any():
        return _no_difference(gaps, name)
    sizes = np.abs(gaps)
    exact = gaps.size <= 50 and np.unique(sizes).size == gaps.size and bool(gaps.all())
    method = "exact" if exact else "asymptotic"
    outcome = scipy.stats.wilcoxon(gaps, zero_method=zeros, alternative=alternative, method=method)
    return Estimate(
        float(gaps.mean()),
        n=gaps.size,
        unit="segments",
        signature=name,
        p_value=float(outcome.pvalue),
        details={
            "W": float(outcome.statistic),
            "zeros": int((gaps == 0).sum()),
            "method": method,
            "alternative": alternative,
            "test": "differences symmetric about 0, Wilcoxon's signed ranks",
        },
    )


def sign_flip_test(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    permutation: Permutation = STANDARD_PERMUTATION,
    variant: Variant = NO_VARIANT,
) -> Result:
    """Permutation test on paired segments: the two systems change places segment by segment.

    Differences of zero change nothing and are set aside. If all others are of one size the test is
    the sign test, and its p-value comes from the binomial distribution; up to 20 of them all 2ⁿ
    flips are enumerated, p = c / 2ⁿ; otherwise flips are drawn, p = (c + 1) / (k + 1).

    Parameters
    ----------
    first, second : array_like, shape (segments,)
        NaN where missing.
    permutation : Permutation
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    Estimate or Undefined
        ``value`` is the mean difference; ``details["method"]`` is "sign test", "enumerated" or
        "sampled".

    Examples
    --------
    >>> sign_flip_test([3, 5, 4, 6], [1, 2, 3, 2]).p_value
    0.125
    """
    gaps = paired_differences(first, second)
    nonzero = gaps[gaps != 0]
    sizes = np.abs(nonzero)
    exact = True
    if not nonzero.size:
        return _no_difference(gaps, signature("sign-flip", **variant))
    if np.ptp(sizes) <= SLACK * sizes.max():
        wins = int((nonzero > 0).sum())
        method = "sign test"
        p_value = float(
            scipy.stats.binomtest(wins, nonzero.size, alternative=permutation.alternative).pvalue
        )
    elif nonzero.size <= MOST_ENUMERATED:
        method, p_value = "enumerated", _enumerated(nonzero, permutation.alternative)
    else:
        method, exact = "sampled", False
        drawn = _drawn(nonzero, permutation)
        p_value = sampled_p_value(_relative(nonzero), drawn, permutation.alternative)
    return Estimate(
        float(gaps.mean()),
        n=gaps.size,
        unit="segments",
        signature=signature("sign-flip", **permutation.variant(exact=exact), **variant),
        p_value=p_value,
        details={
            "zeros": int(gaps.size - nonzero.size),
            "method": method,
            "alternative": permutation.alternative,
            "test": "the two systems are exchangeable on each segment",
        },
    )


def paired_differences(first: npt.ArrayLike, second: npt.ArrayLike) -> FloatArray:
    """Return first less second on the segments that both have.

    Raises
    ------
    ValueError
        If lengths differ.
    """
    one, other = as_vector(first), as_vector(second)
    if one.shape != other.shape:
        raise ValueError(f"lengths differ: {one.size} and {other.size}")
    gaps = one - other
    return gaps[np.isfinite(gaps)]


def _no_difference(gaps: FloatArray, name: str) -> Undefined:
    if not gaps.size:
        return Undefined("no segment has scores of both systems", 0, "segments", name)
    reason = "both systems have the same score on every segment"
    return Undefined(reason, gaps.size, "segments", name)


def _relative(gaps: FloatArray) -> float:
    """Return the sum of differences in units of the sum of their sizes, free of their scale."""
    return float(gaps.sum() / np.abs(gaps).sum())


def _enumerated(gaps: FloatArray, alternative: Alternative) -> float:
    scaled = gaps / np.abs(gaps).sum()
    observed = _relative(gaps)
    extreme = 0
    for _, _, bits in enumerated_bits(gaps.size):
        drawn = observed - 2 * (scaled @ bits[0])
        for side in (drawn, -drawn):
            extreme += at_least_as_extreme(observed, side, alternative)
    return float(extreme / 2.0**gaps.size)


def _drawn(gaps: FloatArray, permutation: Permutation) -> FloatArray:
    scaled = gaps / np.abs(gaps).sum()
    generator = np.random.default_rng(permutation.seed)
    block = max(8, 4 * BITS_IN_BLOCK // gaps.size // 8 * 8)
    sums = []
    for start in range(0, permutation.draws, block):
        size = min(block, permutation.draws - start)
        packed = random_bytes(generator, (gaps.size, -(-size // 8)))
        flips = np.unpackbits(packed, axis=1, count=size).astype(np.float64)
        sums.append(scaled @ flips)
    return _relative(gaps) - 2 * np.concatenate(sums)


def paired_mean_difference(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    level: float = 0.95,
    variant: Variant = NO_VARIANT,
) -> Result:
    """Mean of first less second, with Student's t interval over segments and its paired t-test.

    Parameters
    ----------
    first, second : array_like, shape (segments,)
        NaN where missing.
    level : float
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    Estimate or Undefined
        Undefined with fewer than two common segments, or where all differences are the same: then
        there is no spread to test against.

    Examples
    --------
    >>> result = paired_mean_difference([3, 5, 4, 6], [1, 2, 3, 2])
    >>> result.value, round(result.interval.low, 3)
    (2.5, 0.446)
    """
    name = signature("paired-mean-difference", confidence=level, **variant)
    gaps = paired_differences(first, second)
    n = gaps.size
    if n < 2:
        return Undefined("fewer than two segments have scores of both systems", n, "segments", name)
    if is_constant(gaps):
        reason = "the difference is the same on every segment"
        return Undefined(reason, n, "segments", name, {"difference": float(gaps[0])})
    mean, error = float(gaps.mean()), float(gaps.std(ddof=1)) / math.sqrt(n)
    half = float(scipy.stats.t.ppf((1 + level) / 2, n - 1)) * error
    return Estimate(
        mean,
        n=n,
        unit="segments",
        signature=name,
        p_value=float(2 * scipy.stats.t.sf(abs(mean) / error, n - 1)),
        interval=Interval(mean - half, mean + half, level, "Student's t over segments"),
        details={"standard_error": error, "test": "equal means, paired t-test"},
    )
