"""Which correlation is resampled over which units, and the intervals of values and differences."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, Grouping, Level, metric_and_human
from analysis.stats.correlation.weighted_correlation import (
    Arrangement,
    WeightedCoefficient,
    WeightedStatistic,
    correlation_with_gradient,
    is_function_of_sums,
    studentised_draws,
    weighted_correlation,
)
from analysis.stats.resampling.bootstrap import (
    CENTRED,
    STANDARD_BOOTSTRAP,
    Bootstrap,
    CentringScale,
    bca_interval,
    bootstrap_draws,
    centred_draws,
    enclosing,
    interval_of_draws,
    jackknife,
    percentile_interval,
)
from analysis.stats.resampling.resampled_sums import SumStatistic
from analysis.stats.results import Estimate, Interval, Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, VariantValue, signature

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


class ResampledStatistic(Protocol):
    """A correlation with human scores under weights of the units that are resampled.

    Its signature begins with the name and holds the parts. Draws are centred on the scale; None
    where they are not.
    """

    @property
    def over(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def parts(self) -> dict[str, VariantValue]: ...
    @property
    def scale(self) -> CentringScale | None: ...
    @property
    def no_variation(self) -> str: ...
    def statistic(self, scores: FloatArray, judgements: FloatArray) -> WeightedStatistic: ...
    def cells_per_unit(self, cells: int) -> int: ...


@dataclass(frozen=True, slots=True)
class ResampledCorrelation:
    """Which correlation with human scores is resampled over which units.

    Parameters
    ----------
    coefficient : {"pearson", "spearman", "kendall-tau-b"}
    level : {"segment", "system"}
    grouping : {"none", "segment", "system"}
    over : str
        What is drawn: segments, systems, annotators, or annotators and segments.

    Raises
    ------
    ValueError
        If a choice is unknown.
    """

    coefficient: WeightedCoefficient = "pearson"
    level: Level = "segment"
    grouping: Grouping = "none"
    over: str = "segments"

    def __post_init__(self) -> None:
        if self.coefficient not in get_args(WeightedCoefficient):
            raise ValueError(f"unknown coefficient: {self.coefficient}")
        for value, known in ((self.level, get_args(Level)), (self.grouping, get_args(Grouping))):
            if value not in known:
                raise ValueError(f"unknown variant: {value}")

    @property
    def name(self) -> str:
        """The coefficient."""
        return self.coefficient

    @property
    def parts(self) -> dict[str, VariantValue]:
        """Level and grouping."""
        grouped: dict[str, VariantValue] = {"group": self.grouping}
        return {"level": self.level, "cells": "both"} | (grouped if self.level == "segment" else {})

    @property
    def arrangement(self) -> Arrangement:
        """Which correlation of matrices with one row per unit drawn is meant."""
        if self.level == "segment":
            return ROWS["systems" if self.over == "systems" else "segments", self.grouping]
        return "pooled" if self.over == "systems" else "column means"

    @property
    def best_method(self) -> Method:
        """The method whose intervals cover best of those there are."""
        smooth = is_function_of_sums(self.coefficient, self.arrangement)
        return "studentised" if smooth else "percentile"

    @property
    def scale(self) -> CentringScale | None:
        """The scale on which draws are centred; None where they are not."""
        if not lies_low(self.level, self.over):
            return None
        return "fisher" if self.coefficient == "pearson" else "plain"

    @property
    def no_variation(self) -> str:
        """Why the correlation is undefined."""
        return f"the metric's or human scores do not vary at {self.level} level"

    def signature(
        self, statistic: str, method: Method, bootstrap: Bootstrap, variant: Variant
    ) -> str:
        """Name the correlation, or another statistic of it, with an interval by resampling."""
        if method not in get_args(Method):
            raise ValueError(f"unknown variant: {method}")
        parts = bootstrap.variant(self.over, level_as="confidence") | {"interval": method}
        if self.scale:
            parts |= CENTRED
        return signature(f"{self.name} {statistic}", **{**parts, **self.parts, **variant})

    def arranged(self, scores: FloatArray, judgements: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Lay both sides out with one row per unit drawn."""
        if self.over == "systems" and self.level == "segment":
            return scores.T, judgements.T
        if self.over == "systems":
            both = np.isfinite(scores) & np.isfinite(judgements)
            counts = np.where(both.any(axis=0), both.sum(axis=0), np.nan)
            scores, judgements = (
                (np.where(both, side, 0.0).sum(axis=0) / counts)[:, None]
                for side in (scores, judgements)
            )
        return scores, judgements

    def statistic(self, scores: FloatArray, judgements: FloatArray) -> WeightedStatistic:
        """Return the correlation as a function of weights of units."""
        first, second = self.arranged(scores, judgements)
        return weighted_correlation(first, second, self.coefficient, self.arrangement)

    def cells_per_unit(self, cells: int) -> int:
        """Pearson's r needs sums of units only; ranks and pairs every cell of every draw."""
        return 1 if self.coefficient == "pearson" else max(1, 4 * cells)


