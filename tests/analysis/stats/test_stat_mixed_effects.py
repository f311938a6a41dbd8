"""Linear mixed models: published values, statsmodels, analysis of variance, dense algebra."""

import itertools
import math
from functools import cache

import numpy as np
import pytest
from statsmodels.regression.mixed_linear_model import MixedLM, VCSpec

from analysis.stats.comparison.crossed_effects import TERMS, Crossing
from analysis.stats.comparison.mixed_effects import MixedModel, fit_linear, mixed_effects
from analysis.stats.results import Undefined
from tests.fixtures.crossed_ratings import crossed_ratings

PENICILLIN = """
27 23 26 23 23 21  27 23 26 23 23 21  25 21 25 24 24 20  26 23 25 23 23 20
25 22 26 22 23 20  24 22 25 23 22 19  24 20 23 21 22 19  26 22 26 24 24 21
24 21 24 22 22 20  24 21 24 23 22 19  26 23 26 24 24 21  25 22 26 24 24 20
26 24 26 24 25 22  26 23 26 23 23 20  26 23 25 24 24 22  25 22 25 23 23 20
25 21 24 23 23 20  25 22 24 23 23 19  24 21 23 21 21 19  26 23 26 24 24 21
25 21 24 22 22 18  25 22 25 22 22 20  24 21 24 22 24 19  24 21 24 22 21 18
"""
"""Zones of inhibition in mm, 24 plates × 6 samples: Davies and Goldsmith (1972), section 6.6."""


def fitted(*ratings, **more) -> MixedModel:
    model = mixed_effects(*ratings, **more)
    assert isinstance(model, MixedModel), model
    return model


def study(segments=12, systems=3, annotators=5, each=2, seed=0, deviations=(0.7, 1.0, 0.5)):
    """Return value, system, annotator and segment of ratings, some of them missing."""
    rng = np.random.default_rng(seed)
    value, *codes = crossed_ratings(rng, segments, systems, annotators, each, deviations, 0.3)
    value += rng.normal(size=len(value))
    value[[3, 17]] = np.nan
    return value, *codes


@cache
def theirs(seed: int):
    """Return statsmodels' fit of a study, with all three terms in one group."""
    value, system, annotator, segment = study(seed=seed)
    known = np.isfinite(value)
    terms = {"annotators": annotator, "outputs": segment * 3 + system, "segments": segment}
    dummies = [[np.eye(codes.max() + 1)[codes[known]]] for codes in terms.values()]
    names = [[[str(n) for n in range(each[0].shape[1])]] for each in dummies]
    design = np.eye(3)[system[known]]
    model = MixedLM(
        value[known], design, np.ones(known.sum()), exog_vc=VCSpec(list(terms), names, dummies)
    )
    return model.fit(reml=True)


@pytest.mark.parametrize("seed", [0, 3])
def test_all_numbers_are_those_of_statsmodels(seed):
    mine, other = fitted(*study(seed=seed)), theirs(seed)
    found = [mine.variances[term] for term in sorted(TERMS)]
    assert found == pytest.approx(other.vcomp, rel=5e-3)
    assert mine.variances["residual"] == pytest.approx(other.scale, rel=5e-3)
    assert mine.log_likelihood == pytest.approx(other.llf, abs=1e-5)
    covariance = other.cov_params()[:3, :3]
    pairs = itertools.combinations(range(3), 2)
    for difference, (i, j) in zip(mine.differences, pairs, strict=True):
        error = math.sqrt(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j])
        assert difference.value == pytest.approx(other.fe_params[i] - other.fe_params[j], abs=1e-4)
        assert difference.details["standard_error"] == pytest.approx(error, rel=5e-3)
        assert difference.interval.high - difference.value == pytest.approx(1.959964 * error, 5e-3)
    assert mine.details["missing"] == 2
    assert mine.differences[0].n == 70


