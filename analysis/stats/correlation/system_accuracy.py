"""How often a metric orders two systems as people do: pairwise and soft pairwise accuracy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, IntArray, metric_and_human, ratio
from analysis.stats.comparison.swap_bits import BITS_IN_BLOCK, random_bytes
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap, bootstrap_draws
from analysis.stats.resampling.centred_draws import CENTRED, interval_of_draws
from analysis.stats.resampling.permutation import SLACK, STANDARD_PERMUTATION, Permutation
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, signature

TIE = 1e-9
"""Means closer than this are tied."""


@dataclass(frozen=True, slots=True)
class SystemPairs:
    """Differences of every two systems on the segments that both have.

    Parameters
    ----------
    first, second : ndarray of int, shape (pairs,)
        Columns.
    metric, human : ndarray, shape (segments, pairs)
        First system's score less the second's, zero where a score is missing.
    segments : ndarray of int, shape (pairs,)
        Common segments of each pair; pairs without any are left out.
    left_out : int
    present : ndarray, shape (segments, pairs)
        1 where the pair has the segment, else 0.
    """

    first: IntArray
    second: IntArray
    metric: FloatArray
    human: FloatArray
    segments: IntArray
    left_out: int
    present: FloatArray


def system_pairs(metric: npt.ArrayLike, human: npt.ArrayLike) -> SystemPairs:
    """Compare every two systems segment by segment; a missing segment is missing for its pairs.

    Raises
    ------
    ValueError
        If shapes differ.
    """
    scores, judgements, both = metric_and_human(metric, human)
    first, second = np.triu_indices(scores.shape[1], k=1)
    common = both[:, first] & both[:, second]
    segments = common.sum(axis=0)
    kept = segments > 0
    first, second, common = first[kept], second[kept], common[:, kept]
    gaps = [
        np.where(common, side[:, first] - side[:, second], 0.0) for side in (scores, judgements)
    ]
    return SystemPairs(
        first,
        second,
        gaps[0],
        gaps[1],
        np.asarray(segments[kept], dtype=np.int64),
        int((~kept).sum()),
        common.astype(np.float64),
    )


def pairwise_system_accuracy(
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP,
    variant: Variant = NO_VARIANT,
) -> Result:
    """Share of pairs of systems that metric and people put in the same order.

    Kocmi et al. (2021). The means of two systems are over the segments that both have; a pair that
    both sides tie agrees, one that a single side ties does not.

    Parameters
    ----------
    metric, human : array_like, shape (segments, systems)
        NaN where missing; `metric` oriented so that higher is better.
    bootstrap : Bootstrap, optional
        Segments are drawn with replacement. None: no interval.
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    Estimate or Undefined
        ``n`` counts systems, ``pairs`` their pairs.

    Examples
    --------
    >>> pairwise_system_accuracy([[3, 1, 2]], [[9, 5, 3]], bootstrap=None).value
    0.6666666666666666
    """
    parts = {**bootstrap.variant("segments"), **CENTRED} if bootstrap else {}
    name = signature("pairwise-system-accuracy", cells="pair", **{**parts, **variant})
    pairs = system_pairs(metric, human)
    n_systems = np.union1d(pairs.first, pairs.second).size
    if not pairs.first.size:
        return Undefined("no two systems share a segment", 0, "systems", name)

    def accuracies(weights: FloatArray) -> FloatArray:
        sizes = weights @ pairs.present
        orders = [
            np.sign(np.where(np.abs(sums) <= TIE * sizes, 0.0, sums))
            for sums in (weights @ pairs.metric, weights @ pairs.human)
        ]
        known = sizes > 0
        agree = ((orders[0] == orders[1]) & known).sum(axis=1)
        return ratio(agree, known.sum(axis=1))

    n_segments = pairs.metric.shape[0]
    value = float(accuracies(np.ones((1, n_segments)))[0])
    interval, details = None, {"pairs_left_out": pairs.left_out}
    if bootstrap:
        draws = bootstrap_draws(
            np.ones(n_segments), accuracies, bootstrap, 1 + 3 * pairs.first.size // n_segments
        )
        interval, facts = interval_of_draws(
            draws, value, bootstrap, "segments", scale="plain", bounds=(0.0, 1.0)
        )
        details |= facts
    return Estimate(
        value,
        n=n_systems,
        unit="systems",
        signature=name,
        pairs=int(pairs.first.size),
        interval=interval,
        details=details,
    )


def soft_pairwise_accuracy(
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    permutation: Permutation = STANDARD_PERMUTATION,
    variant: Variant = NO_VARIANT,
) -> Result:
    """1 − mean |p_human − p_metric| over pairs of systems (Thompson, Mathur, Deutsch, Khayrallah).

    Each p is that of a one-sided permutation test that the first system is better than the second,
    flipping the signs of the differences on the segments that both have; p = (c + 1) / (k + 1).
    Both sides see the same flips. Thompson et al. (2024).

    Parameters
    ----------
    metric, human : array_like, shape (segments, systems)
        NaN where missing; `metric` oriented so that higher is better.
    permutation : Permutation
        Its draws and seed; the tests are one-sided whatever its alternative.
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    Estimate or Undefined
        ``n`` counts systems, ``pairs`` their pairs.
    """
    name = signature(
        "soft-pairwise-accuracy",
        cells="pair",
        permutations=permutation.draws,
        seed=permutation.seed,
        **variant,
    )
    pairs = system_pairs(metric, human)
    if not pairs.first.size:
        return Undefined("no two systems share a segment", 0, "systems", name)
    by_metric, by_people = flipped_p_values([pairs.metric, pairs.human], permutation)
    return Estimate(
        float(1 - np.abs(by_metric - by_people).mean()),
        n=np.union1d(pairs.first, pairs.second).size,
        unit="systems",
        signature=name,
        pairs=int(pairs.first.size),
        details={
            "pairs_left_out": pairs.left_out,
            "fewest_segments": int(pairs.segments.min()),
            "draws": permutation.draws,
        },
    )


def flipped_p_values(gaps: list[FloatArray], permutation: Permutation) -> list[FloatArray]:
    """Return one-sided p-values of each column's sum by flips of the rows' signs.

    Parameters
    ----------
    gaps : list of ndarray, shape (segments, pairs)
        All see the same flips.
    permutation : Permutation

    Returns
    -------
    list of ndarray, shape (pairs,)
    """
    n_segments = gaps[0].shape[0]
    columns = np.concatenate(gaps, axis=1)
    observed = columns.sum(axis=0)
    slack = SLACK * np.maximum(np.abs(columns).sum(axis=0), 1e-300)
    generator = np.random.default_rng(permutation.seed)
    block = max(8, 4 * BITS_IN_BLOCK // n_segments // 8 * 8)
    extreme = np.zeros(columns.shape[1])
    for start in range(0, permutation.draws, block):
        size = min(block, permutation.draws - start)
        packed = random_bytes(generator, (-(-size // 8), n_segments))
        flips = np.unpackbits(packed, axis=0, count=size).astype(np.float64)
        # The flipped sum is the sum less twice what is flipped.
        drawn = observed - 2 * (flips @ columns)
        extreme += (drawn >= observed - slack).sum(axis=0)
    p_values = (extreme + 1) / (permutation.draws + 1)
    return np.split(p_values, len(gaps))