def units_drawn(kind: ResampledStatistic, scores: FloatArray) -> int:
    """Return how many units of a segments × systems matrix are resampled."""
    return int(scores.shape[1 if kind.over == "systems" else 0])


def lies_low(level: str, over: str) -> bool:
    """Say whether draws lie below the value, being correlations of means with the noise twice."""
    return "annotators" in over or (level == "system" and over == "segments")


def bootstrap_correlation(
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    coefficient: WeightedCoefficient = "pearson",
    *,
    level: Level = "segment",
    grouping: Grouping = "none",
    over: Over = "segments",
    method: Method | None = None,
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
    variant: Variant = NO_VARIANT,
) -> Result:
    """Correlation with human scores, with an interval by resampling segments or systems.

    Resamples are count weights, drawn in blocks; no data are copied per draw. A copy of a unit is
    tied with itself, as in the resampled data.

    Parameters
    ----------
    metric, human : array_like, shape (segments, systems)
        NaN where missing; a cell enters where both are present.
    coefficient : {"pearson", "spearman", "kendall-tau-b"}
    level : {"segment", "system"}
        Scores of outputs, or system means.
    grouping : {"none", "segment", "system"}
        At segment level: pooled, or the mean over groups.
    over : {"segments", "systems"}
        What is drawn with replacement. With few systems the interval is too narrow, see
        ``docs/statistics/coverage.md``.
    method : {"percentile", "bca", "studentised"}, optional
        Default: studentised, which covers best, where the correlation depends on sums over units
        only (Pearson, and means over the units drawn); else percentile.
    bootstrap : Bootstrap
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    Estimate or Undefined
        ``n`` counts the units drawn; ``details["degenerate_draws"]`` the draws without a value.

    Raises
    ------
    ValueError
        If shapes differ, a variant is unknown, or there is no studentised interval.
    """
    kind = ResampledCorrelation(coefficient, level, grouping, over)
    method = method or kind.best_method
    name = kind.signature("correlation", method, bootstrap, variant)
    scores, judgements, _ = metric_and_human(metric, human)
    if method == "studentised":
        return _studentised(kind, scores, judgements, bootstrap, name)
    return with_interval(kind, scores, judgements, method, bootstrap, name)


def crossing_p_value(draws: FloatArray) -> float:
    """Return min(1, 2 (c + 1) / (k + 1)), c of k good draws lying on the rarer side of zero."""
    good = draws[np.isfinite(draws)]
    smaller = min(int((good <= 0).sum()), int((good >= 0).sum()))
    return min(1.0, 2 * (smaller + 1) / (good.size + 1))


