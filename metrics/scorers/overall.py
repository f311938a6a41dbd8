"""One number from several: means of scores of outputs, and Joint of a system.

Pure functions over arrays. They combine scores that are stored already, so they are no scorers of
texts: whoever has the scores of the parts calls them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from metrics.scorers.scorer import Floats
from metrics.scorers.spec import MetricSpec, Parameter

Kind = Literal["geometric", "harmonic"]

OVERALL_MEAN = MetricSpec(
    key="overall-mean",
    title="Weighted mean of scores",
    aspect="overall",
    orientation="higher",
    formula="Geometric mean exp(Σ wᵢ ln xᵢ / Σ wᵢ) or harmonic mean Σ wᵢ / Σ (wᵢ / xᵢ) of scores "
    "of one output, each from 0 on and higher for better; 0 where one with a weight above 0 is 0.",
    range="that of the scores",
    distrust="Parts on different scales pull with different force; turn lower-is-better scores "
    "round first. One part that is 0 by accident, such as BLEU without a shared word, decides all.",
    citation="Geometric: Xu et al. 2018, ACL; Krishna, Wieting and Iyyer 2020, EMNLP.",
    parameters=(
        Parameter("kind", "geometric", "Which mean.", choices=("geometric", "harmonic")),
        Parameter("weights", "", "Weights by commas, in the order of the scores; empty: equal."),
    ),
)
JOINT = MetricSpec(
    key="joint",
    title="Joint",
    aspect="overall",
    orientation="higher",
    formula="Of a system: (ACC · BLEU / ln PPL)^⅓; as the text of the paper has it, "
    "(ACC · BLEU · FL)^⅓ with a fluency score FL. ACC, BLEU and FL from 0 to 1, corpus BLEU on "
    "all references, PPL pooled under a model of the target style.",
    range="0 to 1 with a fluency score; without an end where PPL is near 1",
    distrust="A copy of the source has a high BLEU and a low PPL and may win on two of three. "
    "Dividing by ln PPL is not the variant that the paper's text describes, but what its code "
    "does: never compare the two. Undefined where PPL is at most 1.",
    citation="TSTBench.",
    parameters=(
        Parameter(
            "third",
            "perplexity",
            "The third factor: 1 / ln PPL, or a fluency score.",
            choices=("perplexity", "fluency"),
        ),
        Parameter(
            "scale",
            1.0,
            "By what ACC and BLEU are multiplied; 100 multiplies the result by 21.5.",
            minimum=1,
            maximum=100,
        ),
    ),
)
COMBINATIONS = (OVERALL_MEAN, JOINT)


def combine(
    values: npt.ArrayLike, weights: Sequence[float] | None = None, kind: Kind = "geometric"
) -> Floats:
    """Weighted mean of several scores of each output.

    Parameters
    ----------
    values : array_like, shape (outputs, scores)
        From 0 on, higher for better. NaN where missing.
    weights
        One for each score, from 0 on and not all 0; None for equal ones. A score of weight 0
        does not count, not even where it is missing.
    kind : {"geometric", "harmonic"}

    Returns
    -------
    ndarray, shape (outputs,)
        NaN where a score that counts is missing or below 0.

    Raises
    ------
    ValueError
        If there are no two dimensions, the weights do not fit, or the kind is unknown.

    Examples
    --------
    >>> combine([[0.25, 1.0]]).round(4).tolist()
    [0.5]
    >>> combine([[0.25, 1.0]], kind="harmonic").tolist()
    [0.4]
    """
    scores = np.asarray(values, dtype=np.float64)
    if scores.ndim != 2:
        raise ValueError(f"scores have {scores.ndim} dimensions, expected outputs × scores")
    if kind not in ("geometric", "harmonic"):
        raise ValueError(f"unknown mean {kind!r}: expected geometric or harmonic")
    shares = _shares(weights, scores.shape[1])
    scores = np.where(scores < 0, np.nan, scores)[:, shares > 0]
    shares = shares[shares > 0]
    geometric = kind == "geometric"
    with np.errstate(divide="ignore"):
        mean = np.exp(np.log(scores) @ shares) if geometric else 1 / ((1 / scores) @ shares)
    return np.asarray(mean, dtype=np.float64)


def read_weights(text: str, scores: int) -> tuple[float, ...] | None:
    """Read weights that are written with commas; None for an empty text.

    Raises
    ------
    ValueError
        If they are no numbers, or not as many as the scores.

    Examples
    --------
    >>> read_weights("1, 0.5", 2)
    (1.0, 0.5)
    """
    if not text.strip():
        return None
    try:
        weights = tuple(float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"weights: found {text!r}, expected numbers with commas") from None
    _shares(weights, scores)
    return weights


def joint(
    accuracy: npt.ArrayLike, bleu: npt.ArrayLike, perplexity: npt.ArrayLike, *, scale: float = 1.0
) -> Floats:
    """Joint of systems as TSTBench's code computes it: (ACC · BLEU / ln PPL)^⅓.

    Parameters
    ----------
    accuracy, bleu : array_like
        From 0 to 1, one for each system.
    perplexity : array_like
        Pooled, under a model of the target style.
    scale
        By what accuracy and BLEU are multiplied.

    Returns
    -------
    ndarray
        NaN where something is missing, or the perplexity is at most 1.

    Examples
    --------
    >>> round(float(joint(0.9, 0.4, math.exp(4))), 4)
    0.4481
    """
    found = np.asarray(perplexity, dtype=np.float64)
    usable = found > 1
    return _joint(
        accuracy, bleu, np.where(usable, 1 / np.log(np.where(usable, found, 2)), np.nan), scale
    )


def joint_with_fluency(
    accuracy: npt.ArrayLike, bleu: npt.ArrayLike, fluency: npt.ArrayLike, *, scale: float = 1.0
) -> Floats:
    """Joint of systems as TSTBench's text describes it: (ACC · BLEU · FL)^⅓.

    Parameters
    ----------
    accuracy, bleu, fluency : array_like
        From 0 to 1, one for each system.
    scale
        By what accuracy and BLEU are multiplied.

    Examples
    --------
    >>> float(joint_with_fluency(0.5, 0.5, 0.5).round(12))
    0.5
    """
    return _joint(accuracy, bleu, _share("fluency", fluency), scale)


def _joint(accuracy: npt.ArrayLike, bleu: npt.ArrayLike, third: Floats, scale: float) -> Floats:
    product = scale**2 * _share("accuracy", accuracy) * _share("BLEU", bleu) * third
    return np.asarray(np.cbrt(product), dtype=np.float64)


def _share(name: str, values: npt.ArrayLike) -> Floats:
    found = np.asarray(values, dtype=np.float64)
    if ((found < 0) | (found > 1)).any():
        raise ValueError(f"{name} is to be from 0 to 1; divide percent by 100")
    return found


def _shares(weights: Sequence[float] | None, scores: int) -> Floats:
    given = np.ones(scores) if weights is None else np.asarray(weights, dtype=np.float64)
    if given.shape != (scores,):
        raise ValueError(f"{given.size} weights for {scores} scores")
    if not (np.isfinite(given).all() and (given >= 0).all() and given.sum() > 0):
        raise ValueError("weights are numbers from 0 on, not all 0")
    return np.asarray(given / given.sum(), dtype=np.float64)
