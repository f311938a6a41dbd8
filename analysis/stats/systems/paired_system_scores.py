"""Paired tests of systems by one metric: bootstrap and approximate randomisation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from analysis.stats.arrays import BoolArray, FloatArray, IntArray
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap, percentile_interval
from analysis.stats.resampling.permutation import (
    STANDARD_PERMUTATION,
    Permutation,
    at_least_as_extreme,
    random_bytes,
)
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import signature
from analysis.stats.systems.system_scores import SummedScores, resampled_scores, weighted_sums
from corpus.progress import ProgressCallback, unreported

NUMBERS_IN_MEMORY = 4_000_000
NONE_COMMON = "no segment has scores of both systems"
SAME = "both systems have the same on every segment"
NOT_DEFINED = "the metric is not defined for one of the two on their common segments"


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
            return NOT_DEFINED
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
