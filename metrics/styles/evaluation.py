"""How good a trained model is on texts that it has not seen."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from metrics.scorers.scorer import Floats
from metrics.styles.labelled import LabelledTexts

BINS = 10
WORST = 25
_NORMAL_95 = 1.959963984540054


@dataclass(frozen=True)
class Bin:
    """Predictions of similar confidence: what was promised beside what came true."""

    low: float
    high: float
    texts: int
    confidence: float | None
    accuracy: float | None


@dataclass(frozen=True)
class Mistake:
    """A text that was predicted wrongly, or far from its grade."""

    text: str
    stated: str | float
    predicted: str | float
    probability: float | None = None


@dataclass(frozen=True)
class Classification:
    """Quality of a classifier on held-out texts.

    Attributes
    ----------
    texts
        How many were held out.
    accuracy, interval
        Share of texts whose likeliest style is the stated one, with Wilson's 95 % interval.
    majority
        Accuracy of always saying the commonest style.
    confusion
        Texts by stated style (rows) and predicted style (columns).
    bins
        Calibration: texts by the probability of their predicted style.
    calibration_error
        Expected calibration error: mean distance of confidence and accuracy over the bins,
        weighted by texts (Guo et al. 2017).
    mistakes
        Wrong predictions, the most confident first.
    """

    styles: tuple[str, ...]
    texts: int
    accuracy: float
    interval: tuple[float, float]
    majority: float
    confusion: tuple[tuple[int, ...], ...]
    bins: tuple[Bin, ...]
    calibration_error: float
    mistakes: tuple[Mistake, ...]


@dataclass(frozen=True)
class Regression:
    """Quality of a regressor on held-out texts.

    Attributes
    ----------
    texts
        How many were held out.
    spearman, interval
        Rank correlation with the stated grades, with the 95 % interval of Bonett and Wright
        (2000); None where predictions or grades are all equal.
    pearson
        Correlation with the stated grades.
    error
        Root mean squared error, in units of the grades.
    spread
        Standard deviation of the stated grades: the error of always saying their mean.
    mistakes
        The largest errors first.
    """

    styles: tuple[str, ...]
    texts: int
    spearman: float | None
    interval: tuple[float, float] | None
    pearson: float | None
    error: float
    spread: float
    mistakes: tuple[Mistake, ...]


def evaluate(held_out: LabelledTexts, predicted: Floats) -> Classification | Regression:
    """Compare predictions, texts × styles, with labels of the same texts.

    Raises
    ------
    ValueError
        If there is no text, or the shapes do not fit.
    """
    if not len(held_out) or predicted.shape != (len(held_out), len(held_out.styles)):
        raise ValueError(f"{len(held_out)} texts, predictions of shape {predicted.shape}")
    if held_out.is_graded:
        return _regression(held_out, predicted[:, 0])
    return _classification(held_out, predicted)


def quality_words(report: Mapping[str, Any]) -> str:
    """Return in a few words how good a model is, from the dictionary of its evaluation.

    Examples
    --------
    >>> quality_words({"accuracy": 0.9561, "texts": 1200})
    'held-out accuracy 95.6 % on 1,200 texts'
    """
    of_texts = f"on {report['texts']:,} texts"
    if "accuracy" in report:
        return f"held-out accuracy {100 * report['accuracy']:.1f} % {of_texts}"
    if report["spearman"] is None:
        return f"held-out rank correlation undefined {of_texts}"
    return f"held-out Spearman {report['spearman']:.3f} {of_texts}"


def interval_words(report: Mapping[str, Any]) -> str:
    """Return the interval of what `quality_words` says; empty where there is none.

    Examples
    --------
    >>> interval_words({"accuracy": 0.9561, "interval": (0.9386, 0.9689)})
    '95 % interval 93.9 to 96.9 %'
    """
    if not report.get("interval"):
        return ""
    low, high = report["interval"]
    if "accuracy" in report:
        return f"95 % interval {100 * low:.1f} to {100 * high:.1f} %"
    return f"95 % interval {low:.3f} to {high:.3f}"


def _classification(held_out: LabelledTexts, predicted: Floats) -> Classification:
    stated, likeliest = held_out.columns, predicted.argmax(axis=1)
    confidence, correct = predicted.max(axis=1), likeliest == stated
    size = len(held_out.styles)
    confusion = np.bincount(stated * size + likeliest, minlength=size * size).reshape(size, size)
    bins = _bins(confidence, correct)
    gaps = [
        each.texts * abs(each.confidence - each.accuracy)
        for each in bins
        if each.confidence is not None and each.accuracy is not None
    ]
    wrong = np.flatnonzero(~correct)
    worst = wrong[np.argsort(-confidence[wrong], kind="stable")][:WORST].tolist()
    return Classification(
        held_out.styles,
        len(held_out),
        float(correct.mean()),
        _wilson(int(correct.sum()), len(held_out)),
        float(np.bincount(stated).max() / len(held_out)),
        tuple(tuple(row) for row in confusion.tolist()),
        bins,
        math.fsum(gaps) / len(held_out),
        tuple(
            Mistake(
                held_out.texts[row],
                held_out.label(row),
                held_out.styles[likeliest[row]],
                float(confidence[row]),
            )
            for row in worst
        ),
    )


def _bins(confidence: Floats, correct: npt.NDArray[np.bool_]) -> tuple[Bin, ...]:
    """Cut at equal steps of confidence; a bin takes its upper end and not its lower one."""
    places = np.clip(np.ceil(confidence * BINS).astype(int) - 1, 0, BINS - 1)
    made = []
    for place in range(BINS):
        inside = places == place
        count = int(inside.sum())
        made.append(
            Bin(
                place / BINS,
                (place + 1) / BINS,
                count,
                float(confidence[inside].mean()) if count else None,
                float(correct[inside].mean()) if count else None,
            )
        )
    return tuple(made)


def _wilson(right: int, texts: int) -> tuple[float, float]:
    from scipy.stats import binomtest

    interval = binomtest(right, texts).proportion_ci(method="wilson")
    return float(interval.low), float(interval.high)


def _regression(held_out: LabelledTexts, predicted: Floats) -> Regression:
    from scipy.stats import pearsonr, spearmanr

    stated = held_out.targets
    difference = predicted - stated
    varied = len(held_out) > 2 and bool(np.ptp(stated)) and bool(np.ptp(predicted))
    spearman = float(spearmanr(stated, predicted).statistic) if varied else None
    worst = np.argsort(-np.abs(difference), kind="stable")[:WORST].tolist()
    return Regression(
        held_out.styles,
        len(held_out),
        spearman,
        _bonett_wright(spearman, len(held_out)),
        float(pearsonr(stated, predicted).statistic) if varied else None,
        float(np.sqrt(np.mean(difference**2))),
        float(stated.std()),
        tuple(
            Mistake(held_out.texts[row], float(stated[row]), float(predicted[row])) for row in worst
        ),
    )


def _bonett_wright(rank_correlation: float | None, texts: int) -> tuple[float, float] | None:
    if rank_correlation is None or texts < 4 or abs(rank_correlation) >= 1:
        return None
    error = math.sqrt((1 + rank_correlation**2 / 2) / (texts - 3))
    centre = math.atanh(rank_correlation)
    ends = (centre - _NORMAL_95 * error, centre + _NORMAL_95 * error)
    return math.tanh(ends[0]), math.tanh(ends[1])
