"""Agreement of simulated ratings: closed forms against other packages."""

import numpy as np
import pandas as pd
import pingouin
import pytest

from demo.simulator import Annotator, crossed_design, simulate_scale
from tests.fixtures.expected_ratings import (
    expected_icc,
    expected_mean_squares,
    icc1_of_variances,
    score_moments,
)

ITEMS = 4_000
SCALE = (0.0, 100.0)
MEAN, VARIANCE = 55.0, 144.0
EQUAL = [Annotator(noise=9)] * 4
SEVERE = [Annotator(severity=shift, noise=9) for shift in (-8, -2, 3, 10)]
CARELESS = [
    Annotator(severity=4, noise=6, carelessness=0.1),
    Annotator(noise=12, scale_use=0.6, carelessness=0.3),
    Annotator(severity=-5, noise=9),
]


def simulated(annotators: list[Annotator], seed: int = 8) -> np.ndarray:
    drawn = np.random.default_rng(seed).normal(size=(ITEMS, 1))
    true = MEAN + np.sqrt(VARIANCE) * (drawn - drawn.mean()) / drawn.std()
    design = crossed_design(ITEMS, len(annotators))
    return simulate_scale(true, annotators, design, SCALE, 0, seed).value.reshape(ITEMS, -1)


@pytest.fixture(params=[EQUAL, SEVERE, CARELESS], ids=["equal", "severe", "careless"])
def annotators(request):
    return request.param


def test_means_and_covariances_of_simulated_scores_are_the_expected_ones(annotators):
    scores = simulated(annotators)
    moments = score_moments(annotators, MEAN, VARIANCE, SCALE)
    standard_error = np.sqrt(np.diag(moments.covariance) / ITEMS)
    assert np.all(np.abs(scores.mean(axis=0) - moments.mean) < 4 * standard_error)
    variances = np.diag(moments.covariance)
    standard_error = np.sqrt((np.outer(variances, variances) + moments.covariance**2) / ITEMS)
    assert np.all(np.abs(np.cov(scores.T) - moments.covariance) < 4 * standard_error)


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pandas, inside pingouin
def test_pingouin_finds_the_expected_intraclass_correlations(annotators):
    scores = simulated(annotators)
    long = pd.DataFrame(scores).rename_axis("item").reset_index().melt("item", var_name="rater")
    table = pingouin.intraclass_corr(long, "item", "rater", "value")
    moments = score_moments(annotators, MEAN, VARIANCE, SCALE)
    raters = len(annotators)
    expected = [
        expected_icc(moments, ITEMS, form, mean_of) for mean_of in (1, raters) for form in (1, 2, 3)
    ]
    np.testing.assert_allclose(table["ICC"], expected, atol=0.03)


def test_with_equal_annotators_the_crossed_form_is_the_ratio_of_variances():
    moments = score_moments(EQUAL, MEAN, VARIANCE, SCALE)
    for form in (1, 2, 3):
        assert expected_icc(moments, ITEMS, form) == pytest.approx(VARIANCE / (VARIANCE + 81))
    assert icc1_of_variances(VARIANCE, 0, 81) == pytest.approx(VARIANCE / (VARIANCE + 81))


def test_severity_lowers_agreement_but_not_consistency():
    equal, severe = (score_moments(group, MEAN, VARIANCE, SCALE) for group in (EQUAL, SEVERE))
    assert expected_icc(severe, ITEMS, 1) < expected_icc(equal, ITEMS, 1) - 0.1
    assert expected_icc(severe, ITEMS, 3) == pytest.approx(expected_icc(equal, ITEMS, 3))


def test_one_way_variances_are_recovered_where_every_rating_has_its_own_annotator():
    draws = np.random.default_rng(9)
    severities = draws.normal(0, 7, ITEMS * 3)
    crowd = [Annotator(severity=severity, noise=9) for severity in severities]
    true = draws.normal(MEAN, 12, (ITEMS, 1))
    design = np.repeat(np.eye(200, dtype=bool), 3, axis=1)
    scores = np.vstack(
        [
            simulate_scale(
                true[start : start + 200],
                crowd[3 * start : 3 * (start + 200)],
                design,
                SCALE,
                0,
                seed=start,
            ).value.reshape(200, 3)
            for start in range(0, ITEMS, 200)
        ]
    )
    between = 3 * scores.mean(axis=1).var(ddof=1)
    within = scores.var(axis=1, ddof=1).mean()
    estimate = (between - within) / (between + 2 * within)
    assert estimate == pytest.approx(icc1_of_variances(144, 49, 81), abs=0.04)


def test_expected_mean_squares_refuse_a_single_annotator():
    moments = score_moments(EQUAL[:1], MEAN, VARIANCE, SCALE)
    with pytest.raises(ValueError, match="two annotators"):
        expected_mean_squares(moments, ITEMS)


def test_unknown_forms_are_refused():
    moments = score_moments(EQUAL, MEAN, VARIANCE, SCALE)
    with pytest.raises(ValueError, match="forms"):
        expected_icc(moments, ITEMS, form=4)
    with pytest.raises(ValueError, match="mean_of"):
        expected_icc(moments, ITEMS, mean_of=2)
