"""Correlation of a metric with human scores, at system and at segment level."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import (
    BoolArray,
    FloatArray,
    Grouping,
    IntArray,
    masked_means,
    metric_and_human,
)
from analysis.stats.correlation.pearson import (
    COEFFICIENTS,
    SMALLEST_GROUP,
    Coefficient,
    correlate,
    r_of_sums,
    row_sums,
    rowwise_coefficients,
)
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap, percentile_interval
from analysis.stats.resampling.proportions import cluster_t_test
from analysis.stats.resampling.resampled_sums import ResampledResult, SumStatistic, alone
from analysis.stats.results import Estimate, Result, Undefined, with_details
from analysis.stats.signature import NO_VARIANT, Variant, signature


def system_means(
    metric: npt.ArrayLike, human: npt.ArrayLike
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return each system's mean metric and human score over the cells with both, and their number.

    Parameters
    ----------
    metric, human : array_like, shape (segments, systems)
        NaN where missing.

    Returns
    -------
    metric_means, human_means : ndarray, shape (systems,)
        NaN where a system has no cell.
    counts : ndarray of int, shape (systems,)
    """
    scores, judgements, both = metric_and_human(metric, human)
    counts = np.asarray(both.sum(axis=0), dtype=np.int64)
    return masked_means(scores, both), masked_means(judgements, both), counts


def system_level(
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    coefficient: Coefficient = "pearson",
    *,
    level: float = 0.95,
    variant: Variant = NO_VARIANT,
) -> Result:
    """Correlate the systems' mean metric scores with their mean human scores.

    Parameters
    ----------
    metric, human : array_like, shape (segments, systems)
        NaN where missing; `metric` raw or oriented, as the caller chose.
    coefficient : {"pearson", "spearman", "kendall-tau-b", "kendall-tau-c"}
    level : float
    variant : mapping
        Further parts of the signature, such as ``{"human": "z", "orientation": "raw"}``.

    Returns
    -------
    Estimate or Undefined
        ``n`` counts systems; Fisher's interval, as systems are independent units. Undefined with
        fewer than three systems.
    """
    metric_means, human_means, counts = system_means(metric, human)
    return system_level_of_means(
        metric_means, human_means, counts, coefficient, level=level, variant=variant
    )


def system_level_of_means(
    metric_means: FloatArray,
    human_means: FloatArray,
    counts: IntArray,
    coefficient: Coefficient = "pearson",
    *,
    level: float = 0.95,
    variant: Variant = NO_VARIANT,
) -> Result:
    """Correlate means that `system_means` returned, or those of some of its systems."""
    name = signature(coefficient, level="system", cells="both", confidence=level, **variant)
    missing = int((~(np.isfinite(metric_means) & np.isfinite(human_means))).sum())
    result = correlate(
        metric_means, human_means, coefficient, unit="systems", level=level, name=name
    )
    facts = {"cells": int(counts.sum()), "systems_left_out": missing}
    return with_details(result, **facts)


def segment_level_steps(
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    coefficient: Coefficient = "pearson",
    *,
    grouping: Grouping = "none",
    bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP,
    level: float = 0.95,
    variant: Variant = NO_VARIANT,
) -> ResampledResult:
    """Correlate the scores of single outputs with their human scores.

    * ``none``: all outputs pooled. The p-value takes them for independent, which outputs of one
      segment are not; the interval of Pearson's r is a bootstrap over segments, the other
      coefficients have none here.
    * ``segment``, ``system``: one coefficient per group, then their mean. Groups in which a side
      is constant are left out and counted, as are groups of fewer than two outputs. p-value and
      interval are Student's t over the groups.

    Parameters
    ----------
    metric, human : array_like, shape (segments, systems)
        NaN where missing.
    coefficient : {"pearson", "spearman", "kendall-tau-b", "kendall-tau-c"}
    grouping : {"none", "segment", "system"}
    bootstrap : Bootstrap, optional
        For pooled Pearson. None: no interval.
    level : float
        Coverage of the interval over groups.
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    Estimate or Undefined
        ``n`` counts outputs (pooled) or the groups averaged.

    Raises
    ------
    ValueError
        If shapes differ, or the coefficient or grouping is unknown.
    """
    scores, judgements, both = metric_and_human(metric, human)
    if coefficient not in COEFFICIENTS or grouping not in ("none", "segment", "system"):
        raise ValueError(f"unknown coefficient or grouping: {coefficient}, {grouping}")
    if grouping == "none":
        return (yield from _pooled(scores, judgements, both, coefficient, bootstrap, variant))
    if grouping == "system":
        scores, judgements, both = scores.T, judgements.T, both.T
    name = signature(coefficient, level="segment", group=grouping, confidence=level, **variant)
    values, sizes = rowwise_coefficients(scores, judgements, coefficient)
    small = int((sizes < SMALLEST_GROUP).sum())
    defined = values[np.isfinite(values)]
    facts = {
        "groups": int(sizes.size),
        "constant_groups_left_out": int(sizes.size - small - defined.size),
        "small_groups_left_out": small,
        "cells": int(sizes[np.isfinite(values)].sum()),
    }
    unit = f"{grouping}s"
    if defined.size == 0:
        reason = f"in no {grouping} do both the metric and the human scores vary"
        return Undefined(reason, 0, unit, name, facts)
    p_value, interval = cluster_t_test(defined, np.ones(defined.size), level, over=unit)
    return Estimate(
        float(defined.mean()),
        n=defined.size,
        unit=unit,
        signature=name,
        p_value=p_value,
        interval=interval,
        details={**facts, "test": f"mean over {unit} = 0, Student's t"},
    )


segment_level = alone(segment_level_steps)


def _pooled(
    scores: FloatArray,
    judgements: FloatArray,
    both: BoolArray,
    coefficient: Coefficient,
    bootstrap: Bootstrap | None,
    variant: Variant,
) -> ResampledResult:
    draw = bootstrap if coefficient == "pearson" else None
    parts = draw.variant("segments", level_as="confidence") if draw else {}
    name = signature(coefficient, **{**parts, **variant, "level": "segment", "group": "none"})
    result = correlate(
        scores[both], judgements[both], coefficient, unit="outputs", independent=False, name=name
    )
    facts: dict[str, object] = {
        "missing": int(both.size - both.sum()),
        "segments": int(both.any(axis=1).sum()),
        "systems": int(both.any(axis=0).sum()),
    }
    if draw and isinstance(result, Estimate):
        sums = row_sums(scores, judgements, both)[both.any(axis=1)]
        draws = yield SumStatistic(sums, r_of_sums)
        interval, degenerate = percentile_interval(draws, draw, "segments")
        facts |= {"resamples": draw.resamples, "degenerate_draws": degenerate}
        result = replace(result, interval=interval)
    return with_details(result, **facts)
