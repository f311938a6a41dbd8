"""Strengths of systems from pairwise judgements: Bradley–Terry, with ties as Davidson's model.

Judgements are counted by ordered pair of systems, so that a fit costs as much for 200,000
judgements as for one of every pair; derivatives are sums over pairs, and no row of features is
written out.
"""

from dataclasses import dataclass
from itertools import permutations
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import FloatArray, IntArray
from analysis.stats.results import Estimate, Interval, Undefined
from analysis.stats.signature import signature

MOST_STEPS = 100
ILL_CONDITIONED = 1e12
FEATURES = np.array([[1.0, 0.0, 0.5, 0.0], [0.5, 0.5, 0.0, 1.0], [0.0, 1.0, -0.5, 0.0]])
"""Of the first winning, a tie and the second winning: by λᵢ, λⱼ, position and tie."""


def cells_of_judgements(
    one: IntArray, other: IntArray, judged: IntArray, n_systems: int
) -> IntArray:
    """Return where judgements are counted: by outcome (first, tie, second), first and second."""
    return (1 - judged) * n_systems**2 + one * n_systems + other


def counted(cells: IntArray, n_systems: int, weights: FloatArray | None = None) -> FloatArray:
    """Count judgements by their cells (3 × systems × systems)."""
    counts = np.bincount(cells, weights, minlength=3 * n_systems**2)
    return counts.reshape(3, n_systems, n_systems).astype(np.float64)


def free_parameters(
    n_systems: int, *, position: bool, ties: bool, penalised: bool
) -> npt.NDArray[np.bool_]:
    """Say of strengths, position and tie which are fitted: the last strength by a penalty only."""
    return np.append((np.arange(n_systems) < n_systems - 1) | penalised, [position, ties])


def maximised(
    counts: FloatArray, *, position: bool, penalised: bool
) -> tuple[FloatArray, FloatArray, float] | None:
    """Return parameters, their covariance and the log likelihood; None without convergence.

    Newton's method, half steps back where it overshoots. The parameters are the strengths of all
    systems, position and tie; those that are not fitted are zero.
    """
    n, ties = counts.shape[1], bool(counts[1].any())
    free = free_parameters(n, position=position, ties=ties, penalised=penalised)
    values: FloatArray = np.zeros(n + 2)
    previous = -np.inf
    last_step: FloatArray = np.zeros(int(free.sum()))
    for _ in range(MOST_STEPS):
        gradient, information, log_likelihood = derivatives(counts, values, ties, penalised)
        information = information[np.ix_(free, free)]
        if np.linalg.cond(information) > ILL_CONDITIONED:
            return None
        step = np.linalg.solve(information, gradient[free])
        if float(gradient[free] @ step) < 1e-16 * max(1.0, counts.sum()):
            covariance = np.zeros((n + 2, n + 2))
            covariance[np.ix_(free, free)] = np.linalg.inv(information)
            return values, covariance, log_likelihood
        if log_likelihood < previous - 1e-9 * abs(previous):
            # Newton overshot: go half the way back.
            last_step = np.asarray(last_step / 2, dtype=np.float64)
            values[free] -= last_step
            continue
        previous, last_step = log_likelihood, np.asarray(step, dtype=np.float64)
        values[free] += step
    return None


def derivatives(
    counts: FloatArray, values: FloatArray, has_tie: bool, penalised: bool
) -> tuple[FloatArray, FloatArray, float]:
    """Return gradient and information of the log likelihood, and the log likelihood itself.

    The penalty is a win and a loss of each system against one of strength 0, of log likelihood
    λ − 2 log(1 + exp λ).

    Parameters
    ----------
    counts : ndarray, shape (3, systems, systems)
        Of the first winning, ties and the second winning, by first and second system.
    values : ndarray, shape (systems + 2,)
        Strengths, position and tie.
    has_tie, penalised : bool
    """
    n, total = len(values) - 2, counts.sum(axis=0)
    half = np.exp(values[:n] / 2)
    win = np.outer(half * np.exp(values[n] / 2), 1 / half)
    tie = np.exp(values[n + 1]) if has_tie else 0.0
    all_weights = win + tie + 1 / win
    won, tied, lost = win / all_weights, tie / all_weights, 1 / win / all_weights
    # Means and covariances of what an outcome adds to the strengths of the first and the second
    # system, to position and to tie: see `FEATURES`.
    one, other, side = won + tied / 2, lost + tied / 2, (won - lost) / 2
    observed = counts[0] + counts[1] / 2, counts[2] + counts[1] / 2
    gradient = np.empty(n + 2)
    gradient[:n] = (observed[0] - total * one).sum(axis=1)
    gradient[:n] += (observed[1] - total * other).sum(axis=0)
    gradient[n] = ((counts[0] - counts[2]) / 2 - total * side).sum()
    gradient[n + 1] = (counts[1] - total * tied).sum()
    information = np.zeros((n + 2, n + 2))
    both = total * (tied / 4 - one * other)
    information[:n, :n] = both + both.T
    own = (total * (won + tied / 4 - one**2)).sum(axis=1)
    own += (total * (lost + tied / 4 - other**2)).sum(axis=0)
    information[np.arange(n), np.arange(n)] += own
    beside = (total * (won / 2 - one * side)).sum(axis=1)
    beside -= (total * (lost / 2 + other * side)).sum(axis=0)
    with_tie = (total * (tied / 2 - one * tied)).sum(axis=1)
    with_tie += (total * (tied / 2 - other * tied)).sum(axis=0)
    information[:n, n], information[:n, n + 1] = beside, with_tie
    information[n:, :n] = information[:n, n:].T
    information[n, n] = (total * ((won + lost) / 4 - side**2)).sum()
    information[n, n + 1] = information[n + 1, n] = -(total * side * tied).sum()
    information[n + 1, n + 1] = (total * (tied - tied**2)).sum()
    shares = np.stack([won, tied, lost])
    log_likelihood = float(scipy.special.xlogy(counts, shares).sum())
    if penalised:
        pull = -np.tanh(values[:n] / 2)
        gradient[:n] += pull
        information[np.arange(n), np.arange(n)] += (1 - pull**2) / 2
        log_likelihood -= float(2 * np.log(2 * np.cosh(values[:n] / 2)).sum())
    return gradient, information, log_likelihood


