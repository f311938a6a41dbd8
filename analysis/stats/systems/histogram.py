"""Histograms of several groups of scores over the same bins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray

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
