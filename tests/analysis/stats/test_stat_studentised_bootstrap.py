"""Studentised intervals: standard errors by finite differences, draws by copied data."""

import numpy as np
import pytest
import scipy

from analysis.stats.correlation.correlation_bootstrap import bootstrap_correlation
from analysis.stats.correlation.metric_correlation import segment_level
from analysis.stats.correlation.weighted_correlation import (
    correlation_with_gradient,
    weighted_correlation,
)
from analysis.stats.resampling.bootstrap import Bootstrap, multiplicities

ARRANGEMENTS = ("pooled", "by row", "by column", "column means")


def study(segments=14, systems=5, *, missing=0.1, seed=1):
    rng = np.random.default_rng(seed)
    human = rng.normal(3, 2, (segments, systems)) + np.arange(systems)
    metric = 100 + human + rng.normal(0, 2, human.shape)
    metric[rng.random(metric.shape) < missing] = np.nan
    return metric, human


def error_by_differences(statistic, weights, step=1e-6):
    """Influence of each unit by a small change of its weight; the sum of squares with weights."""
    influences = []
    for unit in range(weights.size):
        up, down = weights.copy(), weights.copy()
        up[unit] += step
        down[unit] -= step
        influences.append((statistic(up[None])[0] - statistic(down[None])[0]) / (2 * step))
    n = weights.sum()
    return np.sqrt((weights * np.square(influences)).sum() * n / (n - 1))


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_value_and_error_of_a_draw_are_those_of_the_weighted_correlation(arrangement):
    metric, human = study()
    function = correlation_with_gradient(metric, human, "pearson", arrangement)
    statistic = weighted_correlation(metric, human, "pearson", arrangement)
    weights = np.random.default_rng(3).integers(0, 4, (6, 14)).astype(float)
    values, errors = function.with_errors(weights)
    np.testing.assert_allclose(values, statistic(weights), rtol=1e-9)
    expected = [error_by_differences(statistic, draw) for draw in weights]
    np.testing.assert_allclose(errors, expected, rtol=1e-5)


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall-tau-b"])
def test_mean_over_segments_is_studentised_by_the_standard_error_of_a_mean(coefficient):
    metric, human = study(segments=20, missing=0)
    how = Bootstrap(200, seed=4)
    result = bootstrap_correlation(
        metric, human, coefficient, grouping="segment", method="studentised", bootstrap=how
    )
    values = np.array(
        [
            segment_level(metric[[row]], human[[row]], coefficient, bootstrap=None).value
            for row in range(20)
        ]
    )
    ts = []
    for weights in multiplicities(np.ones(20), how):
        for draw in weights.astype(int):
            copies = np.repeat(values, draw)
            error = scipy.stats.sem(copies) / (1 - copies.mean() ** 2)
            ts.append((np.arctanh(copies.mean()) - np.arctanh(values.mean())) / error)
    centre = np.arctanh(values.mean())
    error = scipy.stats.sem(values) / (1 - values.mean() ** 2)
    expected = np.tanh(centre - error * np.quantile(ts, [0.975, 0.025]))
    assert result.value == pytest.approx(values.mean())
    np.testing.assert_allclose([result.interval.low, result.interval.high], expected)
    assert result.details["standard_error"] == pytest.approx(scipy.stats.sem(values))


def test_segments_that_are_all_alike_give_no_interval():
    metric, human = (np.tile(side, (5, 1)) for side in ([1.0, 2.0, 4.0], [1.0, 3.0, 3.0]))
    result = bootstrap_correlation(metric, human, grouping="segment", method="studentised")
    assert result.interval is None
    assert "no standard error" in result.details["no_interval_because"]
    perfect = bootstrap_correlation(human, human, method="studentised")
    assert perfect.value == pytest.approx(1)
    assert perfect.interval is None
