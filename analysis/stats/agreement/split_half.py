"""How well half of the raters predicts the other half: a ceiling where no formula gives one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from analysis.stats.agreement.reliability import RatedSegments
from analysis.stats.arrays import FloatArray, IntArray, ratio
from analysis.stats.pieces import InPieces, at_once
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, signature

Statistic: TypeAlias = Callable[[FloatArray, FloatArray], Result]
SPLITS_OF_PIECE = 20


def split_half(
    ratings: npt.ArrayLike,
    statistic: Statistic,
    *,
    splits: int = 100,
    seed: int = 20190604,
    variant: Variant = NO_VARIANT,
) -> Result:
    """How well one random half of the raters predicts the other half, as if it were a metric.

    For tau and accuracies, which have no formula for the ceiling. Each output's ratings are split
    at random into two halves of equal number, one left over being set aside; both halves are half
    as reliable as the whole panel, so that the value is low as a ceiling for metrics that are
    compared with the whole.

    Parameters
    ----------
    ratings : array_like, shape (segments, systems, raters)
        NaN where missing; outputs with one rating do not enter.
    statistic : callable
        Takes "metric" and human matrices (segments × systems), returns an Estimate or Undefined,
        such as ``lambda a, b: tau_like(a, b, bootstrap=None)``.
    splits, seed : int
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    Estimate or Undefined
        Mean over the splits that have a value; ``details`` has their quantiles.

    Raises
    ------
    ValueError
        If there are no splits.
    """
    [result] = split_halves(ratings, [statistic], splits=splits, seed=seed, variant=variant)
    return result


def split_half_steps(
    ratings: npt.ArrayLike,
    statistics: Sequence[Statistic],
    *,
    splits: int = 100,
    seed: int = 20190604,
    variant: Variant = NO_VARIANT,
) -> InPieces[list[Result]]:
    """Return `split_half` of several statistics, all of which see the same splits."""
    if splits < 1:
        raise ValueError("at least one split is needed")
    values = np.asarray(ratings, dtype=np.float64)
    outputs = int((RatedSegments.of(values).counts >= 2).sum())
    of_splits = yield [
        partial(
            _of_splits, values, statistics, range(splits)[start : start + SPLITS_OF_PIECE], seed
        )
        for start in range(0, splits, SPLITS_OF_PIECE)
    ]
    parts: Variant = {"splits": splits, "seed": seed, **variant}
    by_statistic = zip(*chain(*of_splits), strict=True)
    return [_mean_of_splits(results, outputs, parts) for results in by_statistic]


split_halves = at_once(split_half_steps)


def _of_splits(
    ratings: FloatArray, statistics: Sequence[Statistic], splits: range, seed: int
) -> tuple[tuple[Result, ...], ...]:
    """Return the statistics of some splits."""
    return tuple(
        tuple(statistic(one, other) for statistic in statistics)
        for one, other in _halves(ratings, splits, seed)
    )


def _halves(
    ratings: FloatArray, splits: range, seed: int
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield the mean ratings of both halves of some splits (segments × systems).

    Only what was rated is held, slots × outputs: most annotators of a large study rated few of its
    outputs.
    """
    segments, systems, raters = ratings.shape
    of_outputs = ratings.reshape(segments * systems, raters)
    present = np.isfinite(of_outputs)
    counts = present.sum(axis=1)
    output = np.nonzero(present)[0]
    slot = np.arange(output.size) - np.repeat(np.cumsum(counts) - counts, counts)
    values = np.zeros((int(counts.max(initial=0)), counts.size))
    values[slot, output] = of_outputs[present]
    keys = np.full(values.shape, np.inf)
    half = counts // 2
    bits = np.random.PCG64(seed)
    # A split takes one number for each output and rater: those before it are passed over.
    bits.advance(splits.start * present.size)
    generator = np.random.Generator(bits)
    for _ in splits:
        keys[slot, output] = generator.random(present.shape)[present]
        places = _places(keys)
        one, other = (
            ratio(np.where(chosen, values, 0.0).sum(axis=0), half).reshape(segments, systems)
            for chosen in (places < half, (places >= half) & (places < 2 * half))
        )
        yield one, other


def _places(keys: FloatArray) -> IntArray:
    """Return the place of each key in its column, counted from the lowest; no two are the same."""
    places = np.zeros(keys.shape, dtype=np.int64)
    for later in range(1, len(keys)):
        above = keys[:later] > keys[later]
        places[:later] += above
        places[later] = later - above.sum(axis=0)
    return places


def _mean_of_splits(results: Sequence[Result], outputs: int, parts: Variant) -> Result:
    name = signature(f"split-half {results[-1].signature.split('|')[0]}", **parts)
    values = [result.value for result in results if isinstance(result, Estimate)]
    if not values:
        return Undefined("no split has a value", outputs, "outputs", name)
    low, middle, high = np.quantile(values, [0.025, 0.5, 0.975])
    return Estimate(
        float(np.mean(values)),
        n=outputs,
        unit="outputs",
        signature=name,
        details={
            "splits": len(values),
            "splits_without_value": len(results) - len(values),
            "quantiles": {"0.025": float(low), "0.5": float(middle), "0.975": float(high)},
        },
    )
