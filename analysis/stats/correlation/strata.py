"""Correlations under weights of segments, in parts of a study, and whether the parts differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations

import numpy as np

from analysis.stats.arrays import FloatArray, IntArray
from analysis.stats.correlation.correlation_bootstrap import (
    ResampledStatistic,
    estimate_of_difference,
)
from analysis.stats.pieces import InPieces
from analysis.stats.resampling.bootstrap import (
    CENTRED,
    Bootstrap,
    CentringScale,
    bootstrap_draws,
    interval_of_draws,
)
from analysis.stats.resampling.permutation import adjusted_p_values
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import Variant, VariantValue, signature


@dataclass(frozen=True, slots=True)
class SegmentStatistic:
    """A correlation that is resampled over segments, and what its signature says besides."""

    kind: ResampledStatistic
    variant: Variant = field(default_factory=dict)

    def signature(self, bootstrap: Bootstrap, **more: VariantValue) -> str:
        """Return the signature of a value whose interval is drawn over segments."""
        parts = bootstrap.variant("segments", level_as="confidence")
        parts |= {"interval": "percentile"} | (CENTRED if self.kind.scale else {})
        return signature(self.kind.name, **{**parts, **self.variant, **self.kind.parts, **more})


LEVEL = 0.05
DRAWS_PER_DIFFERENCE = 50
"""So that the smallest p-value, 2 / (draws + 1), times the number of differences, is below .05."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of a segments × systems matrix.

    Parameters
    ----------
    segments, systems : ndarray of int
        Rows and columns.
    """

    segments: IntArray
    systems: IntArray

    def of(self, matrix: FloatArray) -> FloatArray:
        """Cut the stratum out of a matrix."""
        return matrix[np.ix_(self.segments, self.systems)]


@dataclass(frozen=True, slots=True)
class StratumDifference:
    """One metric's correlation in one stratum less that in another.

    Parameters
    ----------
    metric, first, second : int
        Positions in the input.
    result : Estimate or Undefined
    adjusted : float or None
        p-value after Holm's correction over all metrics and pairs of strata.
    """

    metric: int
    first: int
    second: int
    result: Result
    adjusted: float | None

    @property
    def detected(self) -> bool:
        """Whether a difference was detected."""
        return self.adjusted is not None and self.adjusted <= LEVEL


def enough_draws(bootstrap: Bootstrap, differences: int) -> Bootstrap:
    """Return a bootstrap with draws enough for so many differences to be detectable at all.

    One that draws nothing stays as it is.
    """
    if not bootstrap:
        return bootstrap
    draws = max(bootstrap.resamples, DRAWS_PER_DIFFERENCE * differences)
    return replace(bootstrap, resamples=draws)


def correlation_by_stratum_steps(
    metrics: Sequence[FloatArray],
    human: FloatArray,
    strata: Sequence[Stratum],
    statistics: Sequence[SegmentStatistic],
    *,
    bootstrap: Bootstrap,
    paired: bool = False,
) -> InPieces[tuple[list[list[Result]], list[StratumDifference]]]:
    """Correlate metrics with human scores in each stratum, and compare the strata of each metric.

    Segments are drawn with replacement within their stratum. Strata of different segments are
    independent samples: the draws of two are set against each other one place apart, so that no
    draw meets another made of the same random numbers. Strata of systems over the same segments
    are paired: each draw takes the same segments in both.

    Parameters
    ----------
    metrics : sequence of ndarray, each (segments, systems)
        NaN where missing.
    human : ndarray, shape (segments, systems)
    strata : sequence of Stratum
        Disjoint in segments, or (paired) all with the same segments.
    statistics : sequence of SegmentStatistic
        One a metric; they differ in what their signatures say of the scores.
    bootstrap : Bootstrap
    paired : bool

    Returns
    -------
    results : list of list
        Per metric, per stratum.
    differences : list of StratumDifference
        None where nothing is drawn. Every two strata of every metric. The p-value is that of
        `analysis.stats.comparison.paired_bootstrap.bootstrap_differences`, two-sided.

    Raises
    ------
    ValueError
        If paired strata have different segments, or others share one.
    """
    _check(strata, paired)
    used = strata if paired else [_rated(stratum, human) for stratum in strata]
    values = yield [
        partial(_of_stratum, metric, human, stratum, statistic, bootstrap)
        for metric, statistic in zip(metrics, statistics, strict=True)
        for stratum in used
    ]
    of_metrics = [values[place : place + len(used)] for place in range(0, len(values), len(used))]
    results = [[result for result, _ in found] for found in of_metrics]
    draws = [[drawn for _, drawn in found] for found in of_metrics]
    if not bootstrap:
        return results, []
    compared = "paired" if paired else "independent"
    names = [
        f"difference-of-strata-{statistic.signature(bootstrap, strata=compared)}"
        for statistic in statistics
    ]
    rows = [
        (
            metric,
            *(first, second),
            _difference(
                *(results[metric], draws[metric], first, second),
                *(bootstrap, paired, names[metric], statistics[metric].kind.scale is not None),
            ),
        )
        for metric in range(len(metrics))
        for first, second in combinations(range(len(strata)), 2)
    ]
    adjusted = adjusted_p_values([result for *_, result in rows])
    return results, [
        StratumDifference(*row, p_value) for row, p_value in zip(rows, adjusted, strict=True)
    ]


def _check(strata: Sequence[Stratum], paired: bool) -> None:
    for one, other in combinations(strata, 2):
        same = np.array_equal(one.segments, other.segments)
        if paired and not same:
            raise ValueError("paired strata must have the same segments")
        if not paired and np.intersect1d(one.segments, other.segments).size:
            raise ValueError("strata share a segment: they are not independent")


def _rated(stratum: Stratum, human: FloatArray) -> Stratum:
    """Leave out segments of which nobody rated anything."""
    return Stratum(stratum.segments[np.isfinite(stratum.of(human)).any(axis=1)], stratum.systems)


def _of_stratum(
    metric: FloatArray,
    human: FloatArray,
    stratum: Stratum,
    statistic: SegmentStatistic,
    bootstrap: Bootstrap,
) -> tuple[Result, FloatArray]:
    """Return a metric's correlation in a stratum with its draws."""
    n_segments, n_systems = stratum.segments.size, stratum.systems.size
    name = statistic.signature(bootstrap)
    if not n_segments or not n_systems:
        return Undefined("nobody rated these outputs", 0, "segments", name), np.empty(0)
    human_scores, score = stratum.of(human), stratum.of(metric)
    weighted, every = statistic.kind.statistic(score, human_scores), np.ones(n_segments)
    drawn = bootstrap_draws(every, weighted, bootstrap, statistic.kind.cells_per_unit(n_systems))
    both = np.isfinite(score) & np.isfinite(human_scores)
    facts = {"outputs": int(both.sum()), "systems": int(both.any(axis=0).sum())}
    value = float(weighted(every[None])[0])
    return with_draws(value, drawn, bootstrap, n_segments, name, facts, statistic.kind.scale), drawn


