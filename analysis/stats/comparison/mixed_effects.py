"""Systems compared by a linear mixed model of single ratings, fitted by restricted likelihood."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import FloatArray, IntArray, is_constant, long_form
from analysis.stats.comparison.crossed_effects import (
    TERMS,
    Chosen,
    CrossedSystem,
    Crossing,
    Term,
    chosen_terms,
    minimise,
)
from analysis.stats.results import Estimate, Interval, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, signature


@dataclass(frozen=True, slots=True)
class LinearFit:
    """A fitted model: effects with their covariance, deviations of the terms, residual variance.

    `slope` is the largest slope of the restricted log-likelihood that is left.
    """

    effects: FloatArray
    covariance: FloatArray
    scales: FloatArray
    residual: float
    log_likelihood: float
    slope: float


def fit_linear(
    value: FloatArray, design: FloatArray, crossing: Crossing, present: Sequence[Term]
) -> LinearFit:
    """Fit a linear model with crossed random intercepts by restricted maximum likelihood.

    Parameters
    ----------
    value : ndarray, shape (n_ratings,)
    design : ndarray, shape (n_ratings, effects)
        Of full rank, with a constant among the sums of its columns.
    crossing : Crossing
    present : sequence of Term
        Whose variance is fitted; the others' is zero.
    """
    centre, spread = float(value.mean()), float(value.std())
    profile = _Profile(crossing, design, (value - centre) / spread)
    found = minimise(profile.evaluate, np.empty(0), present)
    residual, inverse, effects = profile.at(found.scales)[:3]
    constant = np.linalg.lstsq(design, np.full(len(value), centre), rcond=None)[0]
    # The likelihood of standardised ratings is that of the ratings but for their scale.
    likelihood = -found.value - profile.freedom * math.log(spread)
    return LinearFit(
        effects * spread + constant,
        residual * inverse * spread**2,
        found.scales * math.sqrt(residual) * spread,
        residual * spread**2,
        likelihood,
        float(np.abs(found.gradient).max(initial=0.0)),
    )


class _Profile:
    """The restricted likelihood as a function of the terms' deviations over the residual's."""

    def __init__(self, crossing: Crossing, design: FloatArray, value: FloatArray) -> None:
        self.crossing = crossing
        self.columns = np.column_stack([design, value])
        self.products = self.columns.T @ self.columns
        self.sums = crossing.gathered(self.columns, np.ones(len(TERMS)))
        self.weights = np.ones(len(value))
        self.freedom = len(value) - design.shape[1]

    def at(
        self, scales: FloatArray
    ) -> tuple[float, FloatArray, FloatArray, CrossedSystem, FloatArray, FloatArray]:
        """Return residual variance, inverse products, effects, and what they were made of."""
        system = self.crossing.system(self.weights, scales)
        right = self.sums * np.repeat(scales, self.crossing.sizes)[:, None]
        solved = system.solve(right)
        products = self.products - right.T @ solved
        inverse = np.linalg.inv(products[:-1, :-1])
        effects = inverse @ products[:-1, -1]
        residual = float(products[-1, -1] - products[-1, :-1] @ effects) / self.freedom
        residual = max(residual, np.finfo(float).tiny)
        return residual, np.asarray(inverse), effects, system, solved, products

    def evaluate(
        self, fixed: FloatArray, scales: FloatArray
    ) -> tuple[float, FloatArray, FloatArray]:
        """Return minus the restricted log-likelihood and its slopes in log scales."""
        residual, inverse, effects, system, solved, products = self.at(scales)
        value = system.log_determinant + np.linalg.slogdet(products[:-1, :-1])[1]
        value += self.freedom * (1 + math.log(2 * math.pi * residual))
        # What random effects predict for the design, and for ratings less the design's part.
        of_design, modes = solved[:, :-1], solved[:, -1] - solved[:, :-1] @ effects
        each = 1 - system.inverse_diagonal - modes**2 / residual
        each -= np.einsum("ij,jk,ik->i", of_design, inverse, of_design)
        slopes = np.array([each[part].sum() for part in self.crossing.parts])
        return float(value) / 2, fixed, slopes


FAR_FROM_FLAT = 1e-2
"""Largest slope of the criterion, per log standard deviation, at which a fit has converged."""
Model = Literal["linear", "cumulative-link"]


@dataclass(frozen=True, slots=True)
class MixedModel:
    """Systems by a mixed model of ratings.

    Parameters
    ----------
    model : {"linear", "cumulative-link"}
    differences : tuple of Estimate
        Of the systems (0, 1), (0, 2), …, (1, 2), …: the first less the second, in points of the
        scale or, of a cumulative-link model, as log odds ratio, with Wald interval and p-value and
        the standard error among the details; ``n`` counts ratings.
    variances : mapping of str to float or None
        Of each random term, None for one that is not there, and of the residual; a cumulative-link
        model has none, since that of the logistic distribution is π²/3.
    levels : mapping of str to int
        Outputs, segments and annotators.
    thresholds : tuple of float
        Of a cumulative-link model, at the mean of the systems' effects.
    log_likelihood : float
        Restricted, or of Laplace's approximation.
    details : mapping
        Ratings that entered, missing ones, and how far the fit is from its maximum.
    signature : str
    """

    model: Model
    differences: tuple[Estimate, ...]
    variances: Mapping[str, float | None]
    levels: Mapping[str, int]
    thresholds: tuple[float, ...]
    log_likelihood: float
    details: Mapping[str, Any]
    signature: str


def mixed_effects(
    value: npt.ArrayLike,
    system: npt.ArrayLike,
    annotator: npt.ArrayLike,
    segment: npt.ArrayLike,
    *,
    terms: Sequence[Term] = TERMS,
    level: float = 0.95,
    variant: Variant = NO_VARIANT,
) -> MixedModel | Undefined:
    """Fit rating = mean of its system + annotator + segment + output + residual.

    Effects of systems are fixed; annotators, segments and outputs (a system's text for a segment)
    are independent random samples with normal effects, as are the residuals. Variances maximise the
    restricted likelihood, profiled as by Bates et al. (2015); intervals and p-values are Wald's,
    from the normal distribution. A term that the design cannot tell from another one is left out:
    outputs that were rated once, one annotator, segments with one rating each. Baayen et al.
    (2008).

    Parameters
    ----------
    value : array_like of float, shape (n_ratings,)
        NaN where missing.
    system, annotator, segment : array_like of int, shape (n_ratings,)
        Of each rating, from 0.
    terms : sequence of {"outputs", "segments", "annotators"}
        Random effects to take where they can be estimated.
    level : float
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    MixedModel or Undefined
        Undefined with fewer than two systems, with equal ratings, where a system's effect cannot
        be told from that of its annotators or segments, or where the fit does not converge.

    Raises
    ------
    ValueError
        If lengths differ, an index is negative, or a value infinite.
    """
    name = signature(
        "linear-mixed-model",
        confidence=level,
        estimation="reml",
        terms="+".join(terms) or "none",
        **variant,
    )
    ratings = read_ratings(value, system, annotator, segment, terms, name)
    if isinstance(ratings, Undefined):
        return ratings
    design = np.eye(ratings.systems)[ratings.system]
    fit = fit_linear(ratings.value, design, ratings.chosen.crossing, ratings.chosen.present)
    if fit.residual <= 1e-12 * ratings.value.var():
        reason = "the model fits every rating exactly, so no error can be estimated"
        return ratings.undefined(reason)
    if not fit.slope < FAR_FROM_FLAT:
        return ratings.undefined("the fit of the mixed model did not converge")
    return MixedModel(
        "linear",
        wald_differences(fit.effects, fit.covariance, ratings, level),
        ratings.variances(fit.scales) | {"residual": fit.residual},
        ratings.chosen.levels,
        (),
        fit.log_likelihood,
        {"ratings": len(ratings.value), "missing": ratings.missing, "slope": fit.slope},
        name,
    )


@dataclass(frozen=True, slots=True)
class Ratings:
    """Checked ratings with the random effects that they allow."""

    value: FloatArray
    system: IntArray
    systems: int
    chosen: Chosen
    missing: int
    signature: str

    def variances(self, scales: FloatArray) -> dict[str, float | None]:
        """Return the variance of each term, None for one that is not there."""
        return {
            term: float(scale**2) if term in self.chosen.present else None
            for term, scale in zip(TERMS, scales, strict=True)
        }

    def undefined(self, reason: str) -> Undefined:
        """Return why there is no model of these ratings."""
        return Undefined(reason, len(self.value), "ratings", self.signature)


def read_ratings(
    value: npt.ArrayLike,
    system: npt.ArrayLike,
    annotator: npt.ArrayLike,
    segment: npt.ArrayLike,
    terms: Sequence[Term],
    name: str,
) -> Ratings | Undefined:
    """Check ratings, leave missing ones out and choose the random effects; see `mixed_effects`."""
    values, codes = long_form(value, system, annotator, segment)
    present = np.isfinite(values)
    values = values[present]
    systems, raters, segments = (each[present] for each in codes)
    count = int(systems.max(initial=-1)) + 1
    if count < 2 or np.unique(systems).size < count:
        reason = "two systems with ratings are needed" if count < 2 else "a system has no ratings"
        return Undefined(reason, len(values), "ratings", name)
    chosen = chosen_terms(systems, raters, segments, terms)
    ratings = Ratings(values, systems, count, chosen, int((~present).sum()), name)
    if len(values) <= count:
        return ratings.undefined("more ratings than systems are needed")
    if is_constant(values):
        return ratings.undefined("all ratings are equal")
    if chosen.confounded:
        shared = "have one output each" if chosen.confounded == "outputs" else "do not share "
        shared += "" if chosen.confounded == "outputs" else chosen.confounded
        reason = f"systems {shared}, so their differences cannot be told from those of "
        return ratings.undefined(reason + chosen.confounded)
    return ratings


def wald_differences(
    effects: FloatArray, covariance: FloatArray, ratings: Ratings, level: float
) -> tuple[Estimate, ...]:
    """Return every two effects' difference with its Wald interval and p-value."""
    first, second = np.triu_indices(len(effects), 1)
    gaps = effects[first] - effects[second]
    own = np.diag(covariance)
    errors = np.sqrt(own[first] + own[second] - 2 * covariance[first, second])
    half = float(scipy.stats.norm.ppf((1 + level) / 2)) * errors
    p_values = 2 * scipy.stats.norm.sf(np.abs(gaps) / errors)
    return tuple(
        Estimate(
            float(gap),
            len(ratings.value),
            "ratings",
            ratings.signature,
            p_value=float(p_value),
            interval=Interval(float(gap - width), float(gap + width), level, "Wald"),
            details={"test": "Wald z", "standard_error": float(error)},
        )
        for gap, width, p_value, error in zip(gaps, half, p_values, errors, strict=True)
    )
