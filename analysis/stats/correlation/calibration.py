"""A metric's scores against human scores: in bins, by a cross-fitted line, and by ranks."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import FloatArray, is_constant, metric_and_human


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Outputs with scores of about one size.

    Parameters
    ----------
    low, high : float
        Range of the metric's scores in the bin.
    metric, human : float
        Means in the bin.
    n : int
    human_low, human_high : float or None
        Student's t interval of the mean human score over the outputs; None for a single output.
    """

    low: float
    high: float
    metric: float
    human: float
    n: int
    human_low: float | None
    human_high: float | None


@dataclass(frozen=True, slots=True)
class JointCounts:
    """Numbers of outputs by metric score and human score.

    Parameters
    ----------
    metric_edges, human_edges : tuple of float
        Limits of the bins, ascending; a score at an inner limit counts into the higher bin.
    cells : tuple of (int, int, int)
        Bin of the metric, bin of human scores, outputs; empty cells are left out.
    """

    metric_edges: tuple[float, ...]
    human_edges: tuple[float, ...]
    cells: tuple[tuple[int, int, int], ...]


def binned_calibration(
    metric: npt.ArrayLike, human: npt.ArrayLike, *, bins: int = 10, level: float = 0.95
) -> list[CalibrationBin]:
    """Cut outputs into bins of about equal number by the metric, with the mean human score in each.

    Equal scores never fall into two bins, so that a metric with few different values has fewer
    bins. Outputs of one segment depend on each other: the intervals are somewhat narrow.

    Parameters
    ----------
    metric, human : array_like, shape (segments, systems)
        NaN where missing.
    bins : int
    level : float

    Returns
    -------
    list of CalibrationBin
        Ascending by the metric.

    Examples
    --------
    >>> [(b.metric, b.human) for b in binned_calibration([[1, 2, 3, 4]], [[5, 7, 6, 8]], bins=2)]
    [(1.5, 6.0), (3.5, 7.0)]
    """
    scores, judgements, both = metric_and_human(metric, human)
    x, y = scores[both], judgements[both]
    if not x.size:
        return []
    order = np.argsort(x)
    x, y = x[order], y[order]
    limits = np.unique(np.quantile(x, np.linspace(0, 1, bins + 1)))
    # A score at a limit counts into the lower bin; the lowest of all into the first.
    inner = np.searchsorted(x, limits[1:-1], side="right")
    starts = np.unique(np.concatenate([[0], inner]))
    found = []
    for start, end in zip(starts, [*starts[1:], x.size], strict=True):
        own_x, own_y = x[start:end], y[start:end]
        if not own_x.size:
            continue
        low, high = _mean_interval(own_y, level)
        found.append(
            CalibrationBin(
                float(own_x[0]),
                float(own_x[-1]),
                float(own_x.mean()),
                float(own_y.mean()),
                int(own_x.size),
                low,
                high,
            )
        )
    return found


def joint_counts(
    metric: npt.ArrayLike, human: npt.ArrayLike, *, bins: int = 20
) -> JointCounts | None:
    """Count outputs by metric and human score, in bins of equal width; None without outputs.

    Parameters
    ----------
    metric, human : array_like, shape (segments, systems)
        NaN where missing.
    bins : int
        On either side; one for a side that is constant.
    """
    scores, judgements, both = metric_and_human(metric, human)
    x, y = scores[both], judgements[both]
    if not x.size:
        return None
    x_edges, y_edges = (
        np.histogram_bin_edges(side, 1 if is_constant(side) else bins) for side in (x, y)
    )
    counts = np.histogram2d(x, y, [x_edges, y_edges])[0].astype(int)
    filled = np.nonzero(counts)
    places = (side.tolist() for side in (*filled, counts[filled]))
    return JointCounts(
        tuple(x_edges.tolist()), tuple(y_edges.tolist()), tuple(zip(*places, strict=True))
    )


def _mean_interval(
    values: npt.NDArray[np.float64], level: float
) -> tuple[float | None, float | None]:
    n = values.size
    if n < 2:
        return None, None
    half = float(scipy.special.stdtrit(n - 1, (1 + level) / 2)) * float(values.std(ddof=1)) / n**0.5
    return float(values.mean()) - half, float(values.mean()) + half


FOLDS = 5


def cross_fitted_line(
    metric: npt.ArrayLike, human: npt.ArrayLike, *, folds: int = FOLDS, seed: int = 0
) -> FloatArray:
    """Put a metric's scores on the scale of human scores.

    The segments are divided at random into parts; what a part's scores mean is learned on the
    others by least squares, so that no score is fitted to the ratings that it is compared with.

    Parameters
    ----------
    metric, human : array_like, shape (segments, systems)
        NaN where there is none.
    folds : int
    seed : int
        Of the division.

    Returns
    -------
    ndarray, shape (segments, systems)
        NaN where there is no metric score, or where the others say nothing: fewer than two cells,
        or one metric score in all of them.

    Raises
    ------
    ValueError
        If shapes differ.

    Examples
    --------
    >>> metric = np.arange(10.0)[:, None]
    >>> bool(np.allclose(cross_fitted_line(metric, 2 * metric + 1), 2 * metric + 1))
    True
    """
    x, y = np.asarray(metric, dtype=np.float64), np.asarray(human, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 2:
        raise ValueError(f"expected two tables of one shape, found {x.shape} and {y.shape}")
    part = np.random.default_rng(seed).permutation(len(x)) % folds
    fitted = np.full(x.shape, np.nan)
    both = np.isfinite(x) & np.isfinite(y)
    for each in range(folds):
        own = part == each
        known = both & ~own[:, None]
        if known.sum() < 2 or np.ptp(x[known]) == 0:
            continue
        x_mean, y_mean = x[known].mean(), y[known].mean()
        apart = x[known] - x_mean
        slope = (apart @ (y[known] - y_mean)) / (apart @ apart)
        fitted[own] = y_mean + slope * (x[own] - x_mean)
    return fitted


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
