"""Strengths of systems from pairwise judgements: Bradley–Terry, with ties as Davidson's model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import FloatArray, IntArray
from analysis.stats.results import Estimate, Interval, Undefined
from analysis.stats.signature import signature
from analysis.stats.systems.davidson import PairCounts, components, maximised, unbounded

Penalty = Literal["none", "win-and-loss"]
SUSPICIOUS = 8.0
"""Odds of e⁸ are rarely seen: a fit beyond them may be on its way to infinity."""


@dataclass(frozen=True, slots=True)
class Strengths:
    """Fitted strengths of systems.

    Parameters
    ----------
    systems : tuple of Estimate
        Log strength of each, summing to zero, with its Wald interval; ``n`` counts judgements.
    position : Estimate or None
        Log advantage of the text shown first; p-value of no advantage.
    tie : Estimate or None
        Log weight of a tie between equals against one of them winning; None where nobody tied.
    covariance : ndarray, shape (systems, systems)
    log_likelihood : float
        With a penalty, its logarithm included.
    penalised : bool
    """

    systems: tuple[Estimate, ...]
    position: Estimate | None
    tie: Estimate | None
    covariance: FloatArray
    log_likelihood: float
    penalised: bool = False

    def differences(self) -> tuple[FloatArray, FloatArray]:
        """Return log strength of row less column, and the two-sided Wald p-value of each."""
        values = np.array([system.value for system in self.systems])
        gaps = values[:, None] - values[None, :]
        own = np.diag(self.covariance)
        variance = own[:, None] + own[None, :] - 2 * self.covariance
        errors = np.sqrt(np.maximum(variance, 0.0))
        z = np.divide(gaps, errors, out=np.zeros(gaps.shape), where=errors > 0)
        return gaps, np.asarray(2 * scipy.stats.norm.sf(np.abs(z)))


def fit_strengths(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    outcome: npt.ArrayLike,
    n_systems: int,
    *,
    position: bool = True,
    penalty: Penalty = "none",
    level: float = 0.95,
) -> Strengths | Undefined:
    """Fit log strengths λ by maximum likelihood, or by penalised likelihood.

    A judgement of i (shown first) against j is a win of i, a win of j or a tie with weights
    exp(λᵢ + δ/2), exp(λⱼ − δ/2) and exp(η + (λᵢ + λⱼ)/2): Davidson (1970) with the position effect
    of Davidson and Beaver (1977); without ties and δ it is Bradley and Terry (1952). Judgements
    count as independent. For source against output it only restates the win rate.

    Parameters
    ----------
    first, second : array_like of int, shape (judgements,)
        Systems shown first and second, from 0.
    outcome : array_like, shape (judgements,)
        1 first preferred, −1 second preferred, 0 tie.
    n_systems : int
    position : bool
        Whether δ is fitted.
    penalty : {"none", "win-and-loss"}
        "win-and-loss" adds one win and one loss of each system against an imaginary one of strength
        0 (Mease 2003), which keeps all strengths finite and draws them together a little.
    level : float

    Returns
    -------
    Strengths or Undefined
        Undefined where some systems were never compared, directly or through others, or where the
        judgements are separated: a strength, the position effect or the weight of ties would grow
        without bound. `comparable_systems` finds those of which this is not so. With a penalty
        only the position effect and the weight of ties may grow.

    Raises
    ------
    ValueError
        If lengths differ, an index is out of range or equal to its partner, or an outcome unknown.
    """
    one, other, judged = _checked(first, second, outcome, n_systems)
    ties = bool((judged == 0).any())
    model = "davidson" if ties else "bradley-terry"
    penalised = penalty != "none"
    name = signature(model, position=position, penalty=penalty if penalised else None, level=level)
    n = judged.size
    if not n:
        return Undefined("there are no judgements", 0, "judgements", name)
    counts = PairCounts.of(one, other, judged, n_systems, position, penalised)
    group = components(counts, strongly=False)
    groups = [np.flatnonzero(group == part).tolist() for part in range(group.max() + 1)]
    if len(groups) > 1 and not penalised:
        reason = f"the comparisons fall into {len(groups)} groups that were never compared"
        return Undefined(reason, n, "judgements", name, {"groups": groups})
    fitted = maximised(counts)
    if (fitted is None or np.abs(fitted[0]).max() > SUSPICIOUS) and unbounded(counts):
        what = "the advantage of a side or the weight of ties" if penalised else "a strength"
        reason = f"the judgements are separated: {what} would grow without bound"
        return Undefined(reason, n, "judgements", name)
    if fitted is None:
        return Undefined("the fit did not converge", n, "judgements", name)
    values, covariance, log_likelihood = fitted
    if not penalised:
        # The last system is the reference of the others.
        values = np.insert(values, n_systems - 1, 0.0)
        for axis in (0, 1):
            covariance = np.insert(covariance, n_systems - 1, 0.0, axis=axis)
    found = _strengths(
        values, covariance, log_likelihood, n_systems, position, ties, n, level, name
    )
    return replace(found, penalised=penalised)


def comparable_systems(
    first: npt.ArrayLike, second: npt.ArrayLike, outcome: npt.ArrayLike, n_systems: int
) -> tuple[IntArray, dict[int, str]]:
    """Return the systems that have finite strengths, and why each other one has none.

    They are the largest group with a way of wins and ties from every system to every other (Ford
    1957). As a strength outside goes to infinity, its judgements drop out of the likelihood, so
    that the strengths inside are those of a fit without it.

    Parameters
    ----------
    first, second, outcome : array_like, shape (judgements,)
        As `fit_strengths` takes them.
    n_systems : int

    Returns
    -------
    kept : ndarray of int
        Empty where no group is the largest: all of one system, or several of the same size.
    reasons : dict
        By system, of each that is not kept.

    Examples
    --------
    >>> kept, reasons = comparable_systems([0, 1, 0, 1], [1, 0, 2, 2], [1, 1, 1, 1], 3)
    >>> kept.tolist(), reasons
    ([0, 1], {2: 'it lost all of its 2 judgements'})
    """
    counts = PairCounts.of(*_checked(first, second, outcome, n_systems), n_systems, False)
    groups, linked = (components(counts, strongly=strongly) for strongly in (True, False))
    sizes = np.bincount(groups, minlength=1)
    largest = np.flatnonzero(sizes == sizes.max())
    is_one = largest.size == 1 and sizes.max() > 1
    kept = np.flatnonzero(groups == largest[0]) if is_one else np.empty(0, dtype=np.int64)
    wins, losses, ties = (
        np.bincount(counts.first, counts.outcomes[:, own], n_systems)
        + np.bincount(counts.second, counts.outcomes[:, others], n_systems)
        for own, others in ((0, 1), (1, 0), (2, 2))
    )
    reasons = {}
    for system in np.setdiff1d(np.arange(n_systems), kept).tolist():
        n = int(wins[system] + losses[system] + ties[system])
        if (linked[system] != linked[kept[0]]) if kept.size else linked.any():
            reasons[system] = "it was never compared with the others, directly or through others"
        elif n in (wins[system], losses[system]):
            done = "won" if wins[system] else "lost"
            reasons[system] = f"it {done} all of its {n} judgements"
        else:
            reasons[system] = "no chain of wins and ties leads from it to the others and back"
    return kept, reasons


def _checked(
    first: npt.ArrayLike, second: npt.ArrayLike, outcome: npt.ArrayLike, n_systems: int
) -> tuple[IntArray, IntArray, IntArray]:
    one, other, judged = (np.asarray(side) for side in (first, second, outcome))
    if not one.shape == other.shape == judged.shape or one.ndim != 1:
        raise ValueError("first, second and outcome must have the same length")
    if one.size:
        both = np.concatenate([one, other])
        if both.dtype.kind not in "iu" or both.min() < 0 or both.max() >= n_systems:
            raise ValueError("a system's index is out of range")
        if (one == other).any():
            raise ValueError("a system cannot be compared with itself")
        if not np.isin(judged, [-1, 0, 1]).all():
            raise ValueError("an outcome is 1 (first), −1 (second) or 0 (tie)")
    return one.astype(np.int64), other.astype(np.int64), judged.astype(np.int64)


def _strengths(
    values: FloatArray,
    covariance: FloatArray,
    log_likelihood: float,
    n_systems: int,
    position: bool,
    ties: bool,
    n: int,
    level: float,
    name: str,
) -> Strengths:
    """Move the strengths so that they sum to zero, and give all parameters their intervals."""
    n_free = n_systems
    centring = np.eye(n_free) - 1 / n_free
    strengths = centring @ values[:n_free]
    by_system = centring @ covariance[:n_free, :n_free] @ centring.T
    half = float(scipy.stats.norm.ppf((1 + level) / 2))

    def estimate(value: float, variance: float, test: str | None) -> Estimate:
        error = float(np.sqrt(variance))
        interval = Interval(value - half * error, value + half * error, level, "Wald")
        p_value = float(2 * scipy.stats.norm.sf(abs(value) / error)) if test else None
        details = {"standard_error": error} | ({"test": test} if test else {})
        return Estimate(
            value, n, "judgements", name, p_value=p_value, interval=interval, details=details
        )

    def extra(place: int, test: str | None) -> Estimate:
        return estimate(float(values[place]), float(covariance[place, place]), test)

    return Strengths(
        tuple(
            estimate(float(value), float(variance), None)
            for value, variance in zip(strengths, np.diag(by_system), strict=True)
        ),
        extra(n_free, "no advantage of the first position, Wald") if position else None,
        extra(n_free + position, None) if ties else None,
        by_system,
        log_likelihood,
    )
