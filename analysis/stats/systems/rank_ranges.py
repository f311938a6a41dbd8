"""Rank ranges and clusters of systems, or of metrics, from which ones are significantly better."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, as_vector


@dataclass(frozen=True, slots=True)
class RankRange:
    """Where one of several stands.

    Parameters
    ----------
    index : int
        Position in the input.
    best, worst : int
        Rank range: 1 + the number that are significantly better; n − the number that it is
        significantly better than.
    cluster : int
        1 is the best cluster.
    """

    index: int
    best: int
    worst: int
    cluster: int


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
