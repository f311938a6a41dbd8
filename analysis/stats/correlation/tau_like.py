"""Kendall's tau-like agreement of a metric with human scores on pairs of outputs of one segment."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import (
    CELLS_IN_MEMORY,
    FloatArray,
    IntArray,
    metric_and_human,
    ratio_of_sums,
)
from analysis.stats.correlation.concordance import PRODUCT_AT_ONCE
from analysis.stats.correlation.correlation_bootstrap import Method, Over, with_interval
from analysis.stats.correlation.weighted_correlation import WeightedStatistic
from analysis.stats.resampling.bootstrap import (
    STANDARD_BOOTSTRAP,
    Bootstrap,
    CentringScale,
    interval_of_draws,
)
from analysis.stats.resampling.proportions import at_the_edge, cluster_t_test
from analysis.stats.resampling.resampled_sums import ResampledResult, SumStatistic, resampled_alone
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, VariantValue, signature

MetricTies = Literal["discordant", "half", "skip"]
Average = Literal["segments", "pooled"]
NO_PAIR = "no segment has two outputs that human raters rate differently and the metric scored"
HUMAN_TIE = 1e-9
"""Human gaps up to this are ties; the same slack makes `min_gap` inclusive."""


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Pairs of outputs of each segment that human raters rate differently, by what the metric says.

    Parameters
    ----------
    concordant, discordant, metric_ties : ndarray of int, shape (segments,)
    human_ties : int
        Pairs left out because human raters see no difference.
    below_gap : int
        Pairs left out because the human gap is smaller than asked for.
    """

    concordant: IntArray
    discordant: IntArray
    metric_ties: IntArray
    human_ties: int
    below_gap: int


def count_pairs(metric: npt.ArrayLike, human: npt.ArrayLike, *, min_gap: float = 0.0) -> PairCounts:
    """Count concordant, discordant and metric-tied pairs of every segment.

    A pair enters if both outputs have both scores and the human gap is above 0 (ties within 1e-9)
    and at least `min_gap`, inclusive.

    Parameters
    ----------
    metric, human : array_like, shape (segments, systems)
        NaN where missing.
    min_gap : float
        In units of the human scores given.
        Metric gaps up to this are ties; 0 means equal scores only.

    Raises
    ------
    ValueError
        If shapes differ or a parameter is negative.
    """
    whole = list(range(np.shape(metric)[1] if np.ndim(metric) == 2 else 0))
    [counted] = count_pairs_of_subsets(metric, human, [whole], min_gap=min_gap)
    return counted


