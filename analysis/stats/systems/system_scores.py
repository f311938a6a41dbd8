"""Scores of systems from sums over segments: means, corpus scores, intervals and paired tests.

A mean, corpus BLEU, pooled perplexity and Joint are all functions of sums of what is known of each
output (sufficient statistics), so that resampling segments is one matrix product.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import BoolArray, FloatArray, IntArray, as_matrix, ratio_of_sums
from analysis.stats.resampling.bootstrap import (
    STANDARD_BOOTSTRAP,
    Bootstrap,
    multiplicities,
    percentile_interval,
)
from analysis.stats.resampling.permutation import (
    STANDARD_PERMUTATION,
    Permutation,
    at_least_as_extreme,
    random_bytes,
)
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import Variant, signature
from corpus.progress import ProgressCallback, unreported

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

    def turned(self) -> "SummedScores":
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


NUMBERS_IN_MEMORY = 4_000_000
NONE_COMMON = "no segment has scores of both systems"
SAME = "both systems have the same on every segment"
NOT_DEFINED_OF_PAIR = "the metric is not defined for one of the two on their common segments"


@dataclass(frozen=True, slots=True)
class SystemScorePair:
    """Two systems and the tests of their difference on the segments that both have.

    Parameters
    ----------
    first, second : int
        Columns.
    bootstrap, randomisation : Estimate or Undefined
        ``value`` is the first's score less the second's, both over the common segments.
    """

    first: int
    second: int
    bootstrap: Result
    randomisation: Result


def compare_pairs(
    metric: SummedScores,
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
    permutation: Permutation = STANDARD_PERMUTATION,
    progress: ProgressCallback = unreported,
) -> list[SystemScorePair]:
    """Test every two systems, all on the same draws.

    * **Paired bootstrap** (Koehn 2004): segments are drawn, and the difference is computed anew
      from the sums of both systems. Interval: percentiles. p = (c + 1) / (k + 1) with c the draws
      whose difference is as far from the mean of all draws as the observed one is from 0 (Riezler
      and Maxwell 2005), on either side. sacreBLEU takes sizes of differences before it centres
      them, which counts one side only where systems differ, and so gives about half of this p; its
      number is ``details["p_as_in_sacrebleu"]``.
    * **Approximate randomisation**: the two systems' outputs change places on each segment by a
      coin; p = (c + 1) / (k + 1), c the draws with a difference as large as the observed one.

    Parameters
    ----------
    metric : SummedScores
    bootstrap : Bootstrap
    permutation : Permutation
        Two-sided.
    progress : callable

    Returns
    -------
    list of SystemScorePair
        In the order (0, 1), (0, 2), …, (1, 2), …. Segments that one of the two lacks are left out
        of their pair only.

    Raises
    ------
    ValueError
        If the permutation is not two-sided.
    """
    if permutation.alternative != "two-sided":
        raise ValueError("systems are compared two-sided")
    pairs = list(combinations(range(metric.rows.shape[1]), 2))
    found: dict[tuple[int, int], SystemScorePair] = {}
    for common, members in _by_common_segments(metric.present, pairs):
        family = _Family(metric, common, members, bootstrap, permutation)
        for pair in family.compared():
            found[pair.first, pair.second] = pair
        progress("comparing systems", len(found), len(pairs))
    return [found[pair] for pair in pairs]


def _by_common_segments(
    present: BoolArray, pairs: Sequence[tuple[int, int]]
) -> Iterator[tuple[BoolArray, list[tuple[int, int]]]]:
    """Yield pairs together that have the same segments in common: one pass serves them all."""
    groups: dict[bytes, tuple[BoolArray, list[tuple[int, int]]]] = {}
    for first, second in pairs:
        common = present[:, first] & present[:, second]
        key = np.packbits(common).tobytes()
        groups.setdefault(key, (common, []))[1].append((first, second))
    yield from groups.values()


@dataclass(frozen=True)
class _Family:
    """Pairs of systems that have the same segments in common."""

    metric: SummedScores
    common: BoolArray
    pairs: Sequence[tuple[int, int]]
    bootstrap: Bootstrap
    permutation: Permutation

    def compared(self) -> Iterator[SystemScorePair]:
        systems: IntArray = np.unique(self.pairs)
        rows = self.metric.rows
        if systems.size < rows.shape[1]:
            rows = rows[:, systems]
        if not self.common.all():
            rows = np.where(self.common[:, None, None], rows, 0.0)
        cut = replace(self.metric, rows=rows, present=self.metric.present[:, systems])
        # As pairs are tested on common segments only, a score needs no presence of its own.
        scores = cut.score(cut.sums())
        columns = {system: place for place, system in enumerate(systems.tolist())}
        places = [(columns[first], columns[second]) for first, second in self.pairs]
        gaps = [float(scores[one] - scores[other]) for one, other in places]
        drawn = resampled_scores([cut], self.bootstrap)[0]
        extreme = self._extreme(cut, places, gaps)
        for (first, second), (one, other), gap, count in zip(
            self.pairs, places, gaps, extreme, strict=True
        ):
            reason = self._reason(rows[:, one], rows[:, other], gap)
            yield SystemScorePair(
                first,
                second,
                self._bootstrapped(gap, drawn[:, one] - drawn[:, other], reason),
                self._randomised(gap, count, reason),
            )

    def _reason(self, one: FloatArray, other: FloatArray, gap: float) -> str:
        if not self.common.any():
            return NONE_COMMON
        if not np.isfinite(gap):
            return NOT_DEFINED_OF_PAIR
        return SAME if np.array_equal(one, other) else ""

    def _extreme(
        self, cut: SummedScores, places: Sequence[tuple[int, int]], gaps: Sequence[float]
    ) -> list[int]:
        """Count for each pair the draws whose swapped systems differ as much as the observed ones.

        What is swapped is linear in the coins: one product gives every system's sums over the
        segments where the coin fell, and a pair's new sums are what is left, with the other's.
        """
        counts = [0] * len(places)
        if not self.common.any():
            return counts
        sums = cut.sums()
        segments = np.flatnonzero(self.common)
        kept = cut.rows if self.common.all() else cut.rows[segments]
        generator = np.random.default_rng(self.permutation.seed)
        width = max(1, len(segments) + int(np.prod(kept.shape[1:])))
        block = max(8, NUMBERS_IN_MEMORY // width // 8 * 8)
        for start in range(0, self.permutation.draws, block):
            size = min(block, self.permutation.draws - start)
            packed = random_bytes(generator, (len(segments), -(-size // 8)))
            coins = np.unpackbits(packed, axis=1, count=size).T.astype(np.float64)
            moved = weighted_sums(coins, kept)
            for number, (one, other) in enumerate(places):
                exchanged = moved[:, other] - moved[:, one]
                gap = cut.score(sums[one] + exchanged) - cut.score(sums[other] - exchanged)
                counts[number] += at_least_as_extreme(gaps[number], gap)
        return counts

    def _bootstrapped(self, gap: float, draws: FloatArray, reason: str) -> Result:
        variant = {**self.metric.variant, **self.bootstrap.variant("segments")}
        name = signature("paired-bootstrap", of=self.metric.statistic, **variant)
        n = int(self.common.sum())
        if reason:
            return Undefined(reason, n, "segments", name)
        interval, degenerate = percentile_interval(draws, self.bootstrap, "segments")
        good = draws[np.isfinite(draws)]
        centred = good - good.mean() if good.size else good
        sizes = np.abs(good)
        one_sided = int((sizes - sizes.mean() > abs(gap)).sum()) if good.size else 0
        return Estimate(
            gap,
            n=n,
            unit="segments",
            signature=name,
            p_value=(at_least_as_extreme(gap, centred) + 1) / (good.size + 1),
            interval=interval if n > 1 else None,
            details={
                "draws": self.bootstrap.resamples,
                "degenerate_draws": degenerate,
                "p_as_in_sacrebleu": (one_sided + 1) / (good.size + 1),
                "test": "difference = 0, paired bootstrap of segments",
            },
        )

    def _randomised(self, gap: float, extreme: int, reason: str) -> Result:
        variant = {**self.metric.variant, **self.permutation.variant()}
        name = signature("approximate-randomisation", of=self.metric.statistic, **variant)
        n = int(self.common.sum())
        if reason:
            return Undefined(reason, n, "segments", name)
        return Estimate(
            gap,
            n=n,
            unit="segments",
            signature=name,
            p_value=(extreme + 1) / (self.permutation.draws + 1),
            details={
                "draws": self.permutation.draws,
                "test": "the two systems are exchangeable on each segment",
            },
        )
