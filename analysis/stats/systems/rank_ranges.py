"""Mean scores of systems and their ranks, with intervals, ranges and clusters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import FloatArray, as_matrix, as_vector, is_constant
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap, bootstrap_draws
from analysis.stats.resampling.proportions import at_the_edge
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, signature

Scores = Literal["raw", "z", "rank"]


@dataclass(frozen=True, slots=True)
class SystemScore:
    """Mean human score of a system and its place.

    Parameters
    ----------
    system : str
    score : Estimate or Undefined
        Mean over the system's scored outputs; ``n`` counts outputs.
    rank : int or None
        1 is best; tied systems share the better place. None where undefined.
    """

    system: str
    score: Result
    rank: int | None


def rank_systems(
    scores: npt.ArrayLike | Sequence[npt.ArrayLike],
    systems: Sequence[str],
    *,
    segments: int | None = None,
    kind: Scores = "raw",
    level: float = 0.95,
    bounds: tuple[float, float] | None = None,
) -> list[SystemScore]:
    """Rank systems by the mean of their outputs' human scores.

    Parameters
    ----------
    scores : array_like, shape (segments, systems)
        Human score of each output (`mean_per_output`), NaN where missing. With `segments`: a
        sequence of one array_like for each system, in which missing scores may be absent.
    systems : sequence of str
        Names of the columns.
    segments : int, optional
        Of which an output of each system could have been scored.
    kind : {"raw", "z", "rank"}
        What the scores are, for the signature.
    level : float
    bounds : tuple of float, optional
        Lowest and highest score, where a mean at one of them is a share of outputs: of wins.

    Returns
    -------
    list of SystemScore
        Best first, undefined last; equal means in the order of names. The interval is Student's t
        over outputs, at a bound Clopper and Pearson's, None for a single output.

    Raises
    ------
    ValueError
        If there is not one name per column.

    Examples
    --------
    >>> [row.system for row in rank_systems([[1.0, 2.0], [3.0]], ["A", "B"], segments=2)]
    ['B', 'A']
    """
    columns: Any = scores
    if segments is None:
        matrix = as_matrix(columns, "scores")
        columns, segments = list(matrix.T), len(matrix)
    if len(columns) != len(systems):
        raise ValueError(f"{len(columns)} columns, but {len(systems)} systems")
    name = signature("system-mean", human=kind, level=level)
    results = [_mean(as_vector(column), segments, level, name, bounds) for column in columns]
    defined = [result.value for result in results if isinstance(result, Estimate)]
    rows = [
        SystemScore(system, result, _rank(result, defined))
        for system, result in zip(systems, results, strict=True)
    ]
    return sorted(rows, key=lambda row: (row.rank is None, row.rank or 0, row.system))


def _rank(result: Result, defined: Sequence[float]) -> int | None:
    """Place among the defined means; within 1e-9 they are tied."""
    if isinstance(result, Undefined):
        return None
    return 1 + sum(other > result.value + 1e-9 for other in defined)


def _mean(
    column: FloatArray, segments: int, level: float, name: str, bounds: tuple[float, float] | None
) -> Result:
    present = column[np.isfinite(column)]
    if present.size == 0:
        return Undefined("no output of this system was rated", 0, "outputs", name)
    value, interval, deviation = float(present.mean()), None, None
    if present.size > 1:
        deviation = 0.0 if is_constant(present) else float(present.std(ddof=1))
        half = float(scipy.special.stdtrit(present.size - 1, (1 + level) / 2)) * deviation
        half /= np.sqrt(present.size)
        interval = Interval(value - half, value + half, level, "Student's t over outputs")
        if bounds:
            edge = at_the_edge(value, present.size, level, over="outputs", bounds=bounds)
            interval = edge or interval
    return Estimate(
        value,
        n=present.size,
        unit="outputs",
        signature=name,
        interval=interval,
        details={"standard_deviation": deviation, "missing_outputs": int(segments - present.size)},
    )


def rank_intervals(
    scores: npt.ArrayLike,
    *,
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
    variant: Variant = NO_VARIANT,
) -> list[Result]:
    """Rank systems by their mean score, 1 for the highest, each rank with its interval.

    The interval holds the ranks that a system has when segments are resampled, all scores of a
    segment together, between the percentiles of the bootstrap (Goldstein and Spiegelhalter 1996
    for intervals of ranks; Hall and Miller 2009 for what the bootstrap of ranks can promise: it is
    too narrow where true means are equal). Equal means share their mean rank.

    Parameters
    ----------
    scores : array_like, shape (segments, systems)
        Higher is better; NaN where missing.
    bootstrap : Bootstrap
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    list of Estimate or Undefined
        One for each system, in the order of the columns; undefined without a score. `n` counts
        the system's scores.

    Examples
    --------
    >>> [result.value for result in rank_intervals([[1, 3, 2], [2, 3, 1.5]])]
    [3.0, 1.0, 2.0]
    """
    values = as_matrix(scores)
    present = np.isfinite(values)
    name = signature("rank-of-mean", **bootstrap.variant("segments"), **variant)
    filled = np.where(present, values, 0.0)
    counts = present.sum(axis=0)
    ranks = _ranks(np.ones((1, len(values))), filled, present)[0]
    draws = bootstrap_draws(
        np.ones(len(values)), lambda weights: _ranks(weights, filled, present), bootstrap
    )
    return [
        _rank_result(rank, draws[:, column], int(counts[column]), bootstrap, name)
        for column, rank in enumerate(ranks)
    ]


def _ranks(weights: FloatArray, filled: FloatArray, present: npt.NDArray[np.bool_]) -> FloatArray:
    """Return the ranks under each row of weights over segments, NaN for systems without score."""
    counts = weights @ present
    with np.errstate(invalid="ignore", divide="ignore"):
        means = (weights @ filled) / counts
    ranks: FloatArray = scipy.stats.rankdata(-means, axis=1, nan_policy="omit")
    return ranks


def _rank_result(
    rank: float, draws: FloatArray, count: int, bootstrap: Bootstrap, name: str
) -> Result:
    if not np.isfinite(rank):
        return Undefined("the system has no score", 0, "outputs", name)
    if not bootstrap:
        return Estimate(float(rank), count, "outputs", name)
    tail, found = (1 - bootstrap.level) / 2, draws[np.isfinite(draws)]
    # Ranks are steps: an end between two of them would be a rank that no resample gave.
    low = float(np.quantile(found, tail, method="lower"))
    high = float(np.quantile(found, 1 - tail, method="higher"))
    interval = Interval(low, high, bootstrap.level, "percentile bootstrap over segments")
    details = {"degenerate_draws": draws.size - found.size} if found.size < draws.size else {}
    return Estimate(float(rank), count, "outputs", name, interval=interval, details=details)


@dataclass(frozen=True, slots=True)
class RankRange:
    """Where one of several stands.

    Parameters
    ----------
    index : int
        Position in the input.
    best, worst : int, optional
        Rank range: 1 + the number that are significantly better; n − the number that it is
        significantly better than. None for one that was compared with no other.
    cluster : int, optional
        1 is the best cluster.
    """

    index: int
    best: int | None
    worst: int | None
    cluster: int | None


def significantly_better(
    differences: npt.ArrayLike, p_values: npt.ArrayLike, *, level: float = 0.05
) -> npt.NDArray[np.bool_]:
    """Return who is better than whom: a positive difference whose p-value is at most `level`.

    Parameters
    ----------
    differences, p_values : array_like, shape (n, n)
        Entry i, j compares i with j, oriented so that positive is better; two-sided p-values,
        adjusted as wanted. NaN where undefined: then neither is better.
    """
    gaps, values = (np.asarray(side, dtype=np.float64) for side in (differences, p_values))
    return np.asarray((gaps > 0) & (values <= level), dtype=np.bool_)


def rank_ranges(values: npt.ArrayLike, better: npt.ArrayLike) -> list[RankRange]:
    """Rank by value, with ranges and clusters as the WMT shared tasks draw them.

    A line is drawn below a place if everyone above it is significantly better than everyone below
    (Bojar et al. 2013; Kocmi et al. 2022). Members of a cluster are not shown to be equal: no
    difference that would separate them was detected.

    Parameters
    ----------
    values : array_like, shape (n,)
        Higher is better; NaN (undefined) is left out.
    better : array_like of bool, shape (n, n)
        Whether the row is significantly better than the column, see `significantly_better`.

    Returns
    -------
    list of RankRange
        Best first; equal values in the order of the input.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> won = [[False, False, True], [False, False, True], [False, False, False]]
    >>> [(r.best, r.worst, r.cluster) for r in rank_ranges([0.9, 0.8, 0.1], won)]
    [(1, 2, 1), (1, 2, 1), (3, 3, 2)]
    """
    scores: FloatArray = as_vector(values)
    wins = np.asarray(better, dtype=np.bool_)
    if wins.shape != (scores.size, scores.size):
        raise ValueError("one comparison per pair is needed")
    kept = np.flatnonzero(np.isfinite(scores))
    order = kept[np.argsort(-scores[kept], kind="stable")]
    wins = wins[np.ix_(order, order)]
    n = order.size
    ranges, cluster = [], 1
    for place in range(n):
        if place and wins[:place, place:].all():
            cluster += 1
        best = 1 + int(wins[:, place].sum())
        ranges.append(RankRange(int(order[place]), best, n - int(wins[place].sum()), cluster))
    return ranges
