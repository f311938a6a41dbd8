"""How well any metric could do, given how well raters agree: ceiling, correction, baselines."""

import math
from dataclasses import replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.stats.agreement.reliability import RatedSegments
from analysis.stats.arrays import FloatArray, Level, as_matrix
from analysis.stats.correlation.pearson import Coefficient, correlate
from analysis.stats.correlation.weighted_correlation import correlation_of_sums
from analysis.stats.resampling.bootstrap import (
    CENTRED,
    STANDARD_BOOTSTRAP,
    Bootstrap,
    interval_of_draws,
)
from analysis.stats.resampling.resampled_sums import (
    ResampledResult,
    SumStatistic,
    alone,
    resampled_alone,
)
from analysis.stats.results import Estimate, Result, Undefined, with_details
from analysis.stats.signature import NO_VARIANT, Variant, signature


def pearson_ceiling(
    ratings: npt.ArrayLike | RatedSegments,
    *,
    k: float | None = None,
    level: Level = "segment",
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
    variant: Variant = NO_VARIANT,
) -> Result:
    """The highest Pearson's r with the mean of k ratings that noise in the ratings allows.

    √ρ_k: a metric that equalled the mean of endlessly many raters would correlate so with the mean
    of k. At segment level ρ_k follows from ρ₁ = ICC(1) of the outputs by Spearman and Brown; at
    system level it is the reliability of system means, 1 − (noise of the means) / (their variance),
    segments being fixed.

    Parameters
    ----------
    ratings : array_like, shape (segments, systems, raters), or RatedSegments
        NaN where missing; columns are mere slots.
    k : float, optional
        Ratings per output. Default: the harmonic mean of those there are. Segment level only.
    level : {"segment", "system"}
    bootstrap : Bootstrap
        Segments are drawn with replacement. At system level the reliability of each draw is freed
        of the bias that drawing brings (`analysis.stats.agreement.reliability.system_reliability`).
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    Estimate or Undefined
        ``details["reliability"]`` is ρ_k. Draws in which it is not above zero are degenerate.

    Raises
    ------
    ValueError
        If ratings have not three dimensions, or k is below 1 or given at system level.
    """
    if level not in ("segment", "system") or (k is not None and (k < 1 or level == "system")):
        raise ValueError(f"unknown level, or k below 1 or given at system level: {level}, {k}")
    parts = bootstrap.variant("segments", level_as="confidence")
    rated = RatedSegments.of(ratings)
    if level == "system":
        parts["draws"] = "unbiased"
    name = signature("pearson-ceiling", **{**parts, "level": level, "k": k, **variant})
    if not rated.counts.any():
        return Undefined("there are no ratings", 0, "outputs", name)
    per_output = rated.ratings_per_output() if k is None else k
    reliability = rated.resampled_reliability(bootstrap, level, k=per_output)
    return resampled_alone(
        _of_reliability(rated, reliability, per_output, bootstrap, name), bootstrap
    )


def corrected_steps(
    metric: npt.ArrayLike,
    ratings: npt.ArrayLike | RatedSegments,
    *,
    level: Level = "segment",
    bootstrap: Bootstrap = STANDARD_BOOTSTRAP,
    variant: Variant = NO_VARIANT,
) -> ResampledResult:
    """Pearson's r with the mean ratings, corrected for the ratings' noise: r / √ρ_k.

    An estimate of the correlation with endlessly many raters (Spearman 1904). It is not capped: a
    value beyond 1 says that chance, or dependence between raters, is at work. In each draw of
    segments both r and ρ_k are computed anew; at system level, where draws lie low, the
    interval encloses that of the draws centred (`analysis.stats.resampling.bootstrap`).

    Parameters
    ----------
    metric : array_like, shape (segments, systems)
        NaN where missing; oriented.
    ratings : array_like, shape (segments, systems, raters), or RatedSegments
        Of many metrics best the latter: what they share is then computed once.
    level, bootstrap, variant
        As in `pearson_ceiling`.

    Returns
    -------
    Estimate or Undefined
        ``details`` has "correlation" and "reliability", both over outputs that the metric scored.
    """
    rated = RatedSegments.of(ratings)
    scores = as_matrix(metric, "metric")
    if scores.shape != rated.counts.shape or level not in ("segment", "system"):
        raise ValueError(f"metric is {scores.shape}, ratings are {rated.counts.shape}, at {level}")
    rated = rated.of_outputs(np.isfinite(scores))
    parts = bootstrap.variant("segments", level_as="confidence")
    if level == "system":
        parts |= CENTRED
    name = signature("corrected-pearson", **{**parts, "level": level, **variant})
    if not rated.counts.any():
        return Undefined("no output has both a metric score and a rating", 0, "outputs", name)
    arrangement: Literal["pooled", "column means"] = (
        "pooled" if level == "segment" else "column means"
    )
    r = correlation_of_sums(scores, rated.means, "pearson", arrangement)
    per_output = rated.ratings_per_output()
    result = yield from _of_reliability(
        rated,
        rated.resampled_reliability(bootstrap, level, k=per_output, as_drawn=True),
        per_output,
        bootstrap,
        name,
        r,
        centred=level == "system",
    )
    if isinstance(result, Undefined):
        return result
    correlation = float(r(np.ones((1, scores.shape[0])))[0])
    return with_details(replace(result, raters=None), correlation=correlation)


