"""Permutation tests of every two of several metrics on the scores of single outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import get_args

import numpy.typing as npt

from analysis.stats.arrays import Grouping
from analysis.stats.comparison.metric_cells import (
    SCALES,
    Scale,
    by_common_cells,
    same_shapes,
)
from analysis.stats.comparison.swap_bits import (
    SWAPS,
    Swap,
)
from analysis.stats.comparison.swapped_family import UNITS, SwappedFamily
from analysis.stats.correlation.weighted_correlation import WeightedCoefficient
from analysis.stats.pieces import InPieces, put_together
from analysis.stats.resampling.permutation import (
    STANDARD_PERMUTATION,
    Permutation,
)
from analysis.stats.results import Result
from analysis.stats.signature import NO_VARIANT, Variant, signature

SWAP_COEFFICIENTS: tuple[WeightedCoefficient, ...] = get_args(WeightedCoefficient)


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
    steps = segment_level_permutation_steps(
        metrics,
        human,
        coefficient,
        grouping=grouping,
        swap=swap,
        scale=scale,
        permutation=permutation,
        variant=variant,
    )
    return put_together([steps])[0]


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
    """`segment_level_permutations` as a computation in pieces: some of the draws each."""
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
    families = [
        SwappedFamily(scores, judgements, present, pairs, coefficient, grouping, swap, scale)
        for pairs, present in by_common_cells(scores, judgements)
    ]
    asked = [family.pieces(permutation) for family in families]
    counts = iter((yield [piece for pieces in asked for piece in pieces]))
    results: dict[tuple[int, int], Result] = {}
    for family, pieces in zip(families, asked, strict=True):
        results |= family.results(list(islice(counts, len(pieces))), permutation, name)
    return [MetricPair(*pair, results[pair]) for pair in sorted(results)]
