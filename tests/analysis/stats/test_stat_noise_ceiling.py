"""Ceilings and human baselines: against ICC, against what was put in, against simulation."""

import numpy as np
import pytest

from analysis.stats.agreement.intraclass import intraclass_correlation
from analysis.stats.agreement.noise_ceiling import (
    corrected_correlation,
    leave_one_annotator_out,
    pearson_ceiling,
)
from analysis.stats.agreement.reliability import split_halves
from analysis.stats.correlation.metric_correlation import system_level
from analysis.stats.correlation.tau_like import tau_like
from analysis.stats.resampling.bootstrap import Bootstrap
from tests.fixtures.estimates import estimate

FEW = Bootstrap(200)


def study(segments=60, systems=5, raters=3, *, noise=1.0, missing=0.0, seed=1):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=(segments, systems)) + rng.normal(0, 0.5, systems)
    ratings = truth[:, :, None] + rng.normal(0, noise, (segments, systems, raters))
    ratings[rng.random(ratings.shape) < missing] = np.nan
    return truth, ratings


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_ceiling_is_the_root_of_the_stepped_up_icc(missing):
    _, ratings = study(missing=missing)
    icc = estimate(intraclass_correlation(ratings.reshape(-1, 3), "ICC(1,1)", columns="slots"))
    for k in (1, 3, 7.5):
        rho = k * icc.value / (1 + (k - 1) * icc.value)
        result = estimate(pearson_ceiling(ratings, k=k, bootstrap=FEW))
        assert result.value == pytest.approx(rho**0.5)
    counts = np.isfinite(ratings).sum(axis=2)
    harmonic = 1 / (1 / counts[counts > 0]).mean()
    assert estimate(pearson_ceiling(ratings)).details["ratings_per_output"] == pytest.approx(
        harmonic
    )


def test_system_level_uses_the_noise_of_system_means():
    reached, foretold, corrected = [], [], []
    for seed in range(40):
        truth, ratings = study(segments=6, systems=30, noise=3.0, seed=seed)
        reached.append(estimate(system_level(truth, ratings.mean(axis=2))).value)
        foretold.append(estimate(pearson_ceiling(ratings, level="system", bootstrap=FEW)).value)
        corrected.append(
            estimate(corrected_correlation(truth, ratings, level="system", bootstrap=FEW)).value
        )
    assert np.mean(foretold) == pytest.approx(np.mean(reached), abs=0.04)
    assert np.mean(corrected) == pytest.approx(1, abs=0.06)


def test_corrected_correlation_divides_and_is_never_capped():
    truth, ratings = study(missing=0.2)
    metric = truth + np.random.default_rng(2).normal(0, 0.7, truth.shape)
    metric[4, 2] = np.nan
    result = estimate(corrected_correlation(metric, ratings, bootstrap=FEW))
    details = result.details
    assert result.value == pytest.approx(details["correlation"] / details["reliability"] ** 0.5)
    assert result.interval.low < result.value < result.interval.high
    values = [
        estimate(corrected_correlation(*study(segments=15, seed=seed), bootstrap=FEW)).value
        for seed in range(20)
    ]
    assert max(values) > 1


def test_each_annotator_is_correlated_with_the_mean_of_the_others():
    _, ratings = study(missing=0.2)
    result = estimate(leave_one_annotator_out(ratings))
    own, others = ratings[:, :, 1], ratings[:, :, [0, 2]]
    counts = np.isfinite(others).sum(axis=2)
    mean = np.where(counts > 0, np.nansum(others, axis=2) / np.maximum(counts, 1), np.nan)
    both = np.isfinite(own + mean)
    assert result.details["annotators"][1] == pytest.approx(
        np.corrcoef(own[both], mean[both])[0, 1]
    )
    assert result.value == pytest.approx(np.mean(result.details["annotators"]))


def test_halves_are_those_with_the_lowest_random_keys_of_all_raters():
    _, ratings = study(segments=30, systems=4, raters=9, missing=0.5)
    seen = []

    def record(one, other):
        seen.append((one, other))
        return tau_like(one, other, bootstrap=None)

    [alone] = split_halves(ratings, [record], splits=4, seed=3)
    generator = np.random.default_rng(3)
    half = (np.isfinite(ratings).sum(axis=2) // 2)[:, :, None]
    for one, other in seen:
        keys = np.where(np.isnan(ratings), np.inf, generator.random(ratings.shape))
        places = keys.argsort(axis=2).argsort(axis=2)
        for mean, chosen in ((one, places < half), (other, (places >= half) & (places < 2 * half))):
            sums = np.where(chosen, ratings, 0.0).sum(axis=2)
            expected = np.where(half[:, :, 0] > 0, sums / np.maximum(half[:, :, 0], 1), np.nan)
            np.testing.assert_allclose(mean, expected, rtol=1e-14)
    # Several statistics see the same splits.
    assert split_halves(ratings, [record, record], splits=4, seed=3) == [alone, alone]
    assert len(seen) == 12
