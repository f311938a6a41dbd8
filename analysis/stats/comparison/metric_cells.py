"""Scores of several metrics and of people, over the cells that they share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import BoolArray, FloatArray, as_matrix

Scale = Literal["standardised", "given"]
SCALES: tuple[Scale, ...] = ("standardised", "given")


def same_shapes(
    metrics: Sequence[npt.ArrayLike], human: npt.ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Return metrics (metrics × segments × systems) and human scores (segments × systems).

    Raises
    ------
    ValueError
        If a shape differs or there are fewer than two metrics.
    """
    judgements = as_matrix(human, "human")
    matrices = [as_matrix(metric, f"metric {index}") for index, metric in enumerate(metrics)]
    if len(matrices) < 2:
        raise ValueError("a comparison needs at least two metrics")
    for index, matrix in enumerate(matrices):
        if matrix.shape != judgements.shape:
            raise ValueError(
                f"metric {index} is {matrix.shape}, human is {judgements.shape}: they must match"
            )
    return np.stack(matrices), judgements


def standardised(scores: FloatArray, present: BoolArray) -> FloatArray:
    """Return each metric with mean 0 and standard deviation 1 over the present cells, else 0."""
    cells = scores[:, present]
    deviations = cells.std(axis=1, keepdims=True)
    result = np.zeros(scores.shape)
    result[:, present] = (cells - cells.mean(axis=1, keepdims=True)) / deviations
    return result


def scaled(scores: FloatArray, present: BoolArray, scale: Scale) -> FloatArray:
    """Return the scores to swap, zero where missing."""
    if scale == "standardised":
        return standardised(scores, present)
    return np.where(present, scores, 0.0)


def by_common_cells(
    scores: FloatArray, judgements: FloatArray
) -> Iterator[tuple[list[tuple[int, int]], BoolArray]]:
    """Yield the pairs of metrics that share the cells with all three scores, and these cells."""
    present = np.isfinite(scores) & np.isfinite(judgements)
    pairs = [(i, j) for i in range(len(scores)) for j in range(i + 1, len(scores))]
    families: dict[bytes, list[tuple[int, int]]] = {}
    for i, j in pairs:
        families.setdefault(np.packbits(present[i] & present[j]).tobytes(), []).append((i, j))
    for family in families.values():
        i, j = family[0]
        yield family, present[i] & present[j]


def varying_groups(human: FloatArray, present: BoolArray) -> BoolArray:
    """Say of each group whether it has two members and people tell some of them apart."""
    highest = np.where(present, human, -np.inf).max(axis=1)
    lowest = np.where(present, human, np.inf).min(axis=1)
    largest = np.where(present, np.abs(human), 0.0).max(axis=1)
    varying: BoolArray = (present.sum(axis=1) >= 2) & (highest - lowest > 1e-13 * largest)
    return varying