corrected_correlation = alone(corrected_steps)


def leave_one_annotator_out(
    ratings: npt.ArrayLike | RatedSegments,
    coefficient: Coefficient = "pearson",
    *,
    variant: Variant = NO_VARIANT,
) -> Result:
    """Mean correlation of each annotator with the mean of the others: a human baseline.

    It is not a ceiling: the others' mean rests on one rater fewer, and a metric is no rater. A
    metric above it agrees with the panel better than the average annotator does.

    Parameters
    ----------
    ratings : array_like, shape (segments, systems, annotators), or RatedSegments
        One column per annotator, NaN where missing.
    coefficient : {"pearson", "spearman", "kendall-tau-b", "kendall-tau-c"}
        Over outputs pooled.
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    Estimate or Undefined
        ``details["annotators"]`` holds each one's correlation, None where undefined.
    """
    name = signature(f"leave-one-annotator-out {coefficient}", group="none", **variant)
    rated = RatedSegments.of(ratings)
    totals = np.nansum(rated.values, axis=2)
    each: list[float | None] = []
    for annotator in range(rated.values.shape[2]):
        own = rated.values[:, :, annotator]
        shared = np.isfinite(own) & (rated.counts > 1)
        others = (totals[shared] - own[shared]) / (rated.counts[shared] - 1)
        result = correlate(own[shared], others, coefficient, unit="common outputs")
        each.append(result.value if isinstance(result, Estimate) else None)
    known = [value for value in each if value is not None]
    if not known:
        reason = "no annotator shares enough varied outputs with others"
        return Undefined(reason, len(each), "annotators", name, {"annotators": each})
    return Estimate(
        float(np.mean(known)),
        n=len(known),
        unit="annotators",
        signature=name,
        details={"annotators": each, "lowest": min(known), "highest": max(known)},
    )


def _of_reliability(
    rated: RatedSegments,
    reliability: tuple[float, FloatArray],
    per_output: float,
    bootstrap: Bootstrap,
    name: str,
    r: SumStatistic | None = None,
    *,
    centred: bool = False,
) -> ResampledResult:
    """Return r over the root of a reliability, or without r that root itself."""
    outputs = int((rated.counts > 0).sum())
    rho, of_draws = reliability
    facts = {"ratings_per_output": per_output, "outputs_rated_twice": int((rated.counts > 1).sum())}
    if not math.isfinite(rho):
        reason = "the ratings are not reliable: their noise is as large as what they tell apart"
        if not (rated.counts > 1).any():
            reason = "no output was rated twice"
        return Undefined(reason, outputs, "outputs", name, facts)
    value, draws = math.sqrt(rho), np.sqrt(of_draws)
    if r is not None:
        value = float(r(np.ones((1, len(rated.counts))))[0]) / value
        if not math.isfinite(value):
            return Undefined("the metric's scores do not vary", outputs, "outputs", name, facts)
        draws = (yield r) / draws
    interval, drawn = interval_of_draws(
        draws, value, bootstrap, "segments", scale="plain" if centred else None
    )
    return Estimate(
        value,
        n=outputs,
        unit="outputs",
        signature=name,
        raters=int(rated.counts.max()),
        interval=interval,
        details={**facts, "reliability": rho, **drawn},
    )
