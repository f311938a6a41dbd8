"""Correlations with human scores as functions of the weights of segments, all in one form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from analysis.stats.arrays import FloatArray, Grouping, Level
from analysis.stats.correlation.correlation_bootstrap import cells_per_unit
from analysis.stats.correlation.resampled_correlation import by_units, centring
from analysis.stats.correlation.tau_like import Average, MetricTies, weighted_tau_like
from analysis.stats.correlation.weighted_correlation import WeightedCoefficient, WeightedStatistic
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.resampling.centred_draws import CENTRED, Scale
from analysis.stats.signature import NO_VARIANT, Variant, VariantValue, signature


@dataclass(frozen=True, slots=True)
class SegmentStatistic:
    """A correlation that can be computed under any weights of the segments.

    Parameters
    ----------
    name : str
        First part of its signature.
    variant : mapping
        Further parts.
    of : callable
        Takes metric and human scores (segments × systems), returns a function from weights
        (draws × segments) to one value a draw, NaN where it is undefined.
    coefficient : str
        For the memory that a draw takes.
    scale : {"plain", "fisher"}, optional
        On which draws are centred (`resampling.centred_draws`); None where they are not.
    """

    name: str
    variant: Variant
    of: Callable[[FloatArray, FloatArray], WeightedStatistic]
    coefficient: WeightedCoefficient = "pearson"
    scale: Scale | None = None

    def cells_per_unit(self, systems: int) -> int:
        """Return how many numbers one draw of one segment takes."""
        return cells_per_unit(systems, self.coefficient)

    def signature(self, bootstrap: Bootstrap, **more: VariantValue) -> str:
        """Return the signature of a value whose interval is drawn over segments."""
        parts = bootstrap.variant("segments", level_as="confidence")
        parts |= {"interval": "percentile"} | (CENTRED if self.scale else {})
        return signature(self.name, **{**parts, **self.variant, **more})


def correlation_of_segments(
    coefficient: WeightedCoefficient = "pearson",
    *,
    level: Level = "segment",
    grouping: Grouping = "none",
    variant: Variant = NO_VARIANT,
) -> SegmentStatistic:
    """Return Pearson, Spearman or tau-b at system or segment level.

    As `analysis.stats.correlation.correlation_bootstrap.bootstrap_correlation` computes it.
    """
    parts = {"level": level, "cells": "both"}
    if level == "segment":
        parts["group"] = grouping

    def of(metric: FloatArray, human: FloatArray) -> WeightedStatistic:
        return by_units(metric, human, coefficient, level, grouping, "segments")[0]

    scale = centring(coefficient, level, "segments")
    return SegmentStatistic(coefficient, {**variant, **parts}, of, coefficient, scale)


def tau_like_statistic(
    *,
    min_gap: float = 0.0,
    metric_ties: MetricTies = "discordant",
    average: Average = "segments",
    variant: Variant = NO_VARIANT,
) -> SegmentStatistic:
    """Return the tau-like statistic; parameters as in `correlation.tau_like.tau_like`."""
    parts: dict[str, VariantValue] = {
        "average": average,
        "metric_ties": metric_ties,
        "min_gap": min_gap,
    }

    def of(metric: FloatArray, human: FloatArray) -> WeightedStatistic:
        return weighted_tau_like(
            metric, human, min_gap=min_gap, metric_ties=metric_ties, average=average
        )

    return SegmentStatistic("kendall-tau-like", {**variant, **parts}, of)
