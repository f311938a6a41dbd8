"""Permutation tests of every two of several metrics on the scores of single outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import BoolArray, FloatArray, Grouping, is_constant, ratio
from analysis.stats.comparison.metric_cells import (
    SCALES,
    Scale,
    by_common_cells,
    same_shapes,
    scaled,
    varying_groups,
)
from analysis.stats.comparison.swap_bits import (
    SWAPS,
    Bits,
    Groups,
    Swap,
    SwapBits,
    by_group,
    may_become_constant,
)
from analysis.stats.comparison.swapped_pearson import SwappedPearson
from analysis.stats.comparison.swapped_spearman import SwappedSpearman
from analysis.stats.comparison.swapped_tau import WIDEST_PAIRED_GROUP, SwappedTau, WideSwappedTau
from analysis.stats.correlation.weighted_correlation import WeightedCoefficient
from analysis.stats.resampling.permutation import STANDARD_PERMUTATION, Permutation, sampled_p_value
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, signature

SWAP_COEFFICIENTS: tuple[WeightedCoefficient, ...] = get_args(WeightedCoefficient)
TABLE_CELLS = 100_000
"""Pairs of members whose signs are held at once, for every pair of metrics."""
UNITS = {"none": "outputs", "segment": "segments", "system": "systems"}


@dataclass(frozen=True, slots=True)
class MetricPair:
    """Two metrics and the test of their difference.

    Parameters
    ----------
    first, second : int
        Positions of the metrics.
    result : Estimate or Undefined
        ``value`` is the first metric's correlation less the second's.
    """

    first: int
    second: int
    result: Result


class _SwappedStatistic(Protocol):
    def sums(self, bits: Bits) -> tuple[FloatArray, FloatArray]: ...


def segment_level_permutations(
    metrics: Sequence[npt.ArrayLike],
    human: npt.ArrayLike,
    coefficient: WeightedCoefficient = "pearson",
    *,
    grouping: Grouping = "none",
    swap: Swap = "cells",
    scale: Scale = "standardised",
    permutation: Permutation = STANDARD_PERMUTATION,
    variant: Variant = NO_VARIANT,
) -> list[MetricPair]:
    """Test whether every two of several metrics could change places, by human scores.

    Scores are standardised per metric over the cells where both metrics and people have a score
    (or taken as given), then swapped at random, and the difference of the two correlations is
    computed anew. The null is that swapped scores are as likely as those seen (exchangeability),
    which is stronger than equal correlations. Which scores are swapped together is `swap`, see
    `SwapBits`.

    Parameters
    ----------
    metrics : sequence of array_like, shape (segments, systems)
        NaN where missing; oriented so that higher is better.
    human : array_like, shape (segments, systems)
    coefficient : {"pearson", "spearman", "kendall-tau-b"}
        Spearman ranks each swapped metric anew.
    grouping : {"none", "segment", "system"}
        All outputs pooled, or the mean over groups; groups in which a side is constant are left
        out of that metric's mean, in each draw.
    swap : {"cells", "segments", "systems", "both"}
    scale : {"standardised", "given"}
        "given" swaps scores as they are, for metrics on one scale: then the test is exact. With
        few cells standardising makes false alarms more frequent, see
        ``docs/statistics/coverage.md``.
    permutation : Permutation
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    list of MetricPair
        In the order (0, 1), (0, 2), …, (1, 2), …. All pairs see the same draws. p-values are
        (c + 1) / (k + 1), not adjusted, see `resampling.multiplicity`. Both correlations are in
        ``details`` as "first" and "second".

    Raises
    ------
    ValueError
        If shapes differ or a parameter is unknown.

    Examples
    --------
    >>> human = [[1.0, 2.0, 3.0], [4.0, 6.0, 5.0], [9.0, 7.0, 8.0], [2.0, 3.0, 1.0]]
    >>> noise = [[3.0, 1.0, 2.0], [1.0, 2.0, 4.0], [1.0, 3.0, 1.0], [4.0, 2.0, 3.0]]
    >>> (pair,) = segment_level_permutations([human, noise], human)
    >>> pair.result.p_value < 0.05
    True
    """
    known = coefficient in SWAP_COEFFICIENTS and grouping in UNITS and swap in SWAPS
    if not known or scale not in SCALES:
        raise ValueError(f"unknown variant: {coefficient}, {grouping}, {swap}, {scale}")
    scores, judgements = same_shapes(metrics, human)
    name = signature(
        "metric-permutation",
        **permutation.variant(),
        coefficient=coefficient,
        group=grouping,
        level="segment",
        scale=scale,
        swap=swap,
        **variant,
    )
    results: dict[tuple[int, int], Result] = {}
    for pairs, present in by_common_cells(scores, judgements):
        family = _Family(scores, judgements, present, pairs, coefficient, grouping, swap, scale)
        results |= family.results(permutation, name)
    return [MetricPair(*pair, results[pair]) for pair in sorted(results)]


class _Family:
    """Pairs of metrics over the same cells."""

    def __init__(
        self,
        scores: FloatArray,
        judgements: FloatArray,
        present: BoolArray,
        pairs: list[tuple[int, int]],
        coefficient: WeightedCoefficient,
        grouping: Grouping,
        swap: Swap,
        scale: Scale,
    ) -> None:
        self.coefficient, self.grouping, self.swap = coefficient, grouping, swap
        self.shape = judgements.shape
        self.cells = int(present.sum())
        used = sorted({metric for pair in pairs for metric in pair})
        constant = {metric for metric in used if is_constant(scores[metric][present])}
        self.undefined = [pair for pair in pairs if constant & set(pair)]
        self.pairs = [pair for pair in pairs if not constant & set(pair)]
        self.used = [metric for metric in used if metric not in constant]
        if not self.pairs:
            return
        human = np.where(present, judgements, 0.0)
        grouped = by_group(present, grouping).astype(bool)
        by_people = np.asarray(by_group(human, grouping), dtype=np.float64)
        self.kept = np.flatnonzero(varying_groups(by_people, grouped))
        self.n_groups = grouped.shape[0]
        metrics = np.asarray(
            by_group(scaled(scores[self.used], present, scale), grouping), dtype=np.float64
        )
        self.groups = Groups(metrics[:, self.kept], by_people[self.kept], grouped[self.kept])

    def results(self, permutation: Permutation, name: str) -> dict[tuple[int, int], Result]:
        unit = UNITS[self.grouping]
        results: dict[tuple[int, int], Result] = {}
        for pair in self.undefined:
            reason = "a metric has the same score for all outputs that both metrics score"
            results[pair] = Undefined(reason, self.cells, "outputs", name)
        if not self.pairs:
            return results
        if not self.kept.size:
            reason = f"human scores do not vary{_within(self.grouping)}"
            return results | {
                pair: Undefined(reason, self.cells, "outputs", name) for pair in self.pairs
            }
        observed, counted, drawn = self._means(permutation)
        for index, pair in enumerate(self.pairs):
            if not counted[index].all():
                reason = f"a metric's scores do not vary{_within(self.grouping)}"
                results[pair] = Undefined(reason, self.cells, unit, name)
                continue
            pooled = self.grouping == "none"
            groups = {"groups": self.n_groups, "groups_first": int(counted[index, 0])}
            groups["groups_second"] = int(counted[index, 1])
            results[pair] = swap_estimate(
                observed[index],
                drawn[index],
                permutation,
                n=self.cells if pooled else int(counted[index].min()),
                unit=unit,
                name=name,
                cells=self.cells,
                swap=self.swap,
                more={} if pooled else groups,
            )
        return results

    def _means(self, permutation: Permutation) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return observed means and group counts (pairs × 2), and drawn differences."""
        position = {metric: place for place, metric in enumerate(self.used)}
        pairs = [(position[first], position[second]) for first, second in self.pairs]
        shape = (len(pairs), 2, permutation.draws)
        sums, counts = np.zeros(shape), np.zeros(shape)
        may_be_constant = [
            self.coefficient != "pearson" and may_become_constant(self.groups, pair)
            for pair in pairs
        ]
        segments, systems = self.shape
        bits = SwapBits(
            self.swap,
            self.grouping,
            segments,
            systems,
            kept=self.kept,
            draws=permutation.draws,
            seed=permutation.seed,
        )
        for groups, blocks in bits.stream():
            statistic = self._statistic(self.groups[groups], pairs, may_be_constant)
            for draws, drawn_bits in blocks:
                block_sums, block_counts = statistic.sums(drawn_bits)
                sums[:, :, draws] += block_sums
                counts[:, :, draws] += block_counts
        observed, counted = self._observed(pairs)
        means = ratio(sums, counts)
        return observed, counted, means[:, 0] - means[:, 1]

    def _observed(self, pairs: list[tuple[int, int]]) -> tuple[FloatArray, FloatArray]:
        """Compute each metric's own mean correlation, without a swap."""
        members = self.groups.human.shape[1]
        block = max(1, TABLE_CELLS // (members * min(members, WIDEST_PAIRED_GROUP)))
        sums, counts = np.zeros((len(pairs), 2)), np.zeros((len(pairs), 2))
        for start in range(0, self.kept.size, block):
            groups = self.groups[slice(start, start + block)]
            # The values themselves are asked for, not differences only.
            statistic = self._statistic(groups, pairs, [True] * len(pairs))
            nothing = np.zeros((groups.human.shape[0], members, 1), dtype=np.uint8)
            block_sums, block_counts = statistic.sums(nothing)
            sums += block_sums[:, :, 0]
            counts += block_counts[:, :, 0]
        return sums / np.maximum(counts, 1), counts

    def _statistic(
        self, groups: Groups, pairs: list[tuple[int, int]], may_be_constant: list[bool]
    ) -> _SwappedStatistic:
        if self.coefficient == "pearson":
            return SwappedPearson(groups, pairs)
        if self.coefficient == "spearman":
            return SwappedSpearman(groups, pairs, may_be_constant)
        if groups.human.shape[1] > WIDEST_PAIRED_GROUP:
            return WideSwappedTau(groups, pairs, may_be_constant)
        return SwappedTau(groups, pairs, may_be_constant)


def swap_estimate(
    observed: FloatArray,
    drawn: FloatArray,
    permutation: Permutation,
    *,
    n: int,
    unit: str,
    name: str,
    cells: int,
    swap: Swap,
    more: Mapping[str, Any],
    p_value: float | None = None,
) -> Estimate:
    """Return the difference of two correlations with its p-value: given, or of drawn differences.

    `more` are further facts.
    """
    difference = float(observed[0] - observed[1])
    good = drawn[np.isfinite(drawn)]
    if p_value is None:
        p_value = sampled_p_value(difference, good, permutation.alternative)
    return Estimate(
        difference,
        n=n,
        unit=unit,
        signature=name,
        p_value=p_value,
        details={
            "first": float(observed[0]),
            "second": float(observed[1]),
            "cells": cells,
            "draws": permutation.draws,
            "degenerate_draws": int(drawn.size - good.size),
            "alternative": permutation.alternative,
            "test": f"the two metrics are exchangeable, swapping {swap}",
            **more,
        },
    )


def _within(grouping: Grouping) -> str:
    return "" if grouping == "none" else f" within any {grouping}"
