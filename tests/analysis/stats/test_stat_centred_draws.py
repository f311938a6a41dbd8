"""Draws of system means lie low: intervals enclose their value and cover the truth all the same."""

import numpy as np
import pytest

from analysis.stats.agreement.noise_ceiling import corrected_correlation, pearson_ceiling
from analysis.stats.comparison.paired_bootstrap import bootstrap_differences
from analysis.stats.correlation.annotator_bootstrap import (
    bootstrap_over_annotators,
    tau_like_over_annotators,
)
from analysis.stats.correlation.correlation_bootstrap import bootstrap_correlation
from analysis.stats.correlation.system_accuracy import pairwise_system_accuracy
from analysis.stats.resampling.bootstrap import Bootstrap, centred_draws
from analysis.stats.results import Result
from tests.fixtures.estimates import estimate

FEW = Bootstrap(200)


def encloses(result: Result) -> bool:
    found = estimate(result)
    return found.interval.low <= found.value <= found.interval.high


def study(systems, segments, raters, *, noise, skewed=False, missing=0.0, seed=1):
    """Return noise-free scores and ratings; systems are the same whatever the seed."""
    rng = np.random.default_rng([seed, 3])
    quality = 0.6 * np.random.default_rng(5).normal(size=systems)
    truth = quality + rng.normal(0, 0.6, (segments, 1)) + rng.normal(0, 0.3, (segments, systems))
    ratings = truth[:, :, None] + rng.normal(0, noise, (*truth.shape, raters))
    if skewed:
        truth, ratings = np.exp(truth), np.exp(ratings)
    ratings[rng.random(ratings.shape) < missing] = np.nan
    return truth, ratings


@pytest.mark.parametrize(
    ("systems", "missing", "noise", "skewed"),
    [
        (3, 0.0, 1.0, False),
        (3, 0.0, 0.01, True),
        (12, 0.3, 0.3, True),
        pytest.param(80, 0.0, 0.01, False, marks=pytest.mark.nightly),
        (80, 0.0, 1.0, True),
    ],
)
def test_value_and_interval_agree_on_skewed_and_nearly_perfect_ratings(
    systems, missing, noise, skewed
):
    truth, ratings = study(systems, 60, 6, noise=noise, skewed=skewed, missing=missing)
    human = np.nanmean(ratings, axis=2)
    rng = np.random.default_rng(8)
    metrics = [truth + rng.normal(0, size, truth.shape) for size in (noise, 1.0)]
    assert encloses(pearson_ceiling(ratings, level="system", bootstrap=FEW))
    for metric in (truth, *metrics):
        assert encloses(corrected_correlation(metric, ratings, level="system", bootstrap=FEW))
        assert encloses(pairwise_system_accuracy(metric, human, bootstrap=FEW))
        for method in ("percentile", "bca", "studentised"):
            drawn = bootstrap_correlation(
                metric, human, level="system", method=method, bootstrap=FEW
            )
            assert encloses(drawn), method
        for coefficient in ("spearman", "kendall-tau-b"):
            assert encloses(
                bootstrap_correlation(metric, human, coefficient, level="system", bootstrap=FEW)
            )
        for over in ("annotators", "segments and annotators"):
            assert encloses(bootstrap_over_annotators(metric, ratings, over=over, bootstrap=FEW))
        assert encloses(tau_like_over_annotators(metric, ratings, bootstrap=FEW))
    (pair,) = bootstrap_differences(metrics, human, level="system", bootstrap=FEW)
    assert encloses(pair.result)


def test_centred_draws_keep_gaps_order_and_missing_ones():
    draws = np.array([0.1, np.nan, 0.3, 0.2])
    moved = centred_draws(draws, 0.5)
    np.testing.assert_allclose(moved, [0.4, np.nan, 0.6, 0.5])
    np.testing.assert_allclose(centred_draws(draws, 0.95, bounds=(0, 1))[2], 1.0)
    z = centred_draws(draws, 0.9, scale="fisher")
    np.testing.assert_allclose(
        np.arctanh(z[[0, 2, 3]]) - np.arctanh(draws[[0, 2, 3]]), np.arctanh(0.9) - np.arctanh(0.2)
    )
    assert np.isnan(centred_draws(np.array([np.nan]), 0.5)).all()