def with_draws(
    value: float,
    drawn: FloatArray,
    bootstrap: Bootstrap,
    n_segments: int,
    name: str,
    facts: Mapping[str, object],
    scale: CentringScale | None = None,
) -> Result:
    """Return a value with the percentile interval of its draws of segments.

    With a scale it encloses that of the draws centred on it.
    """
    if not np.isfinite(value):
        reason = "the metric's or human scores do not vary here, or no two outputs have both"
        return Undefined(reason, n_segments, "segments", name, facts)
    interval, more = interval_of_draws(
        drawn, value, bootstrap, "segments", scale=scale, bounds=(-1.0, 1.0)
    )
    return Estimate(
        value, n_segments, "segments", name, interval=interval, details={**facts, **more}
    )


def _difference(
    results: Sequence[Result],
    draws: Sequence[FloatArray],
    first: int,
    second: int,
    bootstrap: Bootstrap,
    paired: bool,
    name: str,
    centred: bool,
) -> Result:
    one, other = results[first], results[second]
    if isinstance(one, Undefined):
        return Undefined(f"in one of the two, {one.reason}", one.n, "segments", name)
    if isinstance(other, Undefined):
        return Undefined(f"in one of the two, {other.reason}", other.n, "segments", name)
    gaps = draws[first] - (draws[second] if paired else np.roll(draws[second], 1))
    return estimate_of_difference(
        one.value,
        other.value,
        gaps,
        bootstrap,
        n=one.n if paired else one.n + other.n,
        over="segments",
        name=name,
        centred=centred,
        paired=paired,
    )
