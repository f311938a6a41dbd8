"""Permutation tests of every two of several metrics, on scores of outputs or on system means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import (
    BoolArray,
    FloatArray,
    Grouping,
    as_matrix,
    is_constant,
    masked_means,
)
from analysis.stats.comparison.swapped_coefficients import (
    SWAPS,
    Groups,
    Swap,
    SwapBits,
    by_group,
    swapped_differences,
)
from analysis.stats.correlation.pearson import SMALLEST_GROUP, constant_rows, rowwise_coefficients
from analysis.stats.correlation.weighted_correlation import WeightedCoefficient
from analysis.stats.pieces import InPieces, at_once
from analysis.stats.resampling.permutation import (
    STANDARD_PERMUTATION,
    Permutation,
    at_least_as_extreme,
    enumerated_bits,
    sampled_p_value,
)
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, VariantValue, signature

Scale = Literal["standardised", "given"]


def same_shapes(
    metrics: Sequence[npt.ArrayLike], human: npt.ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Return metrics (metrics × segments × systems) and human scores (segments × systems).

    Raises
    ------
    ValueError
        If a shape differs or there are fewer than two metrics.
    """
    judgements = as_matrix(human, "human")
    matrices = [as_matrix(metric, f"metric {index}") for index, metric in enumerate(metrics)]
    if len(matrices) < 2:
        raise ValueError("a comparison needs at least two metrics")
    for index, matrix in enumerate(matrices):
        if matrix.shape != judgements.shape:
            shapes = f"metric {index} is {matrix.shape}, human is {judgements.shape}"
            raise ValueError(f"{shapes}: they must match")
    return np.stack(matrices), judgements


def scaled(scores: FloatArray, present: BoolArray, scale: Scale) -> FloatArray:
    """Return scores as given, or with mean 0 and deviation 1 over the present cells; else 0."""
    if scale == "given":
        return np.where(present, scores, 0.0)
    cells = scores[:, present]
    deviations = cells.std(axis=1, keepdims=True)
    result = np.zeros(scores.shape)
    result[:, present] = (cells - cells.mean(axis=1, keepdims=True)) / deviations
    return result


Facts: TypeAlias = Mapping[str, Any]
SWAP_COEFFICIENTS: tuple[WeightedCoefficient, ...] = get_args(WeightedCoefficient)
UNITS = {"none": "outputs", "segment": "segments", "system": "systems"}
MOST_ENUMERATED = 20
FEWEST_SYSTEMS = 3


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


