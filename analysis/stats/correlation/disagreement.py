"""How far a metric and human raters disagree about single outputs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, metric_and_human


@dataclass(frozen=True, slots=True)
class RankGaps:
    """The rank of each output by a metric and by human raters.

    Parameters
    ----------
    metric_share, human_share : ndarray, shape (segments, systems)
        Share of the other outputs that stand lower, ties counting half: 0 is the worst, 1 the
        best; NaN where one of the two scores is missing.
    gap : ndarray of the same shape
        metric_share − human_share, from −1 (best by humans alone) to 1 (by the metric).
    n : int
        Outputs that have both scores.
    """

    metric_share: FloatArray
    human_share: FloatArray
    gap: FloatArray
    n: int


def rank_gaps(metric: npt.ArrayLike, human: npt.ArrayLike) -> RankGaps:
    """Compare the places of outputs by a metric and by human raters, among those with both.

    Ranks rather than scores, because a metric's scale says nothing about the human one.

    Parameters
    ----------
    metric, human : array_like, shape (segments, systems)
        Higher is better in both; NaN where missing.

    Returns
    -------
    RankGaps

    Examples
    --------
    >>> rank_gaps([[0.1, 0.2, 0.3]], [[90, 50, 50]]).gap.tolist()
    [[-1.0, 0.25, 0.75]]
    """
    scores, judgements, both = metric_and_human(metric, human)
    metric_share = standing(np.where(both, scores, np.nan))
    human_share = standing(np.where(both, judgements, np.nan))
    return RankGaps(metric_share, human_share, metric_share - human_share, int(both.sum()))


def standing(values: FloatArray) -> FloatArray:
    """Return for each score the share of the others that are lower, ties counting half.

    Examples
    --------
    >>> standing(np.array([3.0, 1.0, np.nan, 1.0])).tolist()
    [1.0, 0.25, nan, 0.25]
    """
    # Pages of the explorer are loaded at start, SciPy's statistics only when they are shown.
    from scipy.stats import rankdata

    shares = np.full(values.shape, np.nan)
    finite = np.isfinite(values)
    known = values[finite]
    if known.size:
        shares[finite] = (rankdata(known) - 1) / (known.size - 1) if known.size > 1 else 0.5
    return shares


def standing_of(some: FloatArray, values: FloatArray) -> FloatArray:
    """Return `standing` for some of the scores, without ordering all of them.

    Examples
    --------
    >>> standing_of(np.array([1.0, np.nan]), np.array([3.0, 1.0, np.nan, 1.0])).tolist()
    [0.25, nan]
    """
    finite = np.isfinite(values)
    known = int(np.count_nonzero(finite))
    # Counted where they lie: pages ask this of every metric, and copies would take most of it.
    below = np.array([np.count_nonzero((values < score) & finite) for score in some], dtype=float)
    tied = np.array([np.count_nonzero(values == score) - 1 for score in some], dtype=float)
    shares = (below + tied / 2) / (known - 1) if known > 1 else np.full(some.shape, 0.5)
    return np.where(np.isfinite(some), shares, np.nan)
