"""Metrics that combine scores of others: what they share, means of scores, and Joint of systems."""

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from metrics.scorers.scorer import Floats, Scorer, Scores, Texts
from metrics.scorers.spec import ParameterError, Value

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
        return _weighted(scores, shares)
    scores = np.where(scores < 0, np.nan, scores)
    geometric = kind == "geometric"
    with np.errstate(divide="ignore"):
        terms = _weighted(np.log(scores) if geometric else 1 / scores, shares)
        mean = np.exp(terms) if geometric else 1 / terms
    return np.asarray(mean, dtype=np.float64)


def _weighted(scores: Floats, shares: Floats) -> Floats:
    # Unlike `@`, by which the last digits of a row depend on its place: see `row_products`.
    return np.asarray((np.ascontiguousarray(scores) * shares).sum(axis=1), dtype=np.float64)


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


class NothingNamed(ParameterError):
    """No score to combine was named."""


@dataclass(frozen=True, slots=True)
class PartFacts:
    """What is known of a score that is to be combined.

    Parameters
    ----------
    label
        Its name for people.
    metric
        Key of the metric, or the name under which it was imported.
    orientation
        Which way is better, as the study has it; ``unknown`` where nobody has said.
    statistics
        Names of the sufficient statistics that its run keeps.
    """

    label: str
    metric: str
    orientation: str
    statistics: tuple[str, ...] = ()


@dataclass(frozen=True)
class PartScores:
    """Scores of some texts by one part.

    Parameters
    ----------
    label
        Its name for people.
    values : ndarray, shape (texts,)
        NaN where there is none.
    lower_is_better
        Which way they run.
    undefined
        Row to why there is none.
    """

    label: str
    values: Floats
    lower_is_better: bool = False
    undefined: Mapping[int, str] = field(default_factory=dict)

    def missing(self, row: int) -> str:
        """Say that a score is missing, and why if that is known."""
        because = self.undefined.get(row, "")
        return f"{self.label} is undefined{': ' + because if because else ''}"


class Combination(Scorer):
    """A metric of scores that are stored already. Its parameters name them.

    Whoever runs it finds the scores by the names of `parts`, and puts names that stay in their
    place by `naming`. A metric with no fields has no number for an output, only for a system.
    """

    @abstractmethod
    def parts(self) -> dict[str, str]:
        """Return what each part is for, with the name that the parameters give.

        Raises
        ------
        ParameterError
            If the parameters name none, or do not fit together.
        """

    @abstractmethod
    def naming(self, names: Mapping[str, str]) -> dict[str, Value]:
        """Return the parameters with other names of the same parts."""

    @abstractmethod
    def objection(self, role: str, part: PartFacts) -> str:
        """Say why a score cannot be this part, and what to do; empty if it can."""

    def combine(self, texts: Texts, parts: Sequence[PartScores]) -> Scores:
        """Combine the scores of texts, given in the order of `parts`.

        Raises
        ------
        NotImplementedError
            If there is no number for a text.
        """
        raise NotImplementedError(f"{self.spec.key} is a score of systems")

    def score(self, texts: Texts) -> Scores:
        """Refuse: there is nothing to be seen in texts."""
        raise NotImplementedError(f"{self.spec.key} combines scores, it reads no texts")


class ListedParts(Combination):
    """A metric of two scores or more, which its parameter `parts` names by commas."""

    def parts(self) -> dict[str, str]:
        """See `Combination.parts`."""
        names = [name.strip() for name in str(self.parameters["parts"]).split(",")]
        if not any(names):
            raise NothingNamed("parts: name the scores to combine, by commas")
        if not all(names) or len(names) < 2:
            raise ParameterError(f"parts: found {', '.join(names)!r}, expected two names or more")
        self.check_weights(len(names))
        return {f"part {number}": name for number, name in enumerate(names, start=1)}

    @abstractmethod
    def check_weights(self, parts: int) -> None:
        """Raise `ParameterError` if the weights cannot be those of so many parts."""

    def naming(self, names: Mapping[str, str]) -> dict[str, Value]:
        """See `Combination.naming`."""
        return self.parameters | {"parts": ",".join(names[role] for role in self.parts())}


def not_judging(part: PartFacts, takes: Sequence[str]) -> str:
    """Say why scores cannot be combined by which way is better; empty if they can."""
    if part.orientation in takes:
        return ""
    if part.orientation == "unknown":
        return "nobody has declared whether higher or lower is better: do so on the page Metrics"
    if part.orientation == "lower":
        return "its lower scores are better"
    return "its higher scores are not better: it describes, or has a target"