def segment_level_permutation_steps(
    metrics: Sequence[npt.ArrayLike],
    human: npt.ArrayLike,
    coefficient: WeightedCoefficient = "pearson",
    *,
    grouping: Grouping = "none",
    swap: Swap = "cells",
    scale: Scale = "standardised",
    permutation: Permutation = STANDARD_PERMUTATION,
    variant: Variant = NO_VARIANT,
) -> InPieces[list[MetricPair]]:
    """Test whether every two of several metrics could change places, by human scores.

    Scores are standardised per metric over the cells with scores of both metrics and human scores
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
        (c + 1) / (k + 1), not adjusted, see `resampling.permutation`. Both correlations are in
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
    scores, judgements = same_shapes(metrics, human)
    test = _Test(coefficient, grouping, swap, scale, permutation, variant)
    pairs = [*combinations(range(len(scores)), 2)]
    results = yield [partial(test.of_outputs, scores[list(pair)], judgements) for pair in pairs]
    return [MetricPair(*pair, result) for pair, result in zip(pairs, results, strict=True)]


segment_level_permutations = at_once(segment_level_permutation_steps)


def system_level_permutations(
    metrics: Sequence[npt.ArrayLike],
    human: npt.ArrayLike,
    coefficient: WeightedCoefficient = "pearson",
    *,
    swap: Swap = "systems",
    scale: Scale = "standardised",
    permutation: Permutation = STANDARD_PERMUTATION,
    variant: Variant = NO_VARIANT,
) -> list[MetricPair]:
    """Test whether every two metrics could change places, by the correlation of system means.

    With ``swap="systems"`` each metric's system means are standardised over systems and swapped
    system by system (the WMT metrics tools); up to 20 systems all 2ⁿ swaps are enumerated and
    p = c / 2ⁿ. Otherwise scores are standardised over cells, swapped by cell, segment or both
    (`SwapBits`), and averaged anew; p = (c + 1) / (k + 1).

    Parameters
    ----------
    metrics : sequence of array_like, shape (segments, systems)
        NaN where missing; means of a pair are over the cells with all three scores.
    human : array_like, shape (segments, systems)
    coefficient : {"pearson", "spearman", "kendall-tau-b"}
    swap : {"systems", "cells", "segments", "both"}
    scale : {"standardised", "given"}
        "given" swaps scores as they are, for metrics on one scale: then the test is exact.
        Standardising over few systems takes up freedom: with ten, six to seven in a hundred tests
        at 5 % are false alarms, see ``docs/statistics/coverage.md``.
    permutation : Permutation
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    list of MetricPair
        In the order (0, 1), (0, 2), …, (1, 2), …; ``n`` counts systems. p-values are not adjusted.

    Raises
    ------
    ValueError
        If shapes differ or a parameter is unknown.
    """
    scores, judgements = same_shapes(metrics, human)
    test = _Test(coefficient, "none", swap, scale, permutation, variant)
    return [
        MetricPair(*pair, test.of_systems(scores[list(pair)], judgements))
        for pair in combinations(range(len(scores)), 2)
    ]


@dataclass(frozen=True, slots=True)
class _Test:
    """Compares two metrics (2 × segments × systems) by human scores (segments × systems)."""

    coefficient: WeightedCoefficient
    grouping: Grouping
    swap: Swap
    scale: Scale
    permutation: Permutation
    variant: Variant

    def __post_init__(self) -> None:
        known = self.coefficient in SWAP_COEFFICIENTS and self.grouping in UNITS
        if not known or self.swap not in SWAPS or self.scale not in get_args(Scale):
            asked = f"{self.coefficient}, {self.grouping}, {self.swap}, {self.scale}"
            raise ValueError(f"unknown variant: {asked}")

    def of_outputs(self, scores: FloatArray, judgements: FloatArray) -> Result:
        """Compare the metrics by scores of single outputs."""
        present = np.isfinite(scores).all(axis=0) & np.isfinite(judgements)
        cells = int(present.sum())
        name = self._signature(level="segment", group=self.grouping)
        within = "" if self.grouping == "none" else f" within any {self.grouping}"
        if any(is_constant(side[present]) for side in scores):
            reason = "a metric has the same score for all outputs that both metrics score"
            return Undefined(reason, cells, "outputs", name)
        grouped = by_group(present, self.grouping).astype(bool)
        human = by_group(np.where(present, judgements, 0.0), self.grouping).astype(np.float64)
        several = grouped.sum(axis=1) >= SMALLEST_GROUP
        kept = np.flatnonzero(several & ~constant_rows(human, grouped))
        if not kept.size:
            return Undefined(f"human scores do not vary{within}", cells, "outputs", name)
        metrics = by_group(scaled(scores, present, self.scale), self.grouping)
        groups = Groups(metrics[:, kept].astype(np.float64), human[kept], grouped[kept])
        values = self._values(groups)
        first, second = np.isfinite(values).sum(axis=1).tolist()
        unit = UNITS[self.grouping]
        if not first or not second:
            return Undefined(f"a metric's scores do not vary{within}", cells, unit, name)
        observed = masked_means(values, np.isfinite(values), axis=1)
        facts = {"cells": cells}
        if self.grouping != "none":
            facts |= {"groups": len(grouped), "groups_first": first, "groups_second": second}
        n = cells if self.grouping == "none" else min(first, second)
        segments, systems = judgements.shape
        draws, seed = self.permutation.draws, self.permutation.seed
        bits = SwapBits(self.swap, self.grouping, segments, systems, kept, draws, seed)
        resampled = swapped_differences(groups, self.coefficient, draws, bits.blocks())
        return self._estimate(observed, resampled, n, unit, name, facts)

    def of_systems(self, scores: FloatArray, judgements: FloatArray) -> Result:
        """Compare the metrics by the means of systems."""
        present = np.isfinite(scores).all(axis=0) & np.isfinite(judgements)
        kept = present.any(axis=0)
        scores, judgements, present = scores[:, :, kept], judgements[:, kept], present[:, kept]
        n, draws = int(kept.sum()), self.permutation.draws
        exact = self.swap == "systems" and n <= MOST_ENUMERATED
        name = self._signature(level="system", exact=exact)
        if n < FEWEST_SYSTEMS:
            return Undefined("fewer than three systems", n, "systems", name)
        by_human, *means = (masked_means(side, present) for side in (judgements, *scores))
        sides = ("human", "the first metric's", "the second metric's")
        for values, side in zip((by_human, *means), sides, strict=True):
            if is_constant(values):
                return Undefined(f"{side} system means are all the same", n, "systems", name)
        everywhere = np.ones((1, n), dtype=bool)
        metrics = scaled(np.stack(means)[:, None], everywhere, self.scale)
        groups = Groups(metrics, by_human[None], everywhere)
        if exact:
            draws = 2 ** (n - 1)
            resampled = swapped_differences(groups, self.coefficient, draws, enumerated_bits(n))
        elif self.swap == "systems":
            bits = SwapBits("cells", "none", 1, n, np.arange(1), draws, self.permutation.seed)
            resampled = swapped_differences(groups, self.coefficient, draws, bits.blocks())
        else:
            resampled = self._of_swapped_cells(scores, present, by_human)
        facts = {"cells": int(present.sum()), "exact": exact}
        observed = self._values(groups)[:, 0]
        return self._estimate(observed, resampled, n, "systems", name, facts)

    def _of_swapped_cells(
        self, scores: FloatArray, present: BoolArray, by_human: FloatArray
    ) -> FloatArray:
        """Swap cells, average each system anew, and return the difference of each draw."""
        swapped = scaled(scores, present, self.scale)
        gap = swapped[1] - swapped[0]
        segments, systems = present.shape
        draws, seed = self.permutation.draws, self.permutation.seed
        bits = SwapBits(self.swap, "segment", segments, systems, np.arange(segments), draws, seed)
        moved = np.zeros((systems, draws))
        for groups, taken, block in bits.blocks():
            moved[:, taken] += np.einsum("gmk,gm->mk", block.astype(np.float64), gap[groups])
        totals = swapped.sum(axis=1)[:, :, None] + np.stack([moved, -moved])
        human = np.broadcast_to(by_human, (draws, systems))
        sides = totals / present.sum(axis=0)[:, None]
        one, other = (rowwise_coefficients(side.T, human, self.coefficient)[0] for side in sides)
        return np.asarray(one - other)

    def _values(self, groups: Groups) -> FloatArray:
        """Return both metrics' coefficients in each group as they are (2 × groups)."""
        human, *metrics = np.where(groups.present, [groups.human, *groups.metrics], np.nan)
        sides = (rowwise_coefficients(side, human, self.coefficient) for side in metrics)
        return np.stack([values for values, _ in sides])

    def _signature(self, exact: bool = False, **more: VariantValue) -> str:
        return signature(
            "metric-permutation",
            **self.permutation.variant(exact=exact),
            **more,
            coefficient=self.coefficient,
            scale=self.scale,
            swap=self.swap,
            **self.variant,
        )

    def _estimate(
        self,
        observed: FloatArray,
        resampled: FloatArray,
        n: int,
        unit: str,
        name: str,
        facts: Facts,
    ) -> Estimate:
        """Return the difference and its p-value by what was resampled or enumerated."""
        difference, alternative = float(observed[0] - observed[1]), self.permutation.alternative
        good = resampled[np.isfinite(resampled)]
        degenerate, draws = resampled.size - good.size, resampled.size
        if facts.get("exact"):
            # A swap's complement has the opposite difference. One that leaves a metric constant
            # counts as extreme: the p-value is not made smaller by it.
            both = (at_least_as_extreme(difference, s * good, alternative) for s in (1, -1))
            p_value = (sum(both) + 2 * degenerate) / (2 * draws)
            draws, degenerate = 2 * draws, 0
        else:
            p_value = sampled_p_value(difference, good, alternative)
        return Estimate(
            difference,
            n=n,
            unit=unit,
            signature=name,
            p_value=p_value,
            details={
                "first": float(observed[0]),
                "second": float(observed[1]),
                "draws": draws,
                "degenerate_draws": degenerate,
                "alternative": alternative,
                "test": f"the two metrics are exchangeable, swapping {self.swap}",
                **facts,
            },
        )
