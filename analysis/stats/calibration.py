"""A metric's scores against people's, in bins: where a score means what, and how outputs lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import is_constant, metric_and_human


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
        Student's t interval of people's mean over the outputs; None for a single output.
    """

    low: float
    high: float
    metric: float
    human: float
    n: int
    human_low: float | None
    human_high: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the bin as a JSON-able mapping."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class JointCounts:
    """Numbers of outputs by metric score and human score.

    Parameters
    ----------
    metric_edges, human_edges : tuple of float
        Limits of the bins, ascending; a score at an inner limit counts into the higher bin.
    cells : tuple of (int, int, int)
        Bin of the metric, bin of people, outputs; empty cells are left out.
    """

    metric_edges: tuple[float, ...]
    human_edges: tuple[float, ...]
    cells: tuple[tuple[int, int, int], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as a JSON-able mapping."""
        return {
            "metric_edges": list(self.metric_edges),
            "human_edges": list(self.human_edges),
            "cells": [list(cell) for cell in self.cells],
        }


def binned_calibration(
    metric: npt.ArrayLike, human: npt.ArrayLike, *, bins: int = 10, level: float = 0.95
) -> list[CalibrationBin]:
    """Cut outputs into bins of about equal number by the metric, with people's mean in each.

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
    limits = np.unique(np.quantile(x, np.linspace(0, 1, bins + 1)))
    place = np.clip(np.searchsorted(limits, x, side="left") - 1, 0, max(0, limits.size - 2))
    found = []
    for index in np.unique(place):
        own_x, own_y = x[place == index], y[place == index]
        low, high = _mean_interval(own_y, level)
        found.append(
            CalibrationBin(
                float(own_x.min()),
                float(own_x.max()),
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
    sizes = [1 if is_constant(side) else bins for side in (x, y)]
    counts, x_edges, y_edges = np.histogram2d(x, y, bins=sizes)
    filled = np.argwhere(counts > 0)
    return JointCounts(
        tuple(x_edges.tolist()),
        tuple(y_edges.tolist()),
        tuple((int(i), int(j), int(counts[i, j])) for i, j in filled),
    )


def _mean_interval(
    values: npt.NDArray[np.float64], level: float
) -> tuple[float | None, float | None]:
    n = values.size
    if n < 2:
        return None, None
    half = float(scipy.stats.t.ppf((1 + level) / 2, n - 1)) * float(values.std(ddof=1)) / n**0.5
    return float(values.mean()) - half, float(values.mean()) + half