def unbounded(counts: FloatArray, *, position: bool, penalised: bool = False) -> bool:
    """Say whether the likelihood grows forever in some direction (Albert and Anderson 1984).

    It does where no win or tie leads from some systems to others (Ford 1957). Where ways lead to
    and fro, only the effects of position and of ties can still grow, together with strengths; a
    linear programme finds out. With a penalty strengths are bounded, and only these two can grow.
    """
    ties = bool(counts[1].any())
    if not penalised and components(counts, strongly=True).max(initial=0) > 0:
        return True
    if not (position or ties):
        return False
    n = counts.shape[1]
    free = free_parameters(n, position=position, ties=ties, penalised=penalised)
    if penalised:
        free[:n] = False
    return _grows(_margins(counts)[:, np.flatnonzero(free)])


def components(counts: FloatArray, *, strongly: bool) -> IntArray:
    """Return the component of each system, numbered from 0.

    Strongly connected: a way of wins and ties leads from every system of one to every other. Else:
    they were compared, directly or through others.
    """
    beaten = scipy.sparse.csr_array(counts[0] + counts[1] + (counts[2] + counts[1]).T)
    _, component = scipy.sparse.csgraph.connected_components(
        beaten, directed=strongly, connection="strong"
    )
    return np.asarray(component, dtype=np.int64)


def _margins(counts: FloatArray) -> scipy.sparse.csr_array:
    """Return features of each chosen outcome less those of each other one, a row for each."""
    n = counts.shape[1]
    blocks = []
    outcomes = [outcome for outcome in range(3) if outcome != 1 or counts[1].any()]
    for chosen, other in permutations(outcomes, 2):
        one, against = np.nonzero(counts[chosen])
        columns = np.column_stack([one, against, np.full((one.size, 2), [n, n + 1])]).ravel()
        values = np.tile(FEATURES[chosen] - FEATURES[other], one.size)
        starts = 4 * np.arange(one.size + 1)
        blocks.append(scipy.sparse.csr_array((values, columns, starts), (one.size, n + 2)))
    return scipy.sparse.vstack(blocks, format="csr")


def _grows(margins: scipy.sparse.csr_array) -> bool:
    found = scipy.optimize.linprog(
        -np.asarray(margins.sum(axis=0)).ravel(),
        A_ub=-margins,
        b_ub=np.zeros(margins.shape[0]),
        bounds=(-1, 1),
    )
    return bool(found.status == 0 and -found.fun > 1e-7)


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
    counts = counted(cells_of_judgements(one, other, judged, n_systems), n_systems)
    group = components(counts, strongly=False)
    groups = [np.flatnonzero(group == part).tolist() for part in range(group.max() + 1)]
    if len(groups) > 1 and not penalised:
        reason = f"the comparisons fall into {len(groups)} groups that were never compared"
        return Undefined(reason, n, "judgements", name, {"groups": groups})
    fitted = maximised(counts, position=position, penalised=penalised)
    suspicious = fitted is None or np.abs(fitted[0]).max() > SUSPICIOUS
    if suspicious and unbounded(counts, position=position, penalised=penalised):
        what = "the advantage of a side or the weight of ties" if penalised else "a strength"
        reason = f"the judgements are separated: {what} would grow without bound"
        return Undefined(reason, n, "judgements", name)
    if fitted is None:
        return Undefined("the fit did not converge", n, "judgements", name)
    values, covariance, log_likelihood = fitted
    # The strengths are moved so that they sum to zero.
    centring = np.eye(n_systems) - 1 / n_systems
    values[:n_systems] = centring @ values[:n_systems]
    by_system = centring @ covariance[:n_systems, :n_systems] @ centring.T
    variances = np.append(np.diag(by_system), np.diag(covariance)[n_systems:])
    half = float(scipy.stats.norm.ppf((1 + level) / 2))

    def estimate(place: int, test: str | None = None) -> Estimate:
        value, error = float(values[place]), float(np.sqrt(variances[place]))
        interval = Interval(value - half * error, value + half * error, level, "Wald")
        p_value = float(2 * scipy.stats.norm.sf(abs(value) / error)) if test else None
        details = {"standard_error": error} | ({"test": test} if test else {})
        return Estimate(
            value, n, "judgements", name, p_value=p_value, interval=interval, details=details
        )

    no_advantage = "no advantage of the first position, Wald"
    return Strengths(
        tuple(map(estimate, range(n_systems))),
        estimate(n_systems, no_advantage) if position else None,
        estimate(n_systems + 1) if ties else None,
        by_system,
        log_likelihood,
        penalised,
    )


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
    counts = counted(
        cells_of_judgements(*_checked(first, second, outcome, n_systems), n_systems), n_systems
    )
    groups, linked = (components(counts, strongly=strongly) for strongly in (True, False))
    sizes = np.bincount(groups, minlength=1)
    largest = np.flatnonzero(sizes == sizes.max())
    is_one = largest.size == 1 and sizes.max() > 1
    kept = np.flatnonzero(groups == largest[0]) if is_one else np.empty(0, dtype=np.int64)
    shown_first, shown_second = counts.sum(axis=2), counts.sum(axis=1)
    wins, ties, losses = shown_first + shown_second[::-1]
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