def estimate_of_difference(
    first: float,
    second: float,
    draws: FloatArray,
    bootstrap: Bootstrap,
    *,
    n: int,
    over: str,
    name: str,
    centred: bool,
    paired: bool = True,
) -> Estimate:
    """Return the difference of two correlations with the interval and p-value of its draws.

    Centred, of both the draws and the draws centred, whichever is wider and larger.
    """
    value = first - second
    interval, facts = interval_of_draws(
        draws, value, bootstrap, over, scale="plain" if centred else None
    )
    p_value = crossing_p_value(draws)
    if centred:
        p_value = max(p_value, crossing_p_value(centred_draws(draws, value)))
    return Estimate(
        value,
        n=n,
        unit=over,
        signature=name,
        p_value=p_value,
        interval=interval,
        details={
            "first": first,
            "second": second,
            **facts,
            "test": f"difference = 0, {'paired' if paired else 'independent'} bootstrap",
        },
    )


def with_interval(
    kind: ResampledStatistic,
    scores: FloatArray,
    judgements: FloatArray,
    method: Method,
    bootstrap: Bootstrap,
    name: str,
) -> Result:
    """Return a correlation with its value and its interval.

    Parameters
    ----------
    kind : ResampledStatistic
    scores, judgements : ndarray, shape (segments, systems)
    method : {"percentile", "bca"}
        Of one whose draws are centred: enclosing the centred interval.
    bootstrap : Bootstrap
    name : str
        Signature.
    """
    over, n_units = kind.over, units_drawn(kind, scores)
    if not n_units:
        return Undefined(f"there are no {over}", 0, over, name)
    statistic = kind.statistic(scores, judgements)
    observed = float(statistic(np.ones((1, n_units)))[0])
    if not np.isfinite(observed):
        return Undefined(kind.no_variation, n_units, over, name)
    # Of each draw sums make nothing for each unit but the weight: draws come in large blocks.
    of_sums = isinstance(statistic, SumStatistic)
    per_unit = 1 if of_sums else kind.cells_per_unit(scores.size // n_units)
    draws = bootstrap_draws(np.ones(n_units), statistic, bootstrap, per_unit)
    left_out = jackknife(n_units, statistic, per_unit) if method == "bca" else np.empty(0)

    def limits(of: FloatArray) -> tuple[Interval | None, int]:
        if method == "bca":
            return bca_interval(of, observed, left_out, bootstrap, over)
        return percentile_interval(of, bootstrap, over)

    interval, degenerate = limits(draws)
    if kind.scale is not None:
        moved = centred_draws(draws, observed, scale=kind.scale, bounds=(-1.0, 1.0))
        interval = enclosing(interval, limits(moved)[0])
    return Estimate(
        observed,
        n=n_units,
        unit=over,
        signature=name,
        interval=interval,
        details={"resamples": bootstrap.resamples, "degenerate_draws": degenerate},
    )


def _studentised(
    kind: ResampledCorrelation,
    scores: FloatArray,
    judgements: FloatArray,
    bootstrap: Bootstrap,
    name: str,
) -> Result:
    sides, over = kind.arranged(scores, judgements), kind.over
    function = correlation_with_gradient(*sides, kind.coefficient, kind.arrangement)
    n_units = function.n_units
    if not n_units:
        return Undefined(f"there are no {over}", 0, over, name)
    observed = float(function.statistic(np.ones((1, n_units)))[0])
    if not np.isfinite(observed):
        return Undefined(kind.no_variation, n_units, over, name)
    draws = studentised_draws(function, bootstrap)
    interval = draws.interval(bootstrap.level, over)
    if kind.scale:
        interval = enclosing(interval, draws.centred().interval(bootstrap.level, over))
    details: dict[str, object] = {
        "resamples": bootstrap.resamples,
        "degenerate_draws": draws.degenerate,
        "standard_error": float(function.with_errors(np.ones((1, n_units)))[1][0]),
    }
    if interval is None:
        details["no_interval_because"] = f"the {over} give no standard error"
    return Estimate(observed, n_units, over, name, interval=interval, details=details)
