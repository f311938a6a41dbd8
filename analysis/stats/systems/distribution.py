"""How scores are spread: seven numbers, histograms, and similarities for plots."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, as_vector

SHARES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)


@dataclass(frozen=True, slots=True)
class Distribution:
    """Mean, standard deviation (dividing by n) and quantiles at `SHARES` of n scores."""

    n: int
    mean: float
    sd: float
    quantiles: tuple[float, ...]


def score_distribution(scores: npt.ArrayLike) -> Distribution | None:
    """Summarise scores; quantiles between two scores are interpolated linearly.

    Parameters
    ----------
    scores : array_like
        Of any shape; NaN where missing.

    Returns
    -------
    Distribution or None
        None where there is no score.

    Examples
    --------
    >>> score_distribution([1, 2, float("nan"), 3]).quantiles[3]
    2.0
    """
    values = np.asarray(scores, dtype=np.float64)
    known = values[np.isfinite(values)]
    if not known.size:
        return None
    quantiles = tuple(float(q) for q in np.quantile(known, SHARES))
    return Distribution(int(known.size), float(known.mean()), float(known.std()), quantiles)


MOST_BINS = 24
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Commonest:
    """The score that most texts of a group have, the lowest of several, and their number."""

    value: float
    count: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts of several groups of scores in the same bins.

    Parameters
    ----------
    edges : tuple of float
        Limits of the bins, ascending; a bin holds its lower limit, the last one its upper too.
    counts : tuple of tuple of int
        Of each group, one number a bin.
    commonest : tuple of Commonest or None
        Of each group; None where it has no score.
    """

    edges: tuple[float, ...]
    counts: tuple[tuple[int, ...], ...]
    commonest: tuple[Commonest | None, ...]


def histogram(groups: Sequence[npt.ArrayLike], most_bins: int = MOST_BINS) -> Histogram | None:
    """Count scores in bins whose width is a round number and whose limits are its multiples.

    Zero is thus always the limit of a bin: scores of exactly zero lie in the bin above it, and no
    negative score does. Groups share the bins, so that they can be compared.

    Parameters
    ----------
    groups : sequence of array_like
        Of any shape; NaN where missing.
    most_bins : int

    Returns
    -------
    Histogram or None
        None where no group has a score.

    Examples
    --------
    >>> found = histogram([[0, 0, 0.4, 1.0], [0.9]], most_bins=5)
    >>> found.edges, found.counts
    ((0.0, 0.2, 0.4, 0.6, 0.8, 1.0), ((2, 0, 1, 0, 1), (0, 0, 0, 0, 1)))
    """
    known = [_finite(scores) for scores in groups]
    every = np.concatenate([*known, np.empty(0)])
    if not every.size:
        return None
    step, first, bins = _bins(float(every.min()), float(every.max()), most_bins)
    # Of whole multiples, so that 3 × 0.1 is the limit that a score of 0.3 is compared with.
    edges = np.array([float(f"{(first + place) * step:.12g}") for place in range(bins + 1)])
    return Histogram(
        tuple(edges.tolist()),
        tuple(tuple(np.histogram(scores, edges)[0].tolist()) for scores in known),
        tuple(map(_commonest, known)),
    )


def _finite(scores: npt.ArrayLike) -> FloatArray:
    values = np.asarray(scores, dtype=np.float64)
    return np.asarray(values[np.isfinite(values)], dtype=np.float64)


def _bins(low: float, high: float, most: int) -> tuple[float, int, int]:
    """Return the width of a bin, the first limit in widths, and the number of bins."""
    span = (high - low) or max(abs(high), 1.0)
    power = 10.0 ** math.floor(math.log10(span / most))
    for multiple in _STEPS:
        step = multiple * power
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        if last - first <= most:
            return step, first, max(1, last - first)
    step = 20.0 * power
    first = math.floor(low / step)
    return step, first, max(1, math.ceil(high / step) - first)


def _commonest(scores: FloatArray) -> Commonest | None:
    if not scores.size:
        return None
    values, counts = np.unique(scores, return_counts=True)
    place = int(counts.argmax())
    return Commonest(float(values[place]), int(counts[place]))


def normalised_inverse(values: npt.ArrayLike, among: npt.ArrayLike | None = None) -> FloatArray:
    """Return (max − v) / (max − min): 1 for the lowest of the plotted values, 0 for the highest.

    As word mover's distance is plotted by Mir et al. (2019). The result depends on which values are
    plotted together, so it compares settings within one plot and is no score of a system.

    Parameters
    ----------
    values : array_like, shape (n,)
        NaN where missing.
    among : array_like, optional
        Values whose lowest and highest count, `values` themselves by default. Limits of intervals
        are thus put on the scale of their values; they may lie beyond 0 and 1.

    Returns
    -------
    ndarray, shape (n,)
        NaN where missing, and throughout if all values are equal or there is none.

    Examples
    --------
    >>> normalised_inverse([0.2, 0.6, float("nan"), 0.3]).round(6).tolist()
    [1.0, 0.0, nan, 0.75]
    """
    given = as_vector(values)
    scale = given if among is None else as_vector(among)
    known = scale[np.isfinite(scale)]
    if not known.size or known.min() == known.max():
        return np.full(given.shape, np.nan)
    return np.asarray((known.max() - given) / (known.max() - known.min()), dtype=np.float64)
