"""Headline correlations over many subsets of systems, from sums and counts made once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, metric_and_human
from analysis.stats.correlation.bivariate import estimate_of_r
from analysis.stats.correlation.metric_correlation import system_level_of_means, system_means
from analysis.stats.correlation.pearson import pearson_r, r_of_sums, row_sums
from analysis.stats.correlation.tau_like import (
    Average,
    MetricTies,
    PairCounts,
    tau_like_of_counts,
    tau_like_signature,
)
from analysis.stats.resampling.resampled_sums import resampled_alone
from analysis.stats.results import Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, signature

Subsets = Sequence[Sequence[int]]


def system_pearson_of_subsets(
    metric: npt.ArrayLike, human: npt.ArrayLike, subsets: Subsets, *, variant: Variant = NO_VARIANT
) -> list[Result]:
    """Correlate system means over each subset of columns, as `system_level` does over all."""
    metric_means, human_means, counts = system_means(metric, human)
    return [
        system_level_of_means(
            metric_means[chosen], human_means[chosen], counts[chosen], variant=variant
        )
        for chosen in (list(subset) for subset in subsets)
    ]


def pooled_pearson_of_subsets(
    metric: npt.ArrayLike, human: npt.ArrayLike, subsets: Subsets, *, variant: Variant = NO_VARIANT
) -> list[Result]:
    """Correlate pooled outputs over each subset of columns, as `segment_level` does over all.

    Without intervals. Counts, sums, squares and products are added up per system; they are centred
    over all systems first, so that little is lost in taking the subset's mean away.
    """
    scores, judgements, both = metric_and_human(metric, human)
    name = signature("pearson", **{**variant, "level": "segment", "group": "none"})
    n = both.sum(axis=0)
    sums = row_sums(scores.T, judgements.T, both.T)
    spreads = [_extremes(side, both) for side in (scores, judgements)]
    complete = bool(both.all())
    results: list[Result] = []
    for subset in subsets:
        chosen = list(subset)
        cells = int(n[chosen].sum())
        facts = {
            "missing": len(scores) * len(chosen) - cells,
            "segments": len(scores) if complete else int(both[:, chosen].any(axis=1).sum()),
            "systems": int((n[chosen] > 0).sum()),
        }
        reason = _why_undefined(cells, [spread[:, chosen] for spread in spreads])
        if reason:
            results.append(Undefined(reason, cells, "outputs", name, facts))
            continue
        r = float(r_of_sums(sums[chosen].sum(axis=0)))
        if np.isnan(r):
            # The subset varies by so little of the whole that sums have lost it.
            cut = both[:, chosen]
            r = pearson_r(scores[:, chosen][cut], judgements[:, chosen][cut])
        results.append(estimate_of_r(r, cells, unit="outputs", name=name, details=facts))
    return results


def tau_like_of_subsets(
    counts: Sequence[PairCounts],
    *,
    min_gap: float = 0.0,
    metric_ties: MetricTies = "discordant",
    average: Average = "segments",
    human_scores: str = "raw",
    variant: Variant = NO_VARIANT,
) -> list[Result]:
    """Tau-like over each subset, as `tau_like` without bootstrap does over all.

    Parameters
    ----------
    counts : sequence of PairCounts
        From `analysis.stats.correlation.tau_like.count_pairs_of_subsets` with the same `min_gap`.
    min_gap, metric_ties, average, human_scores, variant
        As in `analysis.stats.correlation.tau_like.tau_like`.
    """
    name = tau_like_signature(
        min_gap, metric_ties, average, None, {"human": human_scores, **variant}
    )
    return [
        resampled_alone(
            tau_like_of_counts(counted, name, metric_ties=metric_ties, average=average), None
        )
        for counted in counts
    ]


def _extremes(values: FloatArray, both: npt.NDArray[np.bool_]) -> FloatArray:
    """Return each column's lowest and highest value; infinite where it has none."""
    lowest = np.where(both, values, np.inf).min(axis=0, initial=np.inf)
    return np.stack([lowest, np.where(both, values, -np.inf).max(axis=0, initial=-np.inf)])


def _why_undefined(cells: int, spreads: Sequence[FloatArray]) -> str:
    """Say as `correlate` does why there is no coefficient; empty where there is one."""
    if cells < 3:
        return "fewer than three outputs"
    for (lows, highs), side in zip(spreads, ("first", "second"), strict=True):
        low, high = float(lows.min()), float(highs.max())
        if high - low <= 1e-13 * max(abs(low), abs(high)):
            return f"the {side} variable is constant over all {cells} outputs"
    return ""
