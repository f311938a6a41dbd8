"""Pairwise accuracy with ties, the metric's tie threshold calibrated exactly."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, metric_and_human, ratio, ratio_of_sums
from analysis.stats.correlation.tau_like import HUMAN_TIE, Average
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap, percentile_interval
from analysis.stats.resampling.resampled_sums import ResampledResult, SumStatistic, resampled_alone
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, VariantValue, signature

CROSSINGS_AT_ONCE = 1_000_000


@dataclass(frozen=True, slots=True)
class Crossings:
    """Pairs of outputs in the order in which a growing threshold ties them, from `crossings_of`.

    Parameters
    ----------
    gaps : ndarray, shape (crossings,), ascending
        Metric gap at which the pair becomes tied.
    gains : ndarray, shape (crossings,)
        1 where human raters tie the pair too, -1 where the metric was right to tell it apart.
    segments : ndarray of int, shape (crossings,)
    right, pairs : ndarray, shape (segments,)
        Pairs that are right before any is tied, and all pairs.
    """

    gaps: FloatArray
    gains: npt.NDArray[np.int8]
    segments: npt.NDArray[np.int32]
    right: FloatArray
    pairs: FloatArray


def accuracy_with_calibrated_ties(
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    average: Average = "segments",
    folds: int | None = None,
    seed: int = 20190604,
    bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP,
    variant: Variant = NO_VARIANT,
) -> Result:
    """Share of pairs of outputs of a segment on which metric and human raters agree, with ties.

    The metric ties a pair if its gap is at most a threshold, and the threshold is the one with the
    highest accuracy (Deutsch, Foster and Freitag 2023). All thresholds are tried: pairs are sorted
    by the metric's gap, and passing one adds or takes away what it counts, so that accuracy at
    every threshold is a running sum. Of equally good thresholds the smallest is taken.

    Parameters
    ----------
    metric, human : array_like, shape (segments, systems)
        NaN where missing; `metric` oriented so that higher is better.
    average : {"segments", "pooled"}
        Mean of the segments' accuracies, or all pairs together.
    folds : int, optional
        Cross-fitting: each fold of segments is judged under the threshold of the others. None:
        the threshold is found on the data that it is judged by, as in WMT, which flatters.
    seed : int
        Of the assignment to folds.
    bootstrap : Bootstrap, optional
        Segments are drawn with replacement while thresholds stay. None: no interval.
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    Estimate or Undefined
        ``n`` counts segments with a pair; ``details["threshold"]`` (a list if cross-fitted), and
        ``details["untied_accuracy"]`` with equal scores as the only ties.

    Raises
    ------
    ValueError
        If shapes differ, a variant is unknown, or there are fewer than two folds.

    Examples
    --------
    >>> result = accuracy_with_calibrated_ties([[1.0, 1.2, 3.0]], [[1, 1, 2]], bootstrap=None)
    >>> result.value, round(result.details["threshold"], 3)
    (1.0, 0.2)
    """
    steps = calibrated_tie_steps(
        crossings_of(metric, human),
        average=average,
        folds=folds,
        seed=seed,
        bootstrap=bootstrap,
        variant=variant,
    )
    return resampled_alone(steps, bootstrap)


def calibrated_tie_steps(
    crossings: Crossings,
    *,
    average: Average = "segments",
    folds: int | None = None,
    seed: int = 20190604,
    bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP,
    variant: Variant = NO_VARIANT,
) -> ResampledResult:
    """`accuracy_with_calibrated_ties` of sorted pairs, to be resampled together with others."""
    if average not in get_args(Average) or (folds is not None and folds < 2):
        raise ValueError(f"unknown variant or fewer than two folds: {average}, {folds}")
    parts: dict[str, VariantValue] = dict(bootstrap.variant("segments") if bootstrap else {})
    name = signature(
        "accuracy-with-calibrated-ties",
        **parts,
        average=average,
        threshold="in-sample" if folds is None else "cross-fitted",
        folds=folds,
        fold_seed=None if folds is None else seed,
        **variant,
    )
    with_pair = np.flatnonzero(crossings.pairs > 0)
    needed = 1 if folds is None else folds
    if with_pair.size < needed:
        reason = "too few segments have two outputs with both scores"
        return Undefined(reason, with_pair.size, "segments", name)
    weights = np.zeros(crossings.pairs.size)
    shared = average == "segments"
    weights[with_pair] = 1 / crossings.pairs[with_pair] if shared else 1.0
    fold = np.zeros(crossings.pairs.size, dtype=np.int64)
    if folds is not None:
        shuffled = np.random.default_rng(seed).permutation(with_pair)
        fold[shuffled] = np.arange(with_pair.size) % folds
    right = np.zeros(crossings.pairs.size)
    thresholds = []
    for held_out in range(needed):
        judged = fold == held_out
        learned = weights * (~judged if folds is not None else 1.0)
        threshold = best_threshold(crossings, learned)
        thresholds.append(threshold)
        right[judged] = right_at(crossings, threshold)[judged]
    untied = right_at(crossings, 0.0)
    numerators, denominators = right * weights, crossings.pairs * weights
    pairs = int(crossings.pairs.sum())
    # Many metrics may wait for draws, and each of them has millions of pairs.
    del crossings
    interval, degenerate = None, 0
    if bootstrap:
        sums = np.column_stack([numerators, denominators])[with_pair]
        draws = yield SumStatistic(sums, ratio_of_sums)
        interval, degenerate = percentile_interval(draws, bootstrap, "segments, thresholds fixed")
    return Estimate(
        float(numerators.sum() / denominators.sum()),
        n=int(with_pair.size),
        unit="segments",
        signature=name,
        pairs=pairs,
        interval=interval,
        details={
            "threshold": thresholds[0] if folds is None else thresholds,
            "untied_accuracy": float((untied * weights).sum() / denominators.sum()),
            "degenerate_draws": degenerate,
        },
    )


def crossings_of(
    metric: npt.ArrayLike, human: npt.ArrayLike, *, human_tie: float = HUMAN_TIE
) -> Crossings:
    """Sort the pairs of outputs of one segment by the metric's gap."""
    scores, judgements, both = metric_and_human(metric, human)
    gaps, gains, segments = [], [], []
    right, pairs = np.zeros(scores.shape[0]), np.zeros(scores.shape[0])
    for left in range(scores.shape[1] - 1):
        others = slice(left + 1, None)
        common = both[:, [left]] & both[:, others]
        rows, columns = np.nonzero(common)
        metric_gap = scores[rows, left] - scores[:, others][rows, columns]
        human_gap = judgements[rows, left] - judgements[:, others][rows, columns]
        tied = np.abs(human_gap) <= human_tie
        agree = ~tied & (metric_gap * np.sign(human_gap) > 0)
        pairs += common.sum(axis=1)
        right += np.bincount(rows[agree], minlength=right.size)
        # A pair that the metric puts in the wrong order is wrong when tied as well.
        matters = tied | agree
        gaps.append(np.abs(metric_gap[matters]))
        gains.append(np.where(tied[matters], 1, -1).astype(np.int8))
        segments.append(rows[matters].astype(np.int32))
    if not gaps:
        nothing = np.empty(0)
        return Crossings(nothing, nothing.astype(np.int8), nothing.astype(np.int32), right, pairs)
    gap = np.concatenate(gaps)
    # A large study has tens of millions of pairs: what is no longer needed goes at once.
    gaps.clear()
    order = np.argsort(gap, kind="stable")
    gap = gap[order]
    return Crossings(
        gap, np.concatenate(gains)[order], np.concatenate(segments)[order], right, pairs
    )


