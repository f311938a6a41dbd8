"""Means of several scores of each output, and Joint of systems, over arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from metrics.scorers.row_products import row_products
from metrics.scorers.scorer import Floats

Kind = Literal["geometric", "harmonic", "arithmetic"]
KINDS: tuple[Kind, ...] = ("geometric", "harmonic", "arithmetic")


def combine(
    values: npt.ArrayLike, weights: Sequence[float] | None = None, kind: Kind = "geometric"
) -> Floats:
    """Weighted mean of several scores of each output.

    Parameters
    ----------
    values : array_like, shape (outputs, scores)
        Higher for better, and from 0 on but for arithmetic means. NaN where missing.
    weights
        One for each score, from 0 on and not all 0; None for equal ones. A score of weight 0
        does not count, not even where it is missing.
    kind : {"geometric", "harmonic", "arithmetic"}

    Returns
    -------
    ndarray, shape (outputs,)
        NaN where a score that counts is missing, or below 0 in a geometric or harmonic mean, which
        are 0 where one is 0.

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
    if kind not in KINDS:
        raise ValueError(f"unknown mean {kind!r}: expected one of {', '.join(KINDS)}")
    shares = _shares(weights, scores.shape[1])
    scores, shares = scores[:, shares > 0], shares[shares > 0]
    if kind == "arithmetic":
        return row_products(scores, [shares])[:, 0]
    scores = np.where(scores < 0, np.nan, scores)
    geometric = kind == "geometric"
    with np.errstate(divide="ignore"):
        terms = row_products(np.log(scores) if geometric else 1 / scores, [shares])[:, 0]
        mean = np.exp(terms) if geometric else 1 / terms
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
    accuracy: npt.ArrayLike,
    bleu: npt.ArrayLike,
    perplexity: npt.ArrayLike,
    *,
    scale: float = 1.0,
    weights: Sequence[float] | None = None,
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
    weights
        Of the three factors, whose weighted geometric mean it then is; None for equal ones. A
        factor of weight 0 does not count, not even where it is missing.

    Returns
    -------
    ndarray
        NaN where something is missing, or the perplexity is at most 1.

    Examples
    --------
    >>> round(float(joint(0.9, 0.4, math.exp(4))), 4)
    0.4481
    >>> round(float(joint(0.9, 0.4, math.exp(4), weights=(2, 1, 1))), 4)
    0.5335
    """
    found = np.asarray(perplexity, dtype=np.float64)
    usable = found > 1
    third = np.where(usable, 1 / np.log(np.where(usable, found, 2)), np.nan)
    return _joint(accuracy, bleu, third, scale, weights)


def joint_with_fluency(
    accuracy: npt.ArrayLike,
    bleu: npt.ArrayLike,
    fluency: npt.ArrayLike,
    *,
    scale: float = 1.0,
    weights: Sequence[float] | None = None,
) -> Floats:
    """Joint of systems as TSTBench's text describes it: (ACC · BLEU · FL)^⅓.

    Parameters
    ----------
    accuracy, bleu, fluency : array_like
        From 0 to 1, one for each system.
    scale
        By what accuracy and BLEU are multiplied.
    weights
        See `joint`.

    Examples
    --------
    >>> float(joint_with_fluency(0.5, 0.5, 0.5).round(12))
    0.5
    """
    return _joint(accuracy, bleu, _share("fluency", fluency), scale, weights)


def _joint(
    accuracy: npt.ArrayLike,
    bleu: npt.ArrayLike,
    third: Floats,
    scale: float,
    weights: Sequence[float] | None,
) -> Floats:
    style, content = _share("accuracy", accuracy), _share("BLEU", bleu)
    if weights is None:
        return np.asarray(np.cbrt(scale**2 * style * content * third), dtype=np.float64)
    # NaN to the power of 0 is 1: a factor of weight 0 does not count.
    factors, shares = (scale * style, scale * content, third), _shares(weights, 3)
    powers = [np.power(each, share) for each, share in zip(factors, shares, strict=True)]
    return np.asarray(math.prod(powers), dtype=np.float64)


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
