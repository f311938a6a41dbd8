"""Scores of style transfer from the style distributions that a classifier gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray
from metrics.scorers.style_transfer_intensity import (
    UnequalMass,
    direction_corrected_emd,
    share_of_the_possible,
    target_style_change,
    target_style_score,
)


@dataclass(frozen=True, slots=True)
class StyleScores:
    """Scores of outputs, all turned toward each output's target style.

    Parameters
    ----------
    target_style_score : ndarray, shape (outputs,)
        q(t), the output alone.
    target_style_change : ndarray, shape (outputs,)
        Δ = q(t) − p(t).
    direction_corrected_emd : ndarray, shape (outputs,)
        Style transfer intensity.
    share_of_the_possible : ndarray, shape (outputs,)
        NaN where nearly no change was possible.
    """

    target_style_score: FloatArray
    target_style_change: FloatArray
    direction_corrected_emd: FloatArray
    share_of_the_possible: FloatArray


def style_scores(
    source: npt.ArrayLike,
    output: npt.ArrayLike,
    styles: Sequence[str],
    target_styles: Sequence[str],
    *,
    unequal_mass: UnequalMass = "larger",
) -> StyleScores:
    """Score outputs by their style distributions and those of their sources.

    Parameters
    ----------
    source, output : array_like, shape (outputs, styles)
        Distribution of each output's source and of the output; NaN where missing.
    styles : sequence of str
        Names of the columns.
    target_styles : sequence of str, length outputs
    unequal_mass : {"larger", "mean"}
        Which Earth Mover's Distance is taken where distributions sum to one only roughly.

    Returns
    -------
    StyleScores

    Raises
    ------
    ValueError
        If shapes do not fit or a target style is not among the styles.

    Examples
    --------
    >>> scores = style_scores([[0.9, 0.1]], [[0.4, 0.6]], ["negative", "positive"], ["positive"])
    >>> scores.direction_corrected_emd.tolist()
    [0.5]
    """
    column = {style: index for index, style in enumerate(styles)}
    unknown = sorted(set(target_styles) - column.keys())
    if unknown:
        raise ValueError(f"the distributions have no style {', '.join(unknown)}")
    if np.ndim(output) == 2 and np.shape(output)[1] != len(styles):
        raise ValueError("one column per style is needed")
    target = np.array([column[style] for style in target_styles], dtype=np.int64)
    return StyleScores(
        target_style_score=target_style_score(output, target),
        target_style_change=target_style_change(source, output, target),
        direction_corrected_emd=direction_corrected_emd(
            source, output, target, unequal_mass=unequal_mass
        ),
        share_of_the_possible=share_of_the_possible(source, output, target),
    )
