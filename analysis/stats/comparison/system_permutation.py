"""Permutation tests of two metrics on system means: all swaps where they can be enumerated."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import BoolArray, FloatArray, is_constant
from analysis.stats.comparison.metric_cells import SCALES, Scale, same_shapes, scaled
from analysis.stats.comparison.metric_permutation import (
    SWAP_COEFFICIENTS,
    MetricPair,
)
from analysis.stats.comparison.swap_bits import (
    BITS_IN_BLOCK,
    SWAPS,
    Bits,
    Groups,
    Swap,
    SwapBits,
    enumerated_bits,
    random_bytes,
)
from analysis.stats.comparison.swapped_family import swap_estimate
from analysis.stats.comparison.swapped_pearson import SwappedPearson
from analysis.stats.comparison.swapped_spearman import SwappedSpearman
from analysis.stats.comparison.swapped_tau import SwappedTau
from analysis.stats.correlation.grouped_correlation import rowwise_coefficients
from analysis.stats.correlation.weighted_correlation import WeightedCoefficient
from analysis.stats.resampling.permutation import (
    STANDARD_PERMUTATION,
    Permutation,
    at_least_as_extreme,
    sampled_p_value,
)
from analysis.stats.results import Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, signature

MOST_ENUMERATED = 20
FEWEST_SYSTEMS = 3


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
        NaN where missing; means of a pair are over the cells where both metrics and people have a
        score.
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
    if coefficient not in SWAP_COEFFICIENTS or swap not in SWAPS or scale not in SCALES:
        raise ValueError(f"unknown variant: {coefficient}, {swap}, {scale}")
    scores, judgements = same_shapes(metrics, human)
    pairs = itertools.combinations(range(len(scores)), 2)
    return [
        MetricPair(
            *pair,
            _compare(
                scores[list(pair)], judgements, coefficient, swap, scale, permutation, variant
            ),
        )
        for pair in pairs
    ]


def _compare(
    scores: FloatArray,
    judgements: FloatArray,
    coefficient: WeightedCoefficient,
    swap: Swap,
    scale: Scale,
    permutation: Permutation,
    variant: Variant,
) -> Result:
    present = np.isfinite(scores).all(axis=0) & np.isfinite(judgements)
    kept = present.any(axis=0)
    n = int(kept.sum())
    exact = swap == "systems" and n <= MOST_ENUMERATED
    name = signature(
        "metric-permutation",
        **permutation.variant(exact=exact),
        coefficient=coefficient,
        level="system",
        scale=scale,
        swap=swap,
        **variant,
    )
    if n < FEWEST_SYSTEMS:
        return Undefined("fewer than three systems", n, "systems", name)
    present = present[:, kept]
    counts = present.sum(axis=0)
    by_people = np.where(present, judgements[:, kept], 0.0).sum(axis=0) / counts
    means = np.where(present, scores[:, :, kept], 0.0).sum(axis=1) / counts
    for values, side in (
        (by_people, "people's"),
        (means[0], "the first"),
        (means[1], "the second"),
    ):
        if is_constant(values):
            return Undefined(f"{side} system means are all the same", n, "systems", name)
    everywhere = np.ones((1, n), dtype=bool)
    groups = Groups(scaled(means[:, None, :], everywhere, scale), by_people[None, :], everywhere)
    nothing = np.zeros((1, n, 1), dtype=np.uint8)
    observed = _both(groups, coefficient, nothing)[:, 0]
    facts: dict[str, Any] = {"exact": exact}
    p_value, drawn = None, np.empty(0)
    if exact:
        p_value = _enumerated_p(groups, coefficient, float(observed[0] - observed[1]), permutation)
        facts["draws"] = 2**n
    elif swap == "systems":
        drawn = _drawn_systems(groups, coefficient, permutation)
    else:
        drawn = _drawn_cells(
            scores[:, :, kept], present, by_people, coefficient, swap, scale, permutation
        )
    good = drawn[np.isfinite(drawn)]
    if p_value is None:
        difference = float(observed[0] - observed[1])
        p_value = sampled_p_value(difference, good, permutation.alternative)
    return swap_estimate(
        observed,
        p_value,
        permutation,
        degenerate=int(drawn.size - good.size),
        n=n,
        unit="systems",
        name=name,
        cells=int(present.sum()),
        swap=swap,
        more=facts,
    )


def _both(groups: Groups, coefficient: WeightedCoefficient, bits: Bits) -> FloatArray:
    """Return the coefficients of both metrics after each swap (2 × swaps), NaN if undefined."""
    statistic: SwappedPearson | SwappedSpearman | SwappedTau
    if coefficient == "pearson":
        statistic = SwappedPearson(groups, [(0, 1)])
    elif coefficient == "spearman":
        statistic = SwappedSpearman(groups, [(0, 1)], [True])
    else:
        statistic = SwappedTau(groups, [(0, 1)], [True])
    sums, counts = statistic.sums(bits)
    return np.where(counts[0] > 0, sums[0], np.nan)


def _enumerated_p(
    groups: Groups, coefficient: WeightedCoefficient, difference: float, permutation: Permutation
) -> float:
    """Return c / 2ⁿ; a swap's complement has the opposite difference and need not be computed.

    A swap that leaves a metric constant counts as extreme: the p-value is not made smaller by it.
    """
    n = groups.human.shape[1]
    extreme = 0
    for bits in enumerated_bits(n):
        both = _both(groups, coefficient, bits)
        drawn = both[0] - both[1]
        extreme += 2 * int(np.isnan(drawn).sum())
        for side in (drawn, -drawn):
            extreme += at_least_as_extreme(difference, side, permutation.alternative)
    return float(extreme / 2.0**n)


def _drawn_systems(
    groups: Groups, coefficient: WeightedCoefficient, permutation: Permutation
) -> FloatArray:
    n = groups.human.shape[1]
    generator = np.random.default_rng(permutation.seed)
    packed = random_bytes(generator, (1, n, -(-permutation.draws // 8)))
    bits = np.unpackbits(packed, axis=-1, count=permutation.draws)
    block = max(1, BITS_IN_BLOCK // n)
    blocks = [
        _both(groups, coefficient, bits[:, :, start : start + block])
        for start in range(0, permutation.draws, block)
    ]
    both = np.concatenate(blocks, axis=1)
    return np.asarray(both[0] - both[1])


def _drawn_cells(
    scores: FloatArray,
    present: BoolArray,
    by_people: FloatArray,
    coefficient: WeightedCoefficient,
    swap: Swap,
    scale: Scale,
    permutation: Permutation,
) -> FloatArray:
    """Swap cells, average each system anew, and correlate: one row per draw."""
    swapped = scaled(scores, present, scale)
    gap = swapped[1] - swapped[0]
    segments, systems = present.shape
    bits = SwapBits(
        swap,
        "segment",
        segments,
        systems,
        kept=np.arange(segments),
        draws=permutation.draws,
        seed=permutation.seed,
    )
    moved = np.zeros((systems, permutation.draws))
    for groups, blocks in bits.stream():
        for draws, drawn in blocks:
            moved[:, draws] += np.einsum("gmk,gm->mk", drawn.astype(np.float64), gap[groups])
    counts = present.sum(axis=0)[:, None]
    first = (swapped[0].sum(axis=0)[:, None] + moved) / counts
    second = (swapped[1].sum(axis=0)[:, None] - moved) / counts
    people = np.broadcast_to(by_people, first.T.shape)
    one, other = (rowwise_coefficients(side.T, people, coefficient)[0] for side in (first, second))
    return np.asarray(one - other)
