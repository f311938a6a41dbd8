"""Confidence sequences: intervals of a mean that hold at every look, however often one looks.

An ordinary 95 % interval holds at one look that was planned. Who looks after each unit and stops
as soon as it excludes 0 is wrong far more often than in 5 % of cases. A confidence sequence covers
the mean at all looks together with the stated probability, so that looking costs nothing.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import lambertw

Method = Literal["asymptotic", "betting", "empirical-bernstein"]
FIRST_LOOK = 30
"""Units before which the asymptotic sequence says nothing."""
Floats = npt.NDArray[np.float64]
LARGEST_BET = 0.5
"""Of the empirical-Bernstein sequence; and the part of their capital that bettors risk at most."""


@dataclass(frozen=True, slots=True)
class ConfidenceSequence:
    """Estimates and limits after each unit; every array has the shape of the values.

    Parameters
    ----------
    estimate : ndarray
        The centre of each interval: the mean, for the empirical-Bernstein sequence a weighted one.
    low, high : ndarray
        Limits, within the bounds of the values.
    """

    estimate: Floats
    low: Floats
    high: Floats


def asymptotic_sequence(
    values: npt.ArrayLike,
    *,
    alpha: float,
    bounds: tuple[float, float],
    tuned_to: float,
    first: int = FIRST_LOOK,
) -> ConfidenceSequence:
    """Return the asymptotic confidence sequence of a mean.

    After t units the limits are ``mean ± s √(2 (tρ² + 1) / (t²ρ²) · log(√(tρ² + 1) / α))``: the
    two-sided boundary of Robbins' normal mixture, with an estimate s of the standard deviation. It
    holds for values of any distribution as the number of units grows, as the central limit theorem
    does, and begins with unit number `first`. The variance counts one more unit, half of the range
    away from the mean, so that equal values alone never give an interval of no width.

    Parameters
    ----------
    values : array_like, shape (n,) or (n, m)
        In an order that does not depend on them; each column is a sequence of its own.
    alpha : float
        Probability that the mean lies outside at any look.
    bounds : pair of floats
        Least and largest possible value.
    tuned_to : float
        Number of units at which the interval is to be narrowest; fixed before the first look.
    first : int
        The first look; before it the limits are the bounds.

    References
    ----------
    Robbins (1970), "Statistical methods related to the law of the iterated logarithm".
    Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), "Time-uniform central limit theory and
    asymptotic confidence sequences", Annals of Statistics 52, theorem 2.2.
    """
    x = _checked(values, bounds)
    count = counts_of(x)
    mean = np.cumsum(x, axis=0) / count
    squares = np.cumsum(x**2, axis=0) / count - mean**2
    spread = ((bounds[1] - bounds[0]) / 2) ** 2
    deviation = np.sqrt((np.maximum(squares, 0.0) * count + spread) / (count + 1))
    width = deviation * normal_mixture(count, alpha, tuned_to)
    width[: first - 1] = np.inf
    return _within(mean, width, bounds)


def normal_mixture(count: npt.ArrayLike, alpha: float, tuned_to: float) -> Floats:
    """Return half the width, in standard deviations, of a sequence of means of normal values.

    Parameters
    ----------
    count : array_like
        Numbers of units, at least 1.
    alpha, tuned_to : float
        As `asymptotic_sequence`.

    Examples
    --------
    >>> [round(float(width), 3) for width in normal_mixture([100, 400], 0.05, 100)]
    [0.304, 0.157]
    """
    t = np.asarray(count, float)
    grown = t * mixture_variance(alpha, tuned_to) + 1
    scale = 2 * grown / (t * (grown - 1))
    return np.asarray(np.sqrt(scale * np.log(np.sqrt(grown) / alpha)), float)


def mixture_variance(alpha: float, tuned_to: float) -> float:
    """Return the variance ρ² of the mixture whose interval is narrowest after so many units."""
    return float(-lambertw(-(alpha**2) / math.e, -1).real - 1) / tuned_to


def empirical_bernstein_sequence(
    values: npt.ArrayLike, *, alpha: float, bounds: tuple[float, float]
) -> ConfidenceSequence:
    """Return the empirical-Bernstein confidence sequence of the mean of bounded values.

    It holds from the first unit on for every distribution within the bounds, with no limit to
    wait for, and is wider than the asymptotic one. Weights λ are predictable plug-ins, truncated
    at ½.

    Parameters
    ----------
    values, alpha, bounds
        As `asymptotic_sequence`.

    References
    ----------
    Waudby-Smith and Ramdas (2024), "Estimating means of bounded random variables by betting",
    Journal of the Royal Statistical Society B 86, theorem 2.
    """
    low, high = bounds
    unit = scaled(values, bounds)
    before, variance = known_before(unit)
    weight = np.minimum(plug_in_bets(variance, counts_of(unit), alpha), LARGEST_BET)
    total = np.cumsum(weight, axis=0)
    paid = np.cumsum(4 * (unit - before) ** 2 * _psi(weight), axis=0)
    width = (math.log(2 / alpha) + paid) / total
    centre = np.cumsum(weight * unit, axis=0) / total
    return _within(low + (high - low) * centre, (high - low) * width, bounds)


def expected_half_widths(
    method: Method,
    count: int,
    deviation: float,
    *,
    alpha: float,
    bounds: tuple[float, float],
    tuned_to: float,
) -> Floats:
    """Return how wide a sequence will be, halved, after 1 to `count` units of a known deviation."""
    t = np.arange(1, count + 1, dtype=float)
    span = bounds[1] - bounds[0]
    if method == "asymptotic":
        known = np.sqrt((deviation**2 * t + (span / 2) ** 2) / (t + 1))
        return np.asarray(known * normal_mixture(t, alpha, tuned_to), float)
    variance = (deviation / span) ** 2
    bets = plug_in_bets((0.25 + variance * t) / (t + 1), t, alpha)
    if method == "betting":
        return span * _expected_of_bets(np.minimum(bets, 2 * LARGEST_BET), variance, alpha)
    weight = np.minimum(bets, LARGEST_BET)
    paid = np.cumsum(4 * variance * _psi(weight))
    return np.asarray(span * (math.log(2 / alpha) + paid) / np.cumsum(weight), float)


def _expected_of_bets(bets: Floats, variance: float, alpha: float) -> Floats:
    """Return how far from the mean a bettor will have won, by the second order of the logarithm.

    Bets λ against a mean at distance d gain Σλ d − Σλ² (d² + variance) / 2; log(2/α) is enough.
    """
    first, second = np.cumsum(bets), np.cumsum(bets**2)
    needed = math.log(2 / alpha) + second * variance / 2
    inside = first**2 - 2 * second * needed
    root = np.sqrt(np.maximum(inside, 0))
    return np.asarray(np.where(inside > 0, (first - root) / second, 1.0), float)


def known_before(unit: Floats) -> tuple[Floats, Floats]:
    """Return mean and variance of the units before each one, which begin with ½ and ¼."""
    count = counts_of(unit)
    mean = (0.5 + np.cumsum(unit, axis=0)) / (count + 1)
    variance = (0.25 + np.cumsum((unit - mean) ** 2, axis=0)) / (count + 1)
    before = np.concatenate([np.full_like(unit[:1], 0.5), mean[:-1]])
    return before, np.concatenate([np.full_like(unit[:1], 0.25), variance[:-1]])


def plug_in_bets(variance: Floats, count: Floats, alpha: float) -> Floats:
    """Return bets that suit the variance of the units before each one, of any size."""
    return np.sqrt(2 * math.log(2 / alpha) / (variance * count * np.log1p(count)))


def _psi(weight: Floats) -> Floats:
    return np.asarray((-np.log1p(-weight) - weight) / 4, float)


def counts_of(x: Floats) -> Floats:
    """Return 1, 2, 3, … along the first axis."""
    return np.arange(1, len(x) + 1, dtype=float).reshape(-1, *(1,) * (x.ndim - 1))


def _within(centre: Floats, width: Floats, bounds: tuple[float, float]) -> ConfidenceSequence:
    low, high = np.clip(centre - width, *bounds), np.clip(centre + width, *bounds)
    return ConfidenceSequence(centre, low, high)


def scaled(values: npt.ArrayLike, bounds: tuple[float, float]) -> Floats:
    """Return values as parts of the range."""
    return (_checked(values, bounds) - bounds[0]) / (bounds[1] - bounds[0])


def _checked(values: npt.ArrayLike, bounds: tuple[float, float]) -> Floats:
    x = np.asarray(values, float)
    if not np.isfinite(x).all():
        raise ValueError("values must be finite: leave out units without a value")
    if x.size and (x.min() < bounds[0] or x.max() > bounds[1]):
        raise ValueError(f"values lie outside {bounds[0]:g} to {bounds[1]:g}")
    return x


_HALVINGS = 20
"""Of an interval, to find a limit: to a millionth of the range."""


def betting_sequence(
    values: npt.ArrayLike,
    *,
    alpha: float,
    bounds: tuple[float, float],
    looks: Sequence[int] | None = None,
) -> ConfidenceSequence:
    """Return the betting confidence sequence of the mean of bounded values (hedged capital).

    Two bettors start with half of the capital each; against every mean that is possible, one bets
    that values lie above it, the other that they lie below. Where the mean is the true one, neither
    is likely ever to have 1/α times the capital (Ville's inequality). The interval has the means
    against which neither has. Bets are the predictable plug-ins of the empirical-Bernstein
    sequence, of which a bettor risks at most half of the capital. It holds from the first unit on
    for every distribution within the bounds.

    Parameters
    ----------
    values, alpha, bounds
        As `asymptotic_sequence`.
    looks : sequence of int, optional
        Places of the units after which limits are wanted; by default after each. A look takes time
        in proportion to the units before it.

    References
    ----------
    Waudby-Smith and Ramdas (2024), "Estimating means of bounded random variables by betting",
    Journal of the Royal Statistical Society B 86, theorem 3.
    """
    low, high = bounds
    unit = scaled(values, bounds)
    bets = plug_in_bets(known_before(unit)[1], counts_of(unit), alpha)
    places = np.arange(len(unit)) if looks is None else np.asarray(looks, np.intp)
    enough = math.log(2 / alpha)
    below = _ruled_out_below(unit, bets, places, enough)
    above = 1 - _ruled_out_below(1 - unit, bets, places, enough)
    # They cross where the mean changes on the way, so that nothing is left between them.
    limits = low + (high - low) * np.sort([below, above], axis=0)
    mean = (np.cumsum(unit, axis=0) / counts_of(unit))[places]
    return ConfidenceSequence(np.clip(low + (high - low) * mean, *limits), *limits)


def _ruled_out_below(
    unit: Floats, bets: Floats, places: npt.NDArray[np.intp], enough: float
) -> Floats:
    """Return the largest mean found against which who bets on larger values has won, after looks.

    The capital against a mean falls as the mean rises, so that halving an interval finds it.
    """
    found = np.zeros((len(places), *unit.shape[1:]))
    for each, place in zip(found.reshape(len(places), -1), places, strict=True):
        x, bet = (part[: place + 1].reshape(place + 1, -1) for part in (unit, bets))
        high = np.ones_like(each)
        for _ in range(_HALVINGS):
            middle = (each + high) / 2
            has_won = _log_gains(x, bet, middle).sum(axis=0) >= enough
            each[has_won], high[~has_won] = middle[has_won], middle[~has_won]
    return found


def _log_gains(unit: Floats, bets: Floats, mean: Floats) -> Floats:
    """Return by which factor each unit changes the capital of who bets on more than a mean."""
    with np.errstate(divide="ignore"):
        most = LARGEST_BET / mean
    return np.asarray(np.log1p(np.minimum(bets, most) * (unit - mean)), float)
