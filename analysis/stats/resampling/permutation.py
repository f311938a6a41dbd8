"""How to permute, the p-value that comes of the draws, and p-values adjusted for their number."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import FloatArray, as_vector
from analysis.stats.results import Result
from analysis.stats.signature import VariantValue

Alternative = Literal["two-sided", "greater", "less"]
Bits: TypeAlias = npt.NDArray[np.uint8]
BITS_IN_BLOCK = 400_000
"""Small enough for a processor's cache. Part of the order of draws: a change changes p-values."""
SLACK = 1e-10
"""Statistics closer than this are equal: they differ by rounding only."""


@dataclass(frozen=True, slots=True)
class Permutation:
    """How to permute.

    Parameters
    ----------
    draws : int
        Number of random permutations where not all are enumerated.
    seed : int
        Seed of the generator; the same seed gives the same p-value.
    alternative : {"two-sided", "greater", "less"}
        "greater": the first is better.

    Raises
    ------
    ValueError
        If `draws` is below 1 or the alternative is unknown.
    """

    draws: int = 1000
    seed: int = 20190604
    alternative: Alternative = "two-sided"

    def __post_init__(self) -> None:
        if self.draws < 1:
            raise ValueError("a permutation test needs at least one draw")
        if self.alternative not in get_args(Alternative):
            raise ValueError(f"unknown alternative: {self.alternative}")

    def variant(self, *, exact: bool = False) -> dict[str, VariantValue]:
        """Return what belongs into the signature of a p-value that rests on this."""
        if exact:
            return {"alternative": self.alternative, "permutations": "all"}
        return {"alternative": self.alternative, "permutations": self.draws, "seed": self.seed}


STANDARD_PERMUTATION = Permutation()
"""1,000 draws, two-sided, a fixed seed."""


def at_least_as_extreme(
    observed: float, drawn: FloatArray, alternative: Alternative = "two-sided"
) -> int:
    """Count the drawn statistics that are as far out as the observed one; NaN is never."""
    slack = SLACK * max(1.0, abs(observed))
    if alternative == "two-sided":
        return int((np.abs(drawn) >= abs(observed) - slack).sum())
    if alternative == "greater":
        return int((drawn >= observed - slack).sum())
    return int((drawn <= observed + slack).sum())


def sampled_p_value(
    observed: float, drawn: FloatArray, alternative: Alternative = "two-sided"
) -> float:
    """Return (c + 1) / (k + 1), with c of k draws at least as extreme (Phipson and Smyth 2010).

    Examples
    --------
    >>> sampled_p_value(2.0, np.array([0.5, -2.0, 1.0]))
    0.5
    """
    return (at_least_as_extreme(observed, drawn, alternative) + 1) / (drawn.size + 1)


def random_bytes(generator: np.random.Generator, shape: tuple[int, ...]) -> Bits:
    """Return an array of random bytes."""
    drawn = np.frombuffer(generator.bytes(int(np.prod(shape))), dtype=np.uint8)
    return drawn.reshape(shape).copy()


def enumerated_bits(members: int) -> Iterator[tuple[slice, slice, Bits]]:
    """Yield the swaps of `members` things in which the first stays: half of all, in blocks.

    The other half are their complements, whose statistic has the opposite sign.

    Yields
    ------
    group : slice
        The only one.
    swaps : slice
    bits : ndarray of 0 and 1, shape (1, members, swaps of this block)
    """
    block = max(1, BITS_IN_BLOCK // members)
    shifts = np.arange(members)[:, None] - 1
    for start in range(0, 2 ** (members - 1), block):
        stop = min(start + block, 2 ** (members - 1))
        numbers = np.arange(start, stop)
        bits = (numbers[None, :] >> np.maximum(shifts, 0)) & (shifts >= 0)
        yield slice(0, 1), slice(start, stop), bits.astype(np.uint8)[None]


def holm(p_values: npt.ArrayLike) -> FloatArray:
    """Adjust so that the chance of any false rejection in the family is held (Holm 1979).

    Parameters
    ----------
    p_values : array_like, shape (tests,)
        NaN where a test is undefined: it stays NaN and does not count.

    Returns
    -------
    ndarray, shape (tests,)

    Raises
    ------
    ValueError
        If a p-value lies outside [0, 1].

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(6).tolist()
    [0.03, 0.06, 0.06]
    """
    # Imported where it is needed: it takes longer than most pages.
    from statsmodels.stats.multitest import multipletests

    return _of_known(p_values, lambda known: multipletests(known, method="holm")[1])


def adjusted_p_values(
    results: Sequence[Result], correct: Callable[[FloatArray], FloatArray] = holm
) -> list[float | None]:
    """Return the p-values of a family of tests, corrected; None where there is none."""
    p_values = np.array([result.p_value for result in results], dtype=np.float64)
    return [float(p) if np.isfinite(p) else None for p in correct(p_values)]


def benjamini_hochberg(p_values: npt.ArrayLike) -> FloatArray:
    """Adjust so that the expected share of false rejections is held (Benjamini, Hochberg 1995).

    Holds for independent tests and for those that depend positively on each other. Parameters as
    for `holm`.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03]).round(6).tolist()
    [0.03, 0.04, 0.04]
    """
    return _of_known(p_values, scipy.stats.false_discovery_control)


def benjamini_yekutieli(p_values: npt.ArrayLike) -> FloatArray:
    """Adjust so that the expected share of false rejections is held, however tests depend.

    Benjamini and Yekutieli (2001).

    Parameters
    ----------
    p_values : array_like, shape (..., tests)
        Families of tests along the last axis; none may be missing.

    Returns
    -------
    ndarray, shape (..., tests)

    Examples
    --------
    >>> benjamini_yekutieli([0.01, 0.04, 0.03]).round(6).tolist()
    [0.055, 0.073333, 0.073333]
    """
    return np.asarray(scipy.stats.false_discovery_control(p_values, axis=-1, method="by"))


def _of_known(p_values: npt.ArrayLike, adjust: Callable[[FloatArray], FloatArray]) -> FloatArray:
    values = as_vector(p_values, "p-values")
    known = np.isfinite(values)
    if ((values[known] < 0) | (values[known] > 1)).any():
        raise ValueError("a p-value lies between 0 and 1")
    adjusted = np.full(values.shape, np.nan)
    if known.any():
        adjusted[known] = adjust(values[known])
    return adjusted
