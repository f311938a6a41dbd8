"""How often a metric orders two systems as human raters do: pairwise and soft pairwise accuracy."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, IntArray, metric_and_human, ratio
from analysis.stats.resampling.bootstrap import (
    CENTRED,
    STANDARD_BOOTSTRAP,
    Bootstrap,
    interval_of_draws,
)
from analysis.stats.resampling.permutation import (
    BITS_IN_BLOCK,
    SLACK,
    STANDARD_PERMUTATION,
    Permutation,
    random_bytes,
)
from analysis.stats.resampling.resampled_sums import ResampledResult, SumStatistic, alone
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, signature

TIE = 1e-9
"""Means closer than this are tied."""
OF_SUMS = 1e-13
"""Rounding of a sum, as a share of the sum of absolute values."""


@dataclass(frozen=True, slots=True)
class SystemPairs:
    """Every two systems, on the segments that both have.

    If every segment has all systems or none, a difference of two systems' sums is the sum of their
    differences, and each column holds a system; else each holds a pair, with its differences.

    Parameters
    ----------
    first, second : ndarray of int, shape (pairs,)
        Systems of each pair; pairs without a common segment are left out.
    segments : ndarray of int, shape (pairs,)
        Common segments of each pair.
    left_out : int
    present, metric, human : ndarray, shape (segments, columns)
        1 where the segment is there; scores, or differences of the first system's and the
        second's. Zero where a score is missing.
    by_system : bool
        Whether columns hold systems.
    """

    first: IntArray
    second: IntArray
    segments: IntArray
    left_out: int
    present: FloatArray
    metric: FloatArray
    human: FloatArray
    by_system: bool

    def differences(self, sums: FloatArray) -> FloatArray:
        """Return sums of differences of each pair (… × pairs) from sums of columns."""
        if not self.by_system:
            return sums
        return sums[..., self.first] - sums[..., self.second]

    def rounding(self, columns: FloatArray) -> FloatArray:
        """Return how far apart two sums of differences of a pair may be that are the same."""
        sizes = np.abs(columns).sum(axis=0)
        rounding: FloatArray = SLACK * sizes
        if self.by_system:
            gaps = np.array(
                [
                    np.abs(columns[:, one] - columns[:, other]).sum()
                    for one, other in zip(self.first, self.second, strict=True)
                ]
            )
            rounding = SLACK * gaps + OF_SUMS * (sizes[self.first] + sizes[self.second])
        return rounding


def system_pairs(metric: npt.ArrayLike, human: npt.ArrayLike) -> SystemPairs:
    """Compare every two systems segment by segment; a missing segment is missing for its pairs.

    Raises
    ------
    ValueError
        If shapes differ.
    """
    scores, judgements, present = metric_and_human(metric, human)
    first, second = np.triu_indices(scores.shape[1], k=1)
    by_system = bool((present.all(axis=1) | ~present.any(axis=1)).all())
    if not by_system:
        present = present[:, first] & present[:, second]
        scores, judgements = (side[:, first] - side[:, second] for side in (scores, judgements))
    segments = present.sum(axis=0)[first if by_system else slice(None)]
    kept = segments > 0
    columns = slice(None) if by_system else kept
    metric_side, human_side = (
        np.where(present, side, 0.0)[:, columns] for side in (scores, judgements)
    )
    return SystemPairs(
        first[kept],
        second[kept],
        segments[kept],
        int((~kept).sum()),
        present[:, columns].astype(np.float64),
        metric_side,
        human_side,
        by_system,
    )


def system_accuracy_steps(
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP,
    variant: Variant = NO_VARIANT,
) -> ResampledResult:
    """Share of pairs of systems that metric and human raters put in the same order.

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

    ends = [pairs.present.shape[1], pairs.present.shape[1] + pairs.metric.shape[1]]

    def accuracies(sums: FloatArray) -> FloatArray:
        present, *sides = np.split(sums, ends, axis=1)
        sizes = present[:, pairs.first] if pairs.by_system else present
        gaps = [pairs.differences(side) for side in sides]
        orders = [np.sign(np.where(np.abs(gap) <= TIE * sizes, 0.0, gap)) for gap in gaps]
        known = sizes > 0
        agree = ((orders[0] == orders[1]) & known).sum(axis=1)
        return ratio(agree, known.sum(axis=1))

    statistic = SumStatistic(np.hstack([pairs.present, pairs.metric, pairs.human]), accuracies)
    value = float(statistic(np.ones((1, len(pairs.metric))))[0])
    interval, details = None, {"pairs_left_out": pairs.left_out}
    if bootstrap:
        draws = yield statistic
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


pairwise_system_accuracy = alone(system_accuracy_steps)


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
    by_metric, by_human = flipped_p_values(pairs, permutation)
    return Estimate(
        float(1 - np.abs(by_metric - by_human).mean()),
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


def flipped_p_values(pairs: SystemPairs, permutation: Permutation) -> tuple[FloatArray, FloatArray]:
    """Return one-sided p-values of each pair by flips of segments, of metric and human scores.

    Both see the same flips.
    """
    n_segments = len(pairs.metric)
    sides = pairs.metric, pairs.human
    columns = np.hstack(sides)
    observed = np.hstack([pairs.differences(side.sum(axis=0)) for side in sides])
    least = observed - np.maximum(np.hstack([pairs.rounding(side) for side in sides]), 1e-310)
    generator = np.random.default_rng(permutation.seed)
    block = max(8, 4 * BITS_IN_BLOCK // n_segments // 8 * 8)
    extreme = np.zeros(observed.size)
    for start in range(0, permutation.draws, block):
        size = min(block, permutation.draws - start)
        packed = random_bytes(generator, (-(-size // 8), n_segments))
        flips = np.unpackbits(packed, axis=0, count=size).astype(np.float64)
        # The flipped sum is the sum less twice what is flipped.
        flipped = np.split(flips @ columns, 2, axis=1)
        drawn = observed - 2 * np.hstack([pairs.differences(side) for side in flipped])
        extreme += (drawn >= least).sum(axis=0)
    by_metric, by_human = np.split((extreme + 1) / (permutation.draws + 1), 2)
    return by_metric, by_human