def best_threshold(crossings: Crossings, weights: FloatArray) -> float:
    """Return the smallest threshold with the highest weighted number of right pairs."""
    if not crossings.gaps.size:
        return 0.0
    none_tied = 0.0 if crossings.gaps[0] > 0 else -np.inf
    highest = max(values.max(initial=none_tied) for _, values in _running_sums(crossings, weights))
    # Sums in another order differ by rounding; a threshold must not depend on that.
    least = highest - 1e-9 * weights.sum()
    if none_tied >= least:
        return 0.0
    return next(
        float(thresholds[np.argmax(values >= least)])
        for thresholds, values in _running_sums(crossings, weights)
        if (values >= least).any()
    )


def _running_sums(
    crossings: Crossings, weights: FloatArray
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield thresholds, in rising order, and what the pairs up to each have gained, in blocks."""
    total = 0.0
    for start in range(0, crossings.gaps.size, CROSSINGS_AT_ONCE):
        part = slice(start, start + CROSSINGS_AT_ONCE)
        gains = crossings.gains[part] * weights[crossings.segments[part]]
        gains[0] += total
        running = np.cumsum(gains)
        total = float(running[-1])
        gaps = crossings.gaps[start : start + CROSSINGS_AT_ONCE + 1]
        last = np.append(gaps[1:] != gaps[:-1], True)[: running.size]
        yield gaps[: running.size][last], running[last]


def right_at(crossings: Crossings, threshold: float) -> FloatArray:
    """Return each segment's number of right pairs under a threshold."""
    passed = slice(0, int(np.searchsorted(crossings.gaps, threshold, side="right")))
    gained = np.bincount(
        crossings.segments[passed], crossings.gains[passed], minlength=crossings.right.size
    )
    return crossings.right + gained


HumanTies = Literal["exact", "rounded"]
HUMAN_TIES: dict[HumanTies, float] = {"exact": 0.0, "rounded": 1e-9}
"""Human scores are tied if they are equal, as in the shared tasks, or up to rounding noise."""


@dataclass(frozen=True, slots=True)
class CalibratedTies:
    """Accuracy of one metric at its best threshold.

    Parameters
    ----------
    threshold : float
        The smallest that reaches the highest accuracy.
    right, pairs : ndarray, shape (segments,)
        Pairs decided right, and all pairs.
    """

    threshold: float
    right: FloatArray
    pairs: FloatArray

    @property
    def shares(self) -> FloatArray:
        """Share decided right of each segment, NaN without a pair."""
        return ratio(self.right, self.pairs)


def calibrate(
    metric: FloatArray, human: FloatArray, human_ties: HumanTies = "exact"
) -> CalibratedTies:
    """Return the accuracy of a metric at its best threshold (Deutsch, Foster and Freitag 2023).

    A metric ties a pair of outputs of a segment if their gap is at most a threshold; the best one
    has the highest mean over segments of the share of pairs that are right.

    Parameters
    ----------
    metric, human : ndarray, shape (segments, systems)
        NaN where missing.
    human_ties : {"exact", "rounded"}
    """
    crossings = crossings_of(metric, human, human_tie=HUMAN_TIES[human_ties])
    threshold = best_threshold(crossings, np.nan_to_num(ratio(1.0, crossings.pairs)))
    return CalibratedTies(threshold, right_at(crossings, threshold), crossings.pairs)
