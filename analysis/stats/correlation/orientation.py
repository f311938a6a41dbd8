"""Metric scores turned so that higher is better, and toward the target style."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, as_matrix
from analysis.stats.results import Undefined
from metrics.scorers.style_transfer_intensity import (
    UnequalMass,
    direction_corrected_emd,
    share_of_the_possible,
    target_style_change,
    target_style_score,
)

Better = Literal["higher", "lower", "target", "descriptive"]


@dataclass(frozen=True, slots=True)
class StyleScale:
    """What a score that refers to one style is, so that it can be oriented to the other.

    Parameters
    ----------
    style : str
        The style that a high score stands for.
    low, high : float
        Ends of the scale: 0 and 1 for a probability, which is turned into 1 − p; a regressor is
        mirrored at the middle of its scale, low + high − x.

    Raises
    ------
    ValueError
        If low is not below high.
    """

    style: str
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ValueError("a style scale needs low < high")


def orient(
    scores: npt.ArrayLike,
    better: Better,
    *,
    target_value: float | None = None,
    style_scale: StyleScale | None = None,
    source_styles: Sequence[str] | None = None,
    target_styles: Sequence[str] | None = None,
) -> FloatArray | Undefined:
    """Turn a matrix of metric scores so that higher is better.

    First a score of one style is turned toward each segment's target style, then the sign is
    changed where lower is better (−x), or closeness to a target value is taken (−|x − target|).

    Parameters
    ----------
    scores : array_like, shape (segments, systems)
    better : {"higher", "lower", "target", "descriptive"}
    target_value : float, optional
        Needed for "target", such as 1 for a length ratio.
    style_scale : StyleScale, optional
        Given if the score refers to one style.
    source_styles, target_styles : sequence of str, optional
        Styles of each segment; needed with `style_scale`. A segment with the scale's style as its
        source is turned, with it as its target kept; where it is neither, the score says nothing.

    Returns
    -------
    ndarray of the same shape, or Undefined
        Undefined for a descriptive metric. NaN where scores are missing, or where they refer to a
        style that is neither the source nor the target of the segment.

    Raises
    ------
    ValueError
        If `better` is unknown or something needed is missing.

    Examples
    --------
    >>> formal = StyleScale("formal")
    >>> orient([[0.9], [0.9]], "higher", style_scale=formal, source_styles=["informal", "formal"],
    ...        target_styles=["formal", "informal"]).round(2).tolist()
    [[0.9], [0.1]]
    """
    raw = as_matrix(scores, "scores")
    if better not in ("higher", "lower", "target", "descriptive"):
        raise ValueError(f"unknown orientation: {better}")
    if better == "descriptive":
        return Undefined("a descriptive metric has no better side")
    turned = raw
    if style_scale is not None:
        if source_styles is None or target_styles is None:
            raise ValueError("a score of one style needs the styles of the segments")
        if not len(source_styles) == len(target_styles) == raw.shape[0]:
            raise ValueError("one source and one target style per segment are needed")
        keep = np.array([style == style_scale.style for style in target_styles], dtype=bool)
        turn = np.array([style == style_scale.style for style in source_styles], dtype=bool) & ~keep
        mirrored = style_scale.low + style_scale.high - raw
        turned = np.where(keep[:, None], raw, np.where(turn[:, None], mirrored, np.nan))
    if better == "lower":
        turned = -turned
    elif better == "target":
        if target_value is None:
            raise ValueError("a metric with a target needs its target value")
        turned = -np.abs(turned - target_value)
    return turned


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
