"""Systems compared by a cumulative-link mixed model of ordinal ratings."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import FloatArray, IntArray
from analysis.stats.comparison.crossed_effects import TERMS, Crossing, Minimum, Term, minimise
from analysis.stats.comparison.mixed_effects import MixedModel, read_ratings, wald_differences
from analysis.stats.results import Undefined
from analysis.stats.signature import NO_VARIANT, Variant, signature

FAR_FROM_MAXIMUM = 1e-3
"""Log-likelihood that a Newton step would still gain, above which a fit has not converged."""
SUSPICIOUS = 12.0
"""Odds of e¹² between two systems mean that an effect is on its way to infinity."""
STEP = 1e-4
"""For second derivatives, by differences of the slopes."""
NEWTON_STEPS = 100


def cumulative_link_effects(
    value: npt.ArrayLike,
    system: npt.ArrayLike,
    annotator: npt.ArrayLike,
    segment: npt.ArrayLike,
    *,
    terms: Sequence[Term] = TERMS,
    level: float = 0.95,
    variant: Variant = NO_VARIANT,
) -> MixedModel | Undefined:
    """Fit log odds(rating > k) = effect of its system + annotator + segment + output − threshold k.

    The proportional-odds model with crossed random intercepts: effects of systems are fixed, those
    of annotators, segments and outputs are independent and normal. The likelihood is Laplace's
    approximation, as in `clmm` of the R package ordinal (Christensen 2019; Tutz and Hennevogl
    1996); it is less exact where a level of a term has few ratings. Start values are those of
    statsmodels' `OrderedModel`. Parameters are as in `mixed_effects`; categories that nobody chose
    do not enter.

    Returns
    -------
    MixedModel or Undefined
        As `mixed_effects`; undefined too where ratings separate the systems, so that an effect
        would grow without bound.

    Raises
    ------
    ValueError
        As `mixed_effects`.
    """
    name = signature(
        "cumulative-link-mixed-model",
        confidence=level,
        approximation="laplace",
        link="logit",
        terms="+".join(terms) or "none",
        **variant,
    )
    ratings = read_ratings(value, system, annotator, segment, terms, name)
    if isinstance(ratings, Undefined):
        return ratings
    categories, category = np.unique(ratings.value, return_inverse=True)
    design = np.eye(ratings.systems)[ratings.system][:, 1:]
    fit = fit_cumulative_link(category, design, ratings.chosen.crossing, ratings.chosen.present)
    effects = np.concatenate([[0.0], fit.effects])
    if np.ptp(effects) > SUSPICIOUS:
        return ratings.undefined("the ratings separate systems: an effect would grow without bound")
    if not fit.gain < FAR_FROM_MAXIMUM:
        return ratings.undefined("the fit of the mixed model did not converge")
    covariance = np.zeros((len(effects), len(effects)))
    covariance[1:, 1:] = fit.covariance
    return MixedModel(
        "cumulative-link",
        wald_differences(effects, covariance, ratings, level),
        ratings.variances(fit.scales),
        ratings.chosen.levels,
        tuple((fit.thresholds - effects.mean()).tolist()),
        fit.log_likelihood,
        {
            "ratings": len(ratings.value),
            "missing": ratings.missing,
            "categories": len(categories),
            "gain": fit.gain,
        },
        name,
    )


@dataclass(frozen=True, slots=True)
class CumulativeLink:
    """A fitted model: thresholds, effects with their covariance, and scales of random terms.

    `gain` is the log-likelihood that one more Newton step would add; NaN where the second
    derivatives are not those of a maximum.
    """

    thresholds: FloatArray
    effects: FloatArray
    covariance: FloatArray
    scales: FloatArray
    log_likelihood: float
    gain: float


def fit_cumulative_link(
    category: IntArray, design: FloatArray, crossing: Crossing, present: Sequence[Term]
) -> CumulativeLink:
    """Fit a proportional-odds model with crossed random intercepts.

    Parameters
    ----------
    category : ndarray of int, shape (n_ratings,)
        From 0, each with a rating.
    design : ndarray, shape (n_ratings, effects)
        Without a constant.
    crossing : Crossing
    present : sequence of Term
        Whose variance is fitted; the others' is zero.

    Returns
    -------
    CumulativeLink
    """
    laplace = _Laplace(category, design, crossing)
    found = minimise(laplace.evaluate, _start(category, design), present)
    gain, covariance = _curvature(laplace, found)
    cuts = laplace.cuts
    return CumulativeLink(
        _thresholds(found.fixed[:cuts]),
        found.fixed[cuts:],
        covariance[cuts : cuts + design.shape[1], cuts : cuts + design.shape[1]],
        found.scales,
        -found.value,
        gain,
    )


def _start(category: IntArray, design: FloatArray) -> FloatArray:
    """Return thresholds (the first, then logs of gaps) and effects without random terms."""
    from statsmodels.miscmodels.ordinal_model import OrderedModel

    fitted = OrderedModel(category, design, distr="logit").fit(
        method="bfgs", disp=0, skip_hessian=1
    )
    effects, cuts = np.split(np.asarray(fitted.params), [design.shape[1]])
    return np.concatenate([cuts, effects])


def _thresholds(free: FloatArray) -> FloatArray:
    """Return thresholds from the first and the logs of the gaps."""
    return np.asarray(free[0] + np.concatenate([[0.0], np.cumsum(np.exp(free[1:]))]))


def _curvature(laplace: "_Laplace", found: Minimum) -> tuple[float, FloatArray]:
    """Return what a Newton step from the minimum would gain, and the covariance there."""
    logs = np.log(np.where(found.positive, found.scales, 1.0))
    at = np.concatenate([found.fixed, logs[found.positive]])

    def slopes(place: FloatArray) -> FloatArray:
        scales = np.zeros(len(TERMS))
        scales[found.positive] = np.exp(place[len(found.fixed) :])
        _, of_fixed, of_logs = laplace.evaluate(place[: len(found.fixed)], scales)
        return np.concatenate([of_fixed, of_logs[found.positive]])

    moves = STEP * np.eye(len(at))
    second = np.array([(slopes(at + move) - slopes(at - move)) / (2 * STEP) for move in moves])
    second = (second + second.T) / 2
    here = slopes(at)
    if not np.isfinite(second).all() or np.linalg.eigvalsh(second)[0] <= 0:
        return float("nan"), np.full(second.shape, np.nan)
    covariance = np.linalg.inv(second)
    return float(here @ covariance @ here) / 2, covariance


class _Laplace:
    """Minus the log-likelihood by Laplace's approximation, with its exact slopes.

    Where random effects are v, scaled to variance 1, it is g(v) + ½ log|H| at the v that minimises
    g(v) = ½ v'v − Σ log P(category), with H the second derivatives of g.
    """

    def __init__(self, category: IntArray, design: FloatArray, crossing: Crossing) -> None:
        self.category, self.design, self.crossing = category, design, crossing
        self.cuts = int(category.max())
        self.modes = np.zeros(sum(crossing.sizes))

    def evaluate(
        self, fixed: FloatArray, scales: FloatArray
    ) -> tuple[float, FloatArray, FloatArray]:
        """Return the criterion and its slopes in thresholds and effects, and in log scales."""
        crossing, design = self.crossing, self.design
        thresholds = _thresholds(fixed[: self.cuts])
        ends = np.concatenate([[-np.inf], thresholds, [np.inf]])
        of_design = design @ fixed[self.cuts :]
        lower, upper = ends[self.category] - of_design, ends[self.category + 1] - of_design
        # From the parameters themselves: a narrow gap between far ends would be lost in rounding.
        gap = np.concatenate([[np.inf], np.exp(fixed[1 : self.cuts]), [np.inf]])[self.category]
        modes = self.modes = _modes(lower, upper, crossing, scales, self.modes)
        shift = crossing.spread(modes, scales)
        below, above = scipy.special.expit(lower - shift), scipy.special.expit(upper - shift)
        at_below, at_above = below * (1 - below), above * (1 - above)
        weight, slope = at_below + at_above, above + below - 1
        system = crossing.system(weight, scales)
        value = -(_log_odds(lower - shift, upper - shift) + np.log(-np.expm1(-gap))).sum()
        value += (modes @ modes + system.log_determinant) / 2
        bent_below, bent_above = (1 - 2 * below) * at_below, (1 - 2 * above) * at_above
        half = system.predictor_variances() / 2
        # How the determinant changes with each predictor, and what moves the modes with it.
        turned = -half * (bent_below + bent_above)
        pull = system.solve(crossing.gathered(turned, scales))
        pulled = crossing.spread(pull, scales)
        rest = np.exp(-gap) / -np.expm1(-gap)
        by_upper = half * bent_above + pulled * at_above - (1 - above) - rest
        by_lower = half * bent_below + pulled * at_below + below + rest
        of_cuts = np.bincount(self.category, by_upper, self.cuts + 1)[:-1]
        of_cuts += np.bincount(self.category, by_lower, self.cuts + 1)[1:]
        after = np.cumsum(of_cuts[::-1])[::-1]
        of_free = np.concatenate([after[:1], after[1:] * np.exp(fixed[1 : self.cuts])])
        bend = turned - weight * pulled
        of_effects = design.T @ (bend - slope)
        one = np.ones(len(TERMS))
        each = modes * (pull - modes) + 1 - system.inverse_diagonal
        each += modes * crossing.gathered(bend, one) * np.repeat(scales, crossing.sizes)
        of_logs = np.array([each[part].sum() for part in crossing.parts])
        return float(value), np.concatenate([of_free, of_effects]), of_logs


def _log_odds(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return log(F(upper) − F(lower)) of the logistic F, less log(1 − e^(lower − upper))."""
    return np.asarray(
        scipy.special.log_expit(upper) + scipy.special.log_expit(-lower), dtype=np.float64
    )


def _modes(
    lower: FloatArray, upper: FloatArray, crossing: Crossing, scales: FloatArray, start: FloatArray
) -> FloatArray:
    """Return the random effects of largest penalised likelihood, by Newton's method."""

    def penalised(modes: FloatArray) -> tuple[float, FloatArray]:
        shift = crossing.spread(modes, scales)
        return modes @ modes / 2 - _log_odds(lower - shift, upper - shift).sum(), shift

    modes = start
    value, shift = penalised(modes)
    for _ in range(NEWTON_STEPS):
        below, above = scipy.special.expit(lower - shift), scipy.special.expit(upper - shift)
        slopes = modes - crossing.gathered(above + below - 1, scales)
        weight = below * (1 - below) + above * (1 - above)
        step = crossing.system(weight, scales).solve(slopes)
        gain = float(slopes @ step)
        if gain < 1e-14:
            break
        size = 1.0
        while True:
            tried = modes - size * step
            new, shift = penalised(tried)
            if new <= value or size < 1e-4:
                break
            size /= 2
        modes, value = tried, new
    return modes
