"""Permutation tests of pairs of metrics over the same cells, in pieces of some draws each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from itertools import repeat
from typing import Any, Protocol

import numpy as np

from analysis.stats.arrays import BoolArray, FloatArray, Grouping, is_constant, ratio
from analysis.stats.comparison.metric_cells import (
    Scale,
    scaled,
    varying_groups,
)
from analysis.stats.comparison.swap_bits import (
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
from analysis.stats.pieces import Piece
from analysis.stats.resampling.permutation import (
    Permutation,
    at_least_as_extreme,
)
from analysis.stats.results import Estimate, Result, Undefined

TABLE_CELLS = 100_000
"""Pairs of members whose signs are held at once, for every pair of metrics."""
WORK_OF_PIECE = 20_000_000
"""Swapped scores of a piece: about a second of one core, with twenty metrics."""
MOST_PIECES = 32
UNITS = {"none": "outputs", "segment": "segments", "system": "systems"}


class _SwappedStatistic(Protocol):
    def sums(self, bits: Bits) -> tuple[FloatArray, FloatArray]: ...


class SwappedFamily:
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

    def pieces(self, permutation: Permutation) -> list[Piece[FloatArray]]:
        """Return what counts the extreme draws, some of them each."""
        if not self.pairs or not self.kept.size:
            return []
        work = self.kept.size * self.groups.human.shape[1] * permutation.draws
        parts = min(MOST_PIECES, max(1, work // WORK_OF_PIECE))
        # Draws come in whole bytes.
        size = -(-permutation.draws // (8 * parts)) * 8
        return [
            partial(self._counts, permutation, slice(start, min(start + size, permutation.draws)))
            for start in range(0, permutation.draws, size)
        ]

    def results(
        self, counts: list[FloatArray], permutation: Permutation, name: str
    ) -> dict[tuple[int, int], Result]:
        """Return the result of each pair from the counts of all pieces."""
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
        observed, counted = self.observed
        extreme, good = np.sum(counts, axis=0).astype(int).tolist()
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
                (extreme[index] + 1) / (good[index] + 1),
                permutation,
                degenerate=permutation.draws - good[index],
                n=self.cells if pooled else int(counted[index].min()),
                unit=unit,
                name=name,
                cells=self.cells,
                swap=self.swap,
                more={} if pooled else groups,
            )
        return results

    @cached_property
    def _positions(self) -> list[tuple[int, int]]:
        """Where the metrics of each pair are among those used."""
        position = {metric: place for place, metric in enumerate(self.used)}
        return [(position[first], position[second]) for first, second in self.pairs]

    @cached_property
    def _pooled(self) -> _SwappedStatistic:
        """The statistic of all groups where they fit into one block."""
        return self._statistic(self.groups, self._may_be_constant)

    @cached_property
    def _may_be_constant(self) -> list[bool]:
        return [
            self.coefficient != "pearson" and may_become_constant(self.groups, pair)
            for pair in self._positions
        ]

    def _counts(self, permutation: Permutation, draws: slice) -> FloatArray:
        """Count some draws as extreme as the observed differences, and those not degenerate.

        Returns
        -------
        ndarray, shape (2, pairs)
        """
        shape = (len(self.pairs), 2, draws.stop - draws.start)
        sums, counts = np.zeros(shape), np.zeros(shape)
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
        for groups, blocks in bits.stream(draws):
            if groups == slice(0, self.kept.size):
                statistic = self._pooled
            else:
                statistic = self._statistic(self.groups[groups], self._may_be_constant)
            for taken, drawn_bits in blocks:
                here = slice(taken.start - draws.start, taken.stop - draws.start)
                block_sums, block_counts = statistic.sums(drawn_bits)
                sums[:, :, here] += block_sums
                counts[:, :, here] += block_counts
        means = ratio(sums, counts)
        drawn = means[:, 0] - means[:, 1]
        observed = (self.observed[0][:, 0] - self.observed[0][:, 1]).tolist()
        extreme = map(at_least_as_extreme, observed, drawn, repeat(permutation.alternative))
        return np.array([list(extreme), np.isfinite(drawn).sum(axis=1)], dtype=np.float64)

    @cached_property
    def observed(self) -> tuple[FloatArray, FloatArray]:
        """Each metric's own mean correlation, without a swap, and its groups (pairs × 2)."""
        members = self.groups.human.shape[1]
        block = max(1, TABLE_CELLS // (members * min(members, WIDEST_PAIRED_GROUP)))
        sums, counts = np.zeros((len(self.pairs), 2)), np.zeros((len(self.pairs), 2))
        for start in range(0, self.kept.size, block):
            groups = self.groups[slice(start, start + block)]
            # The values themselves are asked for, not differences only.
            statistic = self._statistic(groups, [True] * len(self.pairs))
            nothing = np.zeros((groups.human.shape[0], members, 1), dtype=np.uint8)
            block_sums, block_counts = statistic.sums(nothing)
            sums += block_sums[:, :, 0]
            counts += block_counts[:, :, 0]
        return sums / np.maximum(counts, 1), counts

    def _statistic(self, groups: Groups, may_be_constant: list[bool]) -> _SwappedStatistic:
        pairs = self._positions
        if self.coefficient == "pearson":
            return SwappedPearson(groups, pairs)
        if self.coefficient == "spearman":
            return SwappedSpearman(groups, pairs, may_be_constant)
        if groups.human.shape[1] > WIDEST_PAIRED_GROUP:
            return WideSwappedTau(groups, pairs, may_be_constant)
        return SwappedTau(groups, pairs, may_be_constant)


def swap_estimate(
    observed: FloatArray,
    p_value: float,
    permutation: Permutation,
    *,
    degenerate: int,
    n: int,
    unit: str,
    name: str,
    cells: int,
    swap: Swap,
    more: Mapping[str, Any],
) -> Estimate:
    """Return the difference of two correlations with its p-value; `more` are further facts."""
    return Estimate(
        float(observed[0] - observed[1]),
        n=n,
        unit=unit,
        signature=name,
        p_value=p_value,
        details={
            "first": float(observed[0]),
            "second": float(observed[1]),
            "cells": cells,
            "draws": permutation.draws,
            "degenerate_draws": degenerate,
            "alternative": permutation.alternative,
            "test": f"the two metrics are exchangeable, swapping {swap}",
            **more,
        },
    )


def _within(grouping: Grouping) -> str:
    return "" if grouping == "none" else f" within any {grouping}"
