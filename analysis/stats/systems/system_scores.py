"""Scores of systems that come from sums over segments: means, corpus scores, and their intervals.

A mean, corpus BLEU, pooled perplexity and Joint are all functions of sums of what is known of each
output (sufficient statistics), so that resampling segments is one matrix product.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import BoolArray, FloatArray, as_matrix, ratio_of_sums
from analysis.stats.resampling.bootstrap import (
    STANDARD_BOOTSTRAP,
    Bootstrap,
    multiplicities,
    percentile_interval,
)
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import Variant, signature

ScoreOfSums: TypeAlias = Callable[[FloatArray], FloatArray]
"""Takes sums, shape (…, sums), gives scores, shape (…), NaN where undefined."""
NO_SCORE = "no output of this system has a score"
NOT_DEFINED = "it is not defined for the sums over this system's outputs"


@dataclass(frozen=True)
class SummedScores:
    """One metric of several systems, as what is summed over segments and what is made of the sums.

    Parameters
    ----------
    rows : ndarray, shape (segments, systems, sums)
        0 where an output is not present.
    present : ndarray of bool, shape (segments, systems)
        Outputs that enter.
    score : callable
        From sums to scores.
    statistic : str
        Its name in signatures, such as ``system-mean`` or ``corpus-score``.
    variant : mapping
        Further parts of the signature.
    factors : callable, optional
        From the sums of one system to the numbers that its score is made of, by name, NaN where
        undefined; they stand among the details.
    """

    rows: FloatArray
    present: BoolArray
    score: ScoreOfSums
    statistic: str
    variant: Variant
    factors: Callable[[FloatArray], Mapping[str, float]] | None = None

    def sums(self) -> FloatArray:
        """Return the sums over all segments, shape (systems, sums)."""
        return np.asarray(self.rows.sum(axis=0), dtype=np.float64)

    def values(self) -> FloatArray:
        """Return the score of every system, NaN where undefined."""
        scores = self.score(self.sums())
        return np.asarray(np.where(self.present.any(axis=0), scores, np.nan), dtype=np.float64)

    def turned(self) -> SummedScores:
        """Return the same with the sign changed, so that higher is better where lower was."""
        return replace(
            self, score=lambda sums: -self.score(sums), variant={**self.variant, "turned": "minus"}
        )


def mean_scores(scores: npt.ArrayLike, variant: Variant | None = None) -> SummedScores:
    """Return the systems' means of the scores of their outputs.

    Parameters
    ----------
    scores : array_like, shape (segments, systems)
        NaN where missing: such an output does not enter.
    variant : mapping, optional
        Further parts of the signature.

    Examples
    --------
    >>> mean_scores([[1.0, 2.0], [2.0, float("nan")]]).values().tolist()
    [1.5, 2.0]
    """
    matrix = as_matrix(scores, "scores")
    present = np.isfinite(matrix)
    rows = np.stack([np.where(present, matrix, 0.0), present.astype(np.float64)], axis=-1)
    return SummedScores(rows, present, ratio_of_sums, "system-mean", dict(variant or {}))


def corpus_scores(
    statistics: FloatArray, score: ScoreOfSums, variant: Variant | None = None
) -> SummedScores:
    """Return scores of all outputs of a system together.

    Parameters
    ----------
    statistics : ndarray, shape (segments, systems, statistics)
        NaN where an output has none: it does not enter.
    score : callable
        From sums to scores.
    variant : mapping, optional
        Further parts of the signature.
    """
    present: BoolArray = np.asarray(np.isfinite(statistics).all(axis=-1), dtype=np.bool_)
    rows = np.where(present[..., None], statistics, 0.0)
    return SummedScores(rows, present, score, "corpus-score", dict(variant or {}))


def system_scores(
    metrics: Sequence[SummedScores], bootstrap: Bootstrap = STANDARD_BOOTSTRAP
) -> list[list[Result]]:
    """Score every system by every metric, with intervals by drawing segments.

    The same segments are drawn for all systems and metrics. In a draw the score is computed anew
    from the sums over the drawn segments (Koehn 2004, as sacreBLEU does).

    Parameters
    ----------
    metrics : sequence of SummedScores
        Of the same segments and systems.
    bootstrap : Bootstrap

    Returns
    -------
    list of list of Estimate or Undefined
        By metric, then by system. ``n`` counts the outputs that entered; there is no interval with
        fewer than two.
    """
    if not metrics:
        return []
    drawn = resampled_scores(metrics, bootstrap)
    return [
        [
            _result(metric, system, value, draws[:, system], bootstrap)
            for system, value in enumerate(metric.values())
        ]
        for metric, draws in zip(metrics, drawn, strict=True)
    ]


def resampled_scores(metrics: Sequence[SummedScores], bootstrap: Bootstrap) -> list[FloatArray]:
    """Return each metric's scores of systems on every resample, shape (resamples, systems)."""
    segments = metrics[0].rows.shape[0]
    drawn: list[list[FloatArray]] = [[] for _ in metrics]
    sums = max(int(np.prod(metric.rows.shape[1:])) for metric in metrics)
    for weights in multiplicities(np.ones(segments), bootstrap, 1 + sums // max(1, segments)):
        for metric, blocks in zip(metrics, drawn, strict=True):
            blocks.append(metric.score(weighted_sums(weights, metric.rows)))
    return [np.concatenate(blocks) for blocks in drawn]


def weighted_sums(weights: FloatArray, rows: FloatArray) -> FloatArray:
    """Return sums over weighted segments, shape (draws, systems, sums)."""
    segments, *shape = rows.shape
    sums = weights @ rows.reshape(segments, math.prod(shape))
    return np.asarray(sums.reshape(len(weights), *shape), dtype=np.float64)


def _result(
    metric: SummedScores, system: int, value: float, draws: FloatArray, bootstrap: Bootstrap
) -> Result:
    name = signature(metric.statistic, **metric.variant, **bootstrap.variant("segments"))
    n = int(metric.present[:, system].sum())
    missing = len(metric.present) - n
    factors = metric.factors(metric.sums()[system]) if metric.factors else {}
    facts = {"missing": missing, **factors}
    if not np.isfinite(value):
        unknown = [factor for factor, number in factors.items() if not np.isfinite(number)]
        reason = f"it has no {' and no '.join(unknown)} of this system" if unknown else NOT_DEFINED
        return Undefined(reason if n else NO_SCORE, n, "outputs", name, facts)
    interval, degenerate = None, 0
    if n > 1:
        interval, degenerate = percentile_interval(draws, bootstrap, "segments")
    return Estimate(
        float(value),
        n=n,
        unit="outputs",
        signature=name,
        interval=interval,
        details={**facts, "resamples": bootstrap.resamples, "degenerate_draws": degenerate},
    )
