"""Scores of several metrics and of human raters, over the cells that they share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import BoolArray, FloatArray, as_matrix

Scale = Literal["standardised", "given"]


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
            shapes = f"metric {index} is {matrix.shape}, human is {judgements.shape}"
            raise ValueError(f"{shapes}: they must match")
    return np.stack(matrices), judgements


def scaled(scores: FloatArray, present: BoolArray, scale: Scale) -> FloatArray:
    """Return scores as given, or with mean 0 and deviation 1 over the present cells; else 0."""
    if scale == "given":
        return np.where(present, scores, 0.0)
    cells = scores[:, present]
    deviations = cells.std(axis=1, keepdims=True)
    result = np.zeros(scores.shape)
    result[:, present] = (cells - cells.mean(axis=1, keepdims=True)) / deviations
    return result
