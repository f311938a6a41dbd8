"""Bootstrap of strengths from pairwise votes, and shares of votes.

A resample of 200,000 votes on 300 systems is a matrix of counts for each outcome; its fit begins
at the strengths of all votes, so that a few steps of Newton's method suffice.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import FloatArray, IntArray, ratio
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap, percentile_interval
from analysis.stats.resampling.proportions import clopper_pearson
from analysis.stats.results import Estimate, Undefined
from analysis.stats.signature import extended, signature
from analysis.stats.systems.bradley_terry import (
    Strengths,
    cells_of_judgements,
    components,
    counted,
    derivatives,
    free_parameters,
)
from corpus.progress import ProgressCallback, unreported

MOST_STEPS = 30
LARGEST_STEP = 2.0
"""Farther than this no strength moves at a step."""
CONVERGED = 1e-9
"""Newton's decrement, as a share of the votes, at which a fit has ended."""
BEYOND = 12.0
"""A strength so far from the mean is on its way to infinity."""


@dataclass(frozen=True, slots=True)
class ResampledStrengths:
    """Log strengths and the advantage of the first position in each resample.

    Parameters
    ----------
    systems : ndarray, shape (resamples, systems)
        NaN where a resample tells nothing of a system: it met nobody, or, without a penalty, lost
        or won every time.
        Each is centred so that the systems in it have the mean that they have in all votes.
    position : ndarray, shape (resamples,)
        NaN where it is not fitted.
    """

    systems: FloatArray
    position: FloatArray


def resampled_strengths(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    outcome: npt.ArrayLike,
    fitted: Strengths,
    *,
    clusters: npt.ArrayLike | None = None,
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
    report: ProgressCallback = unreported,
) -> ResampledStrengths:
    """Fit strengths to resampled votes.

    Parameters
    ----------
    first, second, outcome : array_like, shape (votes,)
        As `fit_strengths` takes them.
    fitted : Strengths
        What `fit_strengths` returned for them: the model, and where fits begin.
    clusters : array_like of int, shape (votes,), optional
        Judge or conversation of each vote, from 0; all votes of one are drawn together (Field and
        Welsh 2007). None: votes are drawn one by one.
    bootstrap : Bootstrap
    report : ProgressCallback
        Is told how many resamples are done.

    Returns
    -------
    ResampledStrengths
    """
    n = len(fitted.systems)
    one, other, judged = (np.asarray(each, dtype=np.int64) for each in (first, second, outcome))
    cells = cells_of_judgements(one, other, judged, n)
    whose = None if clusters is None else np.asarray(clusters, dtype=np.int64)
    start = np.array(
        [
            *(system.value for system in fitted.systems),
            fitted.position.value if fitted.position else 0.0,
            fitted.tie.value if fitted.tie else 0.0,
        ]
    )
    generator = np.random.default_rng(bootstrap.seed)
    systems = np.full((bootstrap.resamples, n), np.nan)
    position = np.full(bootstrap.resamples, np.nan)
    for draw in range(bootstrap.resamples):
        counts = _drawn(generator, cells, whose, n)
        found = _fitted(counts, start, fitted)
        if found is not None:
            systems[draw], position[draw] = found
        if draw % 20 == 0:
            report("resampling votes", draw, bootstrap.resamples)
    return ResampledStrengths(systems, position)


def _drawn(
    generator: np.random.Generator, cells: IntArray, clusters: IntArray | None, n: int
) -> FloatArray:
    """Return resampled counts, outcome × first × second: first won, tie, second won."""
    if clusters is None:
        return counted(cells[generator.integers(0, cells.size, cells.size)], n)
    size = int(clusters.max()) + 1
    times = np.bincount(generator.integers(0, size, size), minlength=size)
    return counted(cells, n, times[clusters].astype(np.float64))


def _fitted(
    counts: FloatArray, start: FloatArray, fitted: Strengths
) -> tuple[FloatArray, float] | None:
    """Return strengths, NaN of systems of which nothing can be told, and the position effect."""
    position = fitted.position is not None
    kept = _met(counts) if fitted.penalised else _comparable(counts)
    if kept.size < 2:
        return None
    inside = counts[:, kept[:, None], kept[None, :]]
    # A resample may have lost all its ties, or all votes for a side.
    tie = fitted.tie is not None and bool(inside[1].any())
    begin = np.append(start[kept], [start[-2], start[-1] if tie else 0.0])
    values = _maximum(inside, begin, position, tie, fitted.penalised)
    if values is None:
        return None
    strengths = values[: kept.size]
    found = np.full(len(start) - 2, np.nan)
    found[kept] = strengths - strengths.mean() + start[kept].mean()
    return found, float(values[kept.size]) if position else np.nan


