"""Which random effects a design can tell apart, and the search for their variances."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import BoolArray, FloatArray, IntArray
from analysis.stats.comparison.crossed_effects import TERMS, Crossing, Term

NEGLIGIBLE = 1e-5
"""A variance that gains less log-likelihood than this is zero."""
WITHIN = 9.0
"""Bound of log standard deviations while they are searched for."""
FIXED_WITHIN = 15.0
"""Bound of all other parameters."""
ITERATIONS, RESTARTS = 500, 5
FLAT = 1e-4
"""Slope of a criterion at which a search is near enough."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The random effects that a design can tell apart.

    Parameters
    ----------
    crossing : Crossing
        One level for a term that is not there.
    present : tuple of Term
    levels : mapping of str to int
        Levels of every term, also of those that are not there.
    confounded : Term or None
        A term whose effects cannot be told from those of systems.
    """

    crossing: Crossing
    present: tuple[Term, ...]
    levels: Mapping[str, int]
    confounded: Term | None


def chosen_terms(
    system: IntArray, annotator: IntArray, segment: IntArray, terms: Sequence[Term] = TERMS
) -> Chosen:
    """Say which random effects can be estimated alongside fixed effects of systems.

    A term needs more levels than its graph with the systems has parts, fewer levels than there are
    ratings, and other groups of ratings than a term before it has.
    """
    codes: dict[Term, IntArray] = {
        "segments": np.unique(segment, return_inverse=True)[1],
        "annotators": np.unique(annotator, return_inverse=True)[1],
        "outputs": np.unique(segment * (system.max() + 1) + system, return_inverse=True)[1],
    }
    levels: dict[str, int] = {term: int(each.max()) + 1 for term, each in codes.items()}
    present: list[Term] = []
    confounded: Term | None = None
    for term, each in codes.items():
        if term not in terms or levels[term] == len(system):
            continue
        parts = _parts(system, each)
        if levels[term] > parts:
            if not any(_same(each, codes[other]) for other in present):
                present.append(term)
        elif parts > 1:
            confounded = term
    kept = [codes[term] if term in present else np.zeros_like(system) for term in TERMS]
    return Chosen(Crossing(*kept), tuple(present), levels, confounded)


def _parts(system: IntArray, codes: IntArray) -> int:
    """Return the number of connected parts of the graph of systems and levels."""
    n = int(system.max()) + 1
    size = n + int(codes.max()) + 1
    links = scipy.sparse.coo_array((np.ones(len(system)), (system, n + codes)), (size, size))
    return int(scipy.sparse.csgraph.connected_components(links, directed=False)[0])


def _same(one: IntArray, other: IntArray) -> bool:
    """Whether two terms group the ratings alike."""
    width = int(other.max()) + 1
    both = np.unique(one * width + other).size
    return bool(both == one.max() + 1 == width)


Evaluate: TypeAlias = Callable[[FloatArray, FloatArray], tuple[float, FloatArray, FloatArray]]
"""Fixed parameters and scales to value, gradient, and gradient in log scales."""


@dataclass(frozen=True, slots=True)
class Minimum:
    """Where a criterion is lowest.

    Parameters
    ----------
    fixed : ndarray
    scales : ndarray, shape (3,)
        Zero for terms that are not there or whose variance is estimated as zero.
    value : float
    gradient : ndarray
        In the fixed parameters and the log scales that are not zero.
    positive : ndarray of bool, shape (3,)
    """

    fixed: FloatArray
    scales: FloatArray
    value: float
    gradient: FloatArray
    positive: BoolArray


def minimise(evaluate: Evaluate, fixed: npt.ArrayLike, present: Sequence[Term]) -> Minimum:
    """Minimise a criterion, here minus a log-likelihood, over fixed parameters and log scales.

    A term whose variance gains nothing is set to zero, and the others are fitted again.
    """
    start = np.asarray(fixed, dtype=np.float64)
    logs = np.zeros(len(TERMS))
    positive = np.array([term in present for term in TERMS])
    while True:
        value, start, logs, gradient = _searched(evaluate, start, logs, positive)
        scales = np.where(positive, np.exp(logs), 0.0)
        for term in np.flatnonzero(positive):
            without = np.where(np.arange(len(TERMS)) == term, 0.0, scales)
            if evaluate(start, without)[0] <= value + NEGLIGIBLE:
                positive[term] = False
                break
        else:
            return Minimum(start, scales, value, gradient, positive)


def _searched(
    evaluate: Evaluate, fixed: FloatArray, logs: FloatArray, positive: BoolArray
) -> tuple[float, FloatArray, FloatArray, FloatArray]:
    size = len(fixed)

    def objective(at: FloatArray) -> tuple[float, FloatArray]:
        scales = np.zeros(len(TERMS))
        scales[positive] = np.exp(at[size:])
        value, slopes, of_logs = evaluate(at[:size], scales)
        return value, np.concatenate([slopes, of_logs[positive]])

    start = np.concatenate([fixed, logs[positive]])
    if not len(start):
        return evaluate(fixed, np.zeros(len(TERMS)))[0], fixed, logs, start
    ends = np.repeat([FIXED_WITHIN, WITHIN], [size, int(positive.sum())])
    at = np.clip(start, -ends, ends)
    options = {"maxiter": ITERATIONS, "maxfun": 3 * ITERATIONS, "ftol": 1e-14, "gtol": 1e-6}
    for _ in range(RESTARTS):
        # A line search that fails ends it early at times; without its memory it goes on.
        found = scipy.optimize.minimize(
            objective,
            at,
            jac=True,
            method="L-BFGS-B",
            bounds=scipy.optimize.Bounds(-ends, ends),
            options=options,
        )
        at = found.x
        if np.abs(found.jac).max() < FLAT:
            break
    logs = logs.copy()
    logs[positive] = at[size:]
    return float(found.fun), at[:size], logs, np.asarray(found.jac)