def count_pairs_of_subsets(
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    subsets: Sequence[Sequence[int]],
    *,
    min_gap: float = 0.0,
) -> list[PairCounts]:
    """Count pairs as `count_pairs` does among each of several subsets of systems.

    Every pair of systems is compared once; what a subset counts is a sum over its pairs.

    Parameters
    ----------
    metric, human, min_gap
        As in `count_pairs`.
    subsets : sequence of sequences of int
        Columns.
    """
    if min_gap < 0:
        raise ValueError("min_gap must not be negative")
    scores, judgements, both = metric_and_human(metric, human)
    # Systems × segments: a pair's gaps then lie together in memory.
    scores = np.ascontiguousarray(np.where(both, scores, np.nan).T)
    judgements = np.ascontiguousarray(np.where(both, judgements, np.nan).T)
    n_systems, n_segments = scores.shape
    left, right = np.triu_indices(n_systems, k=1)
    within = np.zeros((len(subsets), left.size), dtype=np.float32)
    for place, subset in enumerate(subsets):
        chosen = np.zeros(n_systems, dtype=bool)
        chosen[list(subset)] = True
        within[place] = chosen[left] & chosen[right]
    counts = np.zeros((3, len(subsets), n_segments), dtype=np.int64)
    ties, below = np.zeros(len(subsets)), np.zeros(len(subsets))
    block = max(1, PRODUCT_AT_ONCE // max(1, left.size * len(subsets)))
    for start in range(0, n_segments, block):
        rows = slice(start, start + block)
        gap = judgements[:, rows][left] - judgements[:, rows][right]
        # Comparisons with NaN are false: a pair with a missing score never enters.
        size = np.abs(gap)
        enters = size > HUMAN_TIE
        ties += within @ (size <= HUMAN_TIE).sum(axis=1)
        if min_gap > HUMAN_TIE:
            small = enters & (size < min_gap - HUMAN_TIE)
            below += within @ small.sum(axis=1)
            enters &= ~small
        metric_gap = scores[:, rows][left] - scores[:, rows][right]
        tied = enters & (metric_gap == 0)
        agree = enters & ~tied & ((metric_gap > 0) == (gap > 0))
        # Numbers of pairs of one segment are exact in single precision.
        found = [within @ part.astype(np.float32) for part in (agree, enters, tied)]
        counts[0, :, rows], counts[2, :, rows] = found[0], found[2]
        counts[1, :, rows] = found[1] - found[0] - found[2]
    return [
        PairCounts(
            counts[0, place],
            counts[1, place],
            counts[2, place],
            int(ties[place]),
            int(below[place]),
        )
        for place in range(len(subsets))
    ]


def tau_like(
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    min_gap: float = 0.0,
    metric_ties: MetricTies = "discordant",
    average: Average = "segments",
    human_scores: str = "raw",
    bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP,
    level: float = 0.95,
    variant: Variant = NO_VARIANT,
) -> Result:
    """(concordant − discordant) / pairs over pairs of outputs of one segment.

    The statistic of the WMT metrics tasks (Macháček and Bojar 2014; Ma et al. 2018, where the gap
    is 25). Not Kendall's tau: human ties are left out and metric ties count as said.

    Parameters
    ----------
    metric, human : array_like, shape (segments, systems)
        NaN where missing; `metric` oriented so that higher is better.
    min_gap : float
        Smallest human gap that counts, inclusive.
    metric_ties : {"discordant", "half", "skip"}
        A pair that the metric ties counts against it, for half (0 in the numerator, 1 in the
        denominator), or not at all.
    average : {"segments", "pooled"}
        Mean of the segments that have a pair, or all pairs together.
    human_scores : str
        "raw" or "z", for the signature.
    bootstrap : Bootstrap, optional
        Segments are drawn with replacement. None: the interval is Student's t over segments.
    level : float
        Coverage of the latter.
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    Estimate or Undefined
        ``n`` and ``details["segments_with_a_pair"]`` count segments, ``pairs`` pairs. The p-value
        is Student's t over segments (linearised where pooled).

    Raises
    ------
    ValueError
        If shapes differ or a parameter is unknown or negative.

    Examples
    --------
    >>> tau_like([[3, 2, 1]], [[9, 5, 7]], bootstrap=None).value
    0.3333333333333333
    """
    kind = TauLike(min_gap, metric_ties, average)
    more = {"human": human_scores, **variant}
    name = kind.signature(bootstrap, more, level=level)
    counted = count_pairs(metric, human, min_gap=min_gap)
    return resampled_alone(kind.steps(counted, name, bootstrap=bootstrap, level=level), bootstrap)


@dataclass(frozen=True, slots=True)
class TauLike:
    """Which pairs of outputs count, and how: see `tau_like`.

    Raises
    ------
    ValueError
        If a variant is unknown.
    """

    min_gap: float = 0.0
    metric_ties: MetricTies = "discordant"
    average: Average = "segments"
    over: str = "segments"

    name: ClassVar[str] = "kendall-tau-like"
    no_variation: ClassVar[str] = NO_PAIR

    def __post_init__(self) -> None:
        if self.metric_ties not in get_args(MetricTies) or self.average not in get_args(Average):
            raise ValueError(f"unknown variant: {self.metric_ties}, {self.average}")

    @property
    def parts(self) -> dict[str, VariantValue]:
        """Which pairs count."""
        return {"min_gap": self.min_gap, "metric_ties": self.metric_ties, "average": self.average}

    @property
    def scale(self) -> CentringScale | None:
        """Draws of annotators are centred."""
        return "plain" if "annotators" in self.over else None

    def signature(
        self, bootstrap: Bootstrap | None, variant: Variant, *, level: float = 0.95
    ) -> str:
        """Name a tau-like value."""
        parts: dict[str, VariantValue] = {"confidence": level}
        if bootstrap:
            parts = bootstrap.variant(self.over, level_as="confidence")
        return signature(self.name, **{**parts, **self.parts, **variant})

    def cells_per_unit(self, cells: int) -> int:
        """Counts of pairs of each unit are added up, whatever its cells."""
        return 1

    def statistic(self, scores: FloatArray, judgements: FloatArray) -> WeightedStatistic:
        """Return `tau_like` as a function of weights of segments, or of systems."""
        return (self.of_systems if self.over == "systems" else self.of_segments)(scores, judgements)

    def sums(self, counted: PairCounts) -> tuple[SumStatistic, int]:
        """Return tau-like as a ratio of two sums over segments, and the number of pairs in it."""
        ties = counted.metric_ties
        numerators = counted.concordant - counted.discordant
        pairs = counted.concordant + counted.discordant
        if self.metric_ties == "discordant":
            numerators = numerators - ties
        if self.metric_ties != "skip":
            pairs = pairs + ties
        sums = np.column_stack([numerators, pairs]).astype(np.float64)
        if self.average == "segments":
            sums = np.column_stack([sums[:, 0] / np.maximum(pairs, 1), pairs > 0])
        return SumStatistic(sums, ratio_of_sums), int(pairs.sum())

    def of_segments(self, metric: npt.ArrayLike, human: npt.ArrayLike) -> SumStatistic:
        """Return `tau_like` as a function of weights of segments: NaN where none has a pair."""
        return self.sums(count_pairs(metric, human, min_gap=self.min_gap))[0]

    def of_systems(self, metric: npt.ArrayLike, human: npt.ArrayLike) -> WeightedStatistic:
        """Return `tau_like` as a function of weights of systems.

        A pair of systems counts as often as both were drawn, in every segment. Copies of one system
        never form a pair: human raters tie them. NaN where a draw has no pair.
        """
        scores, judgements, both = metric_and_human(metric, human)
        left, right = np.triu_indices(scores.shape[1], k=1)
        gap = np.where(both, judgements, np.nan)
        gap = gap[:, left] - gap[:, right]
        metric_gap = scores[:, left] - scores[:, right]
        # Comparisons with NaN are false: a pair with a missing score never enters.
        enters = (np.abs(gap) > HUMAN_TIE) & (np.abs(gap) >= self.min_gap - HUMAN_TIE)
        tied = enters & (metric_gap == 0)
        agree = enters & ~tied & ((metric_gap > 0) == (gap > 0))
        signs = np.where(agree, 1.0, np.where(enters, -1.0, 0.0))
        if self.metric_ties != "discordant":
            signs[tied] = 0.0
        counted = (enters & ~tied if self.metric_ties == "skip" else enters).astype(np.float64)
        if self.average == "pooled":
            signs, counted = signs.sum(axis=0)[None, :], counted.sum(axis=0)[None, :]

        def of_systems(weights: FloatArray) -> FloatArray:
            values = np.empty(weights.shape[0])
            block = max(1, CELLS_IN_MEMORY // max(1, signs.shape[0]))
            for start in range(0, weights.shape[0], block):
                drawn = slice(start, start + block)
                of_pairs = weights[drawn][:, left] * weights[drawn][:, right]
                pairs = of_pairs @ counted.T
                shares = np.zeros(pairs.shape)
                np.divide(of_pairs @ signs.T, pairs, out=shares, where=pairs > 0)
                values[drawn] = ratio_of_sums(
                    np.column_stack([shares.sum(axis=1), (pairs > 0).sum(axis=1)])
                )
            return values

        return of_systems

    def steps(
        self,
        counted: PairCounts,
        name: str,
        *,
        bootstrap: Bootstrap | None = None,
        level: float = 0.95,
    ) -> ResampledResult:
        """Compute `tau_like` of pairs that are counted, to be resampled with others."""
        statistic, pairs = self.sums(counted)
        sums = statistic.per_unit
        with_pair = sums[:, 1] > 0
        segments = int(with_pair.sum())
        details = _facts(counted, segments)
        if not segments:
            reason = _reason(counted, self.metric_ties)
            return Undefined(reason, with_pair.size, "segments", name, details)
        p_value, interval = cluster_t_test(
            sums[with_pair, 0], sums[with_pair, 1], level, over="segments"
        )
        if bootstrap:
            draws = yield statistic
            level = bootstrap.level
            interval, facts = interval_of_draws(draws, 0.0, bootstrap, "segments")
            details |= facts
        value = float(statistic.of_sums(sums.sum(axis=0)))
        edge = at_the_edge(value, segments, level, over="segments", bounds=(-1, 1))
        return Estimate(
            value,
            n=segments,
            unit="segments",
            signature=name,
            pairs=pairs,
            p_value=p_value,
            interval=edge or interval,
            details={**details, "test": "tau-like = 0, Student's t over segments"},
        )


def _facts(counted: PairCounts, segments_with_a_pair: int) -> dict[str, Any]:
    return {
        "segments": int(counted.concordant.size),
        "segments_with_a_pair": segments_with_a_pair,
        "concordant": int(counted.concordant.sum()),
        "discordant": int(counted.discordant.sum()),
        "metric_ties": int(counted.metric_ties.sum()),
        "human_ties": counted.human_ties,
        "below_min_gap": counted.below_gap,
    }


def _reason(counted: PairCounts, metric_ties: MetricTies) -> str:
    if metric_ties == "skip" and counted.metric_ties.any():
        return "the metric ties every pair that human raters rate differently"
    if counted.below_gap:
        return "no pair of outputs has a human gap as large as asked for"
    if counted.human_ties:
        return "human raters tie every pair of outputs"
    return "no segment has two outputs with both a metric and a human score"


def bootstrap_tau_like(
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    min_gap: float = 0.0,
    metric_ties: MetricTies = "discordant",
    average: Average = "segments",
    over: Over = "segments",
    method: Method = "percentile",
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
    variant: Variant = NO_VARIANT,
) -> Result:
    """Tau-like with an interval by drawing segments or systems.

    Parameters
    ----------
    metric, human : array_like, shape (segments, systems)
        NaN where missing; `metric` oriented so that higher is better.
    min_gap, metric_ties, average
        As in `analysis.stats.correlation.tau_like.tau_like`.
    over, method, bootstrap, variant
        As in `analysis.stats.correlation.correlation_bootstrap.bootstrap_correlation`.

    Returns
    -------
    Estimate or Undefined
        ``n`` counts the units drawn.

    Raises
    ------
    ValueError
        If shapes differ or a variant is unknown.
    """
    if over not in get_args(Over) or method not in get_args(Method):
        raise ValueError(f"unknown variant: {over}, {method}")
    kind = TauLike(min_gap, metric_ties, average, over)
    name = kind.signature(bootstrap, {"interval": method, **variant})
    scores, judgements, _ = metric_and_human(metric, human)
    return with_interval(kind, scores, judgements, method, bootstrap, name)