def _met(counts: FloatArray) -> IntArray:
    """Return the systems that met another."""
    judged = counts.sum(axis=0)
    return np.flatnonzero(judged.sum(axis=0) + judged.sum(axis=1))


def _comparable(counts: FloatArray) -> IntArray:
    """Return the largest set with a way of wins and ties between every two (Ford 1957)."""
    part = components(counts, strongly=True)
    return np.flatnonzero(part == np.bincount(part).argmax())


def _maximum(
    counts: FloatArray, values: FloatArray, has_position: bool, has_tie: bool, penalised: bool
) -> FloatArray | None:
    """Return the strengths, position and tie of the highest likelihood, by Newton's method.

    The last system's strength stays where it begins, unless a penalty says where all are;
    derivatives are sums over a matrix of pairs.
    """
    n = len(values) - 2
    free = free_parameters(n, position=has_position, ties=has_tie, penalised=penalised)
    total = counts.sum(axis=0)
    for _ in range(MOST_STEPS):
        gradient, information = derivatives(counts, values, has_tie, penalised)[:2]
        try:
            step = np.linalg.solve(information[np.ix_(free, free)], gradient[free])
        except np.linalg.LinAlgError:
            return None
        if float(gradient[free] @ step) < CONVERGED * total.sum():
            return values
        values[free] += np.clip(step, -LARGEST_STEP, LARGEST_STEP)
        if np.abs(values[:n] - values[:n].mean()).max() > BEYOND:
            return None
    return None


def with_resampled_intervals(
    fitted: Strengths, resampled: ResampledStrengths, bootstrap: Bootstrap, over: str
) -> Strengths:
    """Return strengths with percentile intervals, and variances of differences, by a bootstrap.

    Parameters
    ----------
    fitted : Strengths
    resampled : ResampledStrengths
    bootstrap : Bootstrap
        By which they were drawn.
    over : str
        What was drawn, as signatures name it.
    """
    variant = bootstrap.variant(over)

    def estimate(value: Estimate, draws: FloatArray, test: str | None) -> Estimate:
        interval, degenerate = percentile_interval(draws, bootstrap, over)
        error = float(np.nanstd(draws, ddof=1)) if interval else float("nan")
        p_value = float(2 * scipy.stats.norm.sf(abs(value.value) / error)) if test else None
        details: dict[str, Any] = {
            "standard_error": error,
            "resamples": bootstrap.resamples,
            "degenerate_draws": degenerate,
        }
        return replace(
            value,
            signature=extended(value.signature, **variant),
            interval=interval,
            p_value=p_value,
            details=details | ({"test": test} if test else {}),
        )

    test = "no advantage of the first position, Wald with the bootstrap's standard error"
    return replace(
        fitted,
        systems=tuple(
            estimate(system, draws, None)
            for system, draws in zip(fitted.systems, resampled.systems.T, strict=True)
        ),
        position=fitted.position and estimate(fitted.position, resampled.position, test),
        covariance=_covariance(resampled.systems),
    )


def _covariance(draws: FloatArray) -> FloatArray:
    """Return covariances that give each difference its variance over the draws that have both."""
    there = np.isfinite(draws).astype(np.float64)
    values = np.where(there > 0, draws, 0.0)
    centre = ratio(values.sum(axis=0), there.sum(axis=0))
    values = np.where(there > 0, values - np.nan_to_num(centre), 0.0)
    both = there.T @ there
    sums = values.T @ there
    gaps = sums - sums.T
    squared = (values**2).T @ there
    squares = squared + squared.T - 2 * values.T @ values
    of_gaps = ratio(squares - ratio(gaps**2, both), both - 1)
    own = np.diag(ratio(squared - ratio(sums**2, both), both - 1))
    return np.asarray((own[:, None] + own[None, :] - of_gaps) / 2)


LEVEL = 0.95


def share_of_votes(chosen: npt.ArrayLike) -> Estimate | Undefined:
    """Return the share of votes that gave an answer, with its Clopper–Pearson interval.

    Parameters
    ----------
    chosen : array_like of bool, shape (votes,)
        Votes of one rater are taken as independent.

    Examples
    --------
    >>> round(share_of_votes([True] * 3 + [False] * 17).interval.high, 3)
    0.379
    """
    given = np.asarray(chosen, dtype=bool)
    name = signature("share-of-votes", level=LEVEL)
    if not given.size:
        return Undefined("there are no judgements", 0, "judgements", name)
    interval = clopper_pearson(int(given.sum()), given.size, LEVEL, "Clopper-Pearson")
    return Estimate(float(given.mean()), given.size, "judgements", name, interval=interval)
