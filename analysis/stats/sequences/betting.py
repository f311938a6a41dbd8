"""The betting confidence sequence: means against which nobody has become rich by fair bets."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from analysis.stats.sequences.confidence_sequences import (
    LARGEST_BET,
    ConfidenceSequence,
    Floats,
    counts_of,
    known_before,
    plug_in_bets,
    scaled,
)

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


def betting_log_capital(
    values: npt.ArrayLike, mean: float, *, alpha: float, bounds: tuple[float, float]
) -> Floats:
    """Return the logarithm of the capital of the richer bettor against a mean, after each unit.

    The interval of `betting_sequence` lacks the mean where it is at least log(1/α).

    Examples
    --------
    >>> rich = betting_log_capital([0.9] * 40, 0.2, alpha=0.05, bounds=(0, 1))
    >>> bool(rich[-1] > math.log(20))
    True
    """
    low, high = bounds
    unit, against = scaled(values, bounds), (mean - low) / (high - low)
    bets = plug_in_bets(known_before(unit)[1], counts_of(unit), alpha)
    sides = ((unit, against), (1 - unit, 1 - against))
    gained = [np.cumsum(_log_gains(x, bets, np.asarray(m)), axis=0) for x, m in sides]
    return np.asarray(np.maximum(*gained) - math.log(2), float)


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
