"""How well half of the raters predicts the other half: a ceiling where no formula gives one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from analysis.stats.agreement.reliability import RatedSegments
from analysis.stats.arrays import FloatArray, masked_means
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, signature

Statistic: TypeAlias = Callable[[FloatArray, FloatArray], Result]


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
    if splits < 1:
        raise ValueError("at least one split is needed")
    rated = RatedSegments.of(ratings)
    generator = np.random.default_rng(seed)
    halves = (rated.counts // 2)[:, :, None]
    values, inner = [], ""
    for _ in range(splits):
        keys = generator.random(rated.values.shape)
        places = np.where(np.isnan(rated.values), np.inf, keys).argsort(axis=2).argsort(axis=2)
        one, other = (
            masked_means(rated.values, chosen, axis=2)
            for chosen in (places < halves, (places >= halves) & (places < 2 * halves))
        )
        result = statistic(one, other)
        inner = result.signature.split("|")[0]
        if isinstance(result, Estimate):
            values.append(result.value)
    name = signature(f"split-half {inner}", splits=splits, seed=seed, **variant)
    outputs = int((rated.counts >= 2).sum())
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
            "splits_without_value": splits - len(values),
            "quantiles": {"0.025": float(low), "0.5": float(middle), "0.975": float(high)},
        },
    )
