"""Which correlation is resampled over which units: variants, their names, their statistics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import numpy as np

from analysis.stats.arrays import FloatArray, Grouping, Level
from analysis.stats.correlation.studentised_bootstrap import is_function_of_sums
from analysis.stats.correlation.weighted_correlation import (
    Arrangement,
    WeightedCoefficient,
    WeightedStatistic,
    weighted_correlation,
)
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.resampling.centred_draws import CENTRED, Scale
from analysis.stats.signature import Variant, signature

Over = Literal["segments", "systems"]
Method = Literal["percentile", "bca", "studentised"]
ROWS: Mapping[tuple[Over, Grouping], Arrangement] = {
    ("segments", "none"): "pooled",
    ("segments", "segment"): "by row",
    ("segments", "system"): "by column",
    ("systems", "none"): "pooled",
    ("systems", "segment"): "by column",
    ("systems", "system"): "by row",
}


def check_variant(level: Level, grouping: Grouping, method: Method) -> None:
    """Raise ValueError if a choice is unknown."""
    known = (get_args(Level), get_args(Grouping), get_args(Method))
    for value, values in zip((level, grouping, method), known, strict=True):
        if value not in values:
            raise ValueError(f"unknown variant: {value}")


def chosen_method(
    method: Method | None,
    coefficient: WeightedCoefficient,
    level: Level,
    grouping: Grouping,
    over: Over,
) -> Method:
    """Return the method asked for, else the one whose intervals cover best of those there are."""
    if method is not None:
        return method
    smooth = is_function_of_sums(coefficient, _arrangement_of(level, grouping, over))
    return "studentised" if smooth else "percentile"


def _arrangement_of(level: Level, grouping: Grouping, over: Over) -> Arrangement:
    if level == "segment":
        return ROWS.get((over, grouping), "pooled")
    return "column means" if over == "segments" else "pooled"


def correlation_signature(
    statistic: str,
    coefficient: WeightedCoefficient,
    level: Level,
    grouping: Grouping,
    over: str,
    method: Method,
    bootstrap: Bootstrap,
    variant: Variant,
) -> str:
    """Name a resampled correlation; raise ValueError if the coefficient is unknown."""
    if coefficient not in get_args(WeightedCoefficient):
        raise ValueError(f"unknown coefficient: {coefficient}")
    parts = bootstrap.variant(over, level_as="confidence")
    parts |= {"level": level, "interval": method, "cells": "both"}
    if level == "segment":
        parts["group"] = grouping
    if lies_low(level, over):
        parts |= CENTRED
    return signature(f"{coefficient} {statistic}", **{**parts, **variant})


def lies_low(level: str, over: str) -> bool:
    """Say whether draws lie below the value, being correlations of means with the noise twice."""
    return "annotators" in over or (level == "system" and over == "segments")


def centring(coefficient: str, level: str, over: str) -> Scale | None:
    """Return the scale on which draws of a correlation are centred; None where they are not."""
    if not lies_low(level, over):
        return None
    return "fisher" if coefficient == "pearson" else "plain"


def by_units(
    scores: FloatArray,
    judgements: FloatArray,
    coefficient: WeightedCoefficient,
    level: Level,
    grouping: Grouping,
    over: Over,
) -> tuple[WeightedStatistic, int]:
    """Return the statistic of unit weights and the number of units."""
    first, second, arrangement = arranged(scores, judgements, level, grouping, over)
    return weighted_correlation(first, second, coefficient, arrangement), first.shape[0]


def arranged(
    scores: FloatArray, judgements: FloatArray, level: Level, grouping: Grouping, over: Over
) -> tuple[FloatArray, FloatArray, Arrangement]:
    """Lay both sides out with one row per unit drawn; say which correlation of them is meant."""
    if level == "segment":
        if over == "systems":
            scores, judgements = scores.T, judgements.T
    elif over == "systems":
        both = np.isfinite(scores) & np.isfinite(judgements)
        counts = np.where(both.any(axis=0), both.sum(axis=0), np.nan)
        scores, judgements = (
            (np.where(both, side, 0.0).sum(axis=0) / counts)[:, None]
            for side in (scores, judgements)
        )
    return scores, judgements, _arrangement_of(level, grouping, over)


def no_variation(level: Level) -> str:
    """Say why a correlation is undefined."""
    return f"the metric's or human scores do not vary at {level} level"
