"""Cumulative-link mixed models: published values, statsmodels, quadrature, simulation."""

import numpy as np
import pytest
import scipy
from scipy.special import expit
from statsmodels.miscmodels.ordinal_model import OrderedModel

from analysis.stats.comparison.crossed_effects import Crossing
from analysis.stats.comparison.cumulative_link import cumulative_link_effects, fit_cumulative_link
from analysis.stats.comparison.mixed_effects import MixedModel
from analysis.stats.results import Undefined
from tests.fixtures.crossed_ratings import crossed_ratings

WINE = "212323121 323232122 313343223 432232232 425332233 435234332 554535234 544334344"
"""Bitterness of wine from 8 bottles (two each: cold; cold, contact; warm; warm, contact) by nine
judges: Randall (1989)."""


def wine():
    """Return categories, design (warm, contact), bottles and judges."""
    ratings = np.array([list(map(int, bottle)) for bottle in WINE.split()])
    bottle, judge = (each.ravel() for each in np.indices(ratings.shape))
    design = np.column_stack([bottle >= 4, bottle // 2 % 2]).astype(float)
    return ratings.ravel() - 1, design, bottle, judge


def fitted(*ratings, **more) -> MixedModel:
    model = cumulative_link_effects(*ratings, **more)
    assert isinstance(model, MixedModel), model
    return model


def study(segments=20, systems=3, annotators=5, each=2, seed=0, deviations=(0.0, 1.0, 0.7)):
    """Return value, system, annotator and segment; each system is 0.5 above the one before."""
    rng = np.random.default_rng(seed)
    latent, *codes = crossed_ratings(rng, segments, systems, annotators, each, deviations, 0.5)
    latent += rng.logistic(size=len(latent))
    return np.digitize(latent, [-1.5, 0.0, 1.0, 2.5]) + 1.0, *codes


def test_the_wine_of_randall_gives_the_published_fit():
    """Christensen (2019), `clmm(rating ~ temp + contact + (1 | judge))` of the package ordinal."""
    category, design, bottle, judge = wine()
    crossing = Crossing(np.zeros_like(judge), np.zeros_like(judge), judge)
    fit = fit_cumulative_link(category, design, crossing, ("annotators",))
    assert fit.effects == pytest.approx([3.0630, 1.8349], abs=5e-5)
    assert np.sqrt(np.diag(fit.covariance)) == pytest.approx([0.5954, 0.5125], abs=1e-4)
    assert fit.thresholds == pytest.approx([-1.6237, 1.5134, 4.2285, 6.0888], abs=5e-5)
    assert fit.scales[2] ** 2 == pytest.approx(1.279, abs=5e-4)
    assert fit.log_likelihood == pytest.approx(-81.57, abs=5e-3)
    # The bottles add nothing: their variance is zero, and all else stays.
    both = Crossing(np.zeros_like(judge), bottle, judge)
    more = fit_cumulative_link(category, design, both, ("segments", "annotators"))
    assert more.scales[1] == 0.0
    assert more.effects == pytest.approx(fit.effects, abs=1e-5)


def test_without_random_effects_it_is_statsmodels_ordered_model():
    ratings = study(deviations=(0.0, 0.0, 0.0))
    category, design = ratings[0].astype(int) - 1, np.eye(3)[ratings[1]][:, 1:]
    other = OrderedModel(category, design, distr="logit").fit(method="bfgs", disp=0, gtol=1e-8)
    mine = fitted(*ratings, terms=())
    assert mine.log_likelihood == pytest.approx(other.llf, abs=1e-6)
    errors = np.asarray(other.bse)
    for difference, place in zip(mine.differences[:2], range(2), strict=True):
        assert -difference.value == pytest.approx(other.params[place], abs=1e-4)
        assert difference.details["standard_error"] == pytest.approx(errors[place], rel=1e-3)
        assert difference.p_value == pytest.approx(other.pvalues[place], rel=5e-3)
    ends = other.model.transform_threshold_params(np.asarray(other.params))[1:-1]
    centred = ends - np.mean([0.0, *other.params[:2]])
    assert mine.thresholds == pytest.approx(centred, abs=1e-3)


def test_the_likelihood_is_laplaces_as_computed_with_dense_matrices():
    value, system, annotator, segment = study(4, 2, 3, 2)
    category = np.unique(value, return_inverse=True)[1]
    design = np.eye(2)[system][:, 1:]
    codes = segment * 2 + system, segment, annotator
    terms = ("outputs", "segments", "annotators")
    fit = fit_cumulative_link(category, design, Crossing(*codes), terms)
    indicators = np.concatenate([np.eye(each.max() + 1)[each] for each in codes], axis=1)
    scaled = indicators * np.repeat(fit.scales, [8, 4, 3])
    ends = np.concatenate([[-np.inf], fit.thresholds, [np.inf]])

    def penalised(effects):
        predictor = design @ fit.effects + scaled @ effects
        shares = expit(ends[category + 1] - predictor) - expit(ends[category] - predictor)
        return effects @ effects / 2 - np.log(shares).sum()

    found = scipy.optimize.minimize(penalised, np.zeros(15), options={"gtol": 1e-9})
    step = 1e-3 * np.eye(15)
    second = np.array(
        [
            [
                penalised(found.x + a + b)
                - penalised(found.x + a - b)
                - penalised(found.x - a + b)
                + penalised(found.x - a - b)
                for a in step
            ]
            for b in step
        ]
    )
    laplace = -found.fun - np.linalg.slogdet(second / 4e-6)[1] / 2
    assert fit.log_likelihood == pytest.approx(laplace, abs=1e-4)


def test_systems_that_ratings_separate_have_no_finite_difference():
    lowest = (1, 1, 3)
    _, system, annotator, segment = study()
    value = np.array(lowest)[system] + np.random.default_rng(0).integers(0, 2, len(system))
    value = np.where(system == 2, lowest[2] + 1, np.minimum(value, lowest[2]))
    result = cumulative_link_effects(value, system, annotator, segment)
    assert isinstance(result, Undefined)
    assert "separate" in result.reason