def test_crossed_terms_have_the_deviations_that_lme4_is_known_for():
    """Bates (2010), section 2.1: plates and samples of penicillin as crossed random effects."""
    value = np.array(PENICILLIN.split(), dtype=float)
    plate, sample = np.repeat(np.arange(24), 6), np.tile(np.arange(6), 24)
    crossing = Crossing(np.zeros_like(plate), plate, sample)
    fit = fit_linear(value, np.ones((144, 1)), crossing, ("segments", "annotators"))
    assert fit.effects[0] == pytest.approx(22.9722, abs=5e-5)
    assert math.sqrt(fit.covariance[0, 0]) == pytest.approx(0.8086, abs=5e-5)
    deviations = [*fit.scales[1:], math.sqrt(fit.residual)]
    assert deviations == pytest.approx([0.8467, 1.9316, 0.5499], abs=5e-5)
    assert -2 * fit.log_likelihood == pytest.approx(330.8606, abs=5e-5)


def test_terms_that_cannot_be_told_apart_are_left_out():
    value, system, annotator, segment = study(10, 3, 4, 1)
    assert fitted(value, system, annotator, segment).variances["outputs"] is None
    alone = fitted(value, system, np.zeros_like(system), segment)
    assert alone.variances["annotators"] is None
    assert alone.levels["annotators"] == 1
    both = fitted(value, system, segment, segment)
    assert both.variances["annotators"] is None
    assert both.variances["segments"] is not None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda v, s, a, g: (v, np.zeros_like(s), a, g), "two systems"),
        (lambda v, s, a, g: (v, s * 2, a, g), "has no ratings"),
        (lambda v, s, a, g: (v * 0 + 3, s, a, g), "all ratings are equal"),
        (lambda v, s, a, g: (v, s, s, g), "do not share annotators"),
        (lambda v, s, a, g: (v, s, a, g * 0), "have one output each"),
        (lambda v, s, a, g: (v[1:3], s[1:3], a[1:3], g[1:3]), "more ratings than systems"),
        (lambda v, s, a, g: (s * 1.0, s, a, g), "fits every rating exactly"),
    ],
)
def test_what_no_model_can_say_is_undefined(change, reason):
    result = mixed_effects(*change(*study()))
    assert isinstance(result, Undefined)
    assert reason in result.reason


@pytest.mark.parametrize("scales", [(0.7, 1.3, 0.5), (0.0, 1.3, 0.5), (0.7, 0.0, 0.0)])
def test_the_elimination_by_terms_is_that_of_the_dense_matrix(scales):
    rng = np.random.default_rng(2)
    _, system, annotator, segment = study(7, 3, 4, 2)
    crossing = Crossing(segment * 3 + system, segment, annotator)
    weights, deviations = rng.uniform(0.1, 2, len(system)), np.array(scales)
    indicators = np.concatenate(
        [np.eye(n)[codes] for codes, n in zip(crossing.codes, crossing.sizes, strict=True)], axis=1
    )
    scaled = indicators * np.repeat(deviations, crossing.sizes)
    dense = scaled.T @ (weights[:, None] * scaled) + np.eye(scaled.shape[1])
    inverse, found = np.linalg.inv(dense), crossing.system(weights, deviations)
    assert found.log_determinant == pytest.approx(np.linalg.slogdet(dense)[1])
    np.testing.assert_allclose(found.solve(np.eye(len(dense))), inverse, atol=1e-12)
    np.testing.assert_allclose(found.inverse_diagonal, np.diag(inverse), atol=1e-12)
    np.testing.assert_allclose(
        found.predictor_variances(), np.diag(scaled @ inverse @ scaled.T), atol=1e-12
    )
    np.testing.assert_allclose(
        crossing.gathered(weights, deviations), scaled.T @ weights, atol=1e-12
    )
    effects = rng.normal(size=len(dense))
    np.testing.assert_allclose(crossing.spread(effects, deviations), scaled @ effects, atol=1e-12)


@pytest.mark.nightly
def test_intervals_cover_and_false_alarms_stay_near_their_level():
    studies, covered, alarms = 600, 0, 0
    for seed in range(studies):
        value, system, annotator, segment = study(25, 3, 6, 2, seed=seed)
        model = fitted(value, system, annotator, segment)
        interval = model.differences[1].interval
        covered += interval.low <= -0.6 <= interval.high
        equal = fitted(value - 0.3 * system, system, annotator, segment)
        alarms += equal.differences[0].p_value <= 0.05
    deviation = math.sqrt(0.05 * 0.95 / studies)
    assert abs(covered / studies - 0.95) <= 3 * deviation
    assert abs(alarms / studies - 0.05) <= 3 * deviation
