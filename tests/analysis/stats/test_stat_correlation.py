"""Correlations at both levels against SciPy, with gaps, groups and constant groups."""

import numpy as np
import pytest
from scipy import stats

from analysis.stats.correlation.metric_correlation import segment_level, system_level, system_means
from analysis.stats.correlation.pearson import COEFFICIENTS, correlate
from analysis.stats.results import Undefined
from tests.fixtures.estimates import estimate

SCIPY = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall-tau-b": stats.kendalltau,
    "kendall-tau-c": lambda x, y: stats.kendalltau(x, y, variant="c"),
}


def matrices(seed: int, segments: int = 30, systems: int = 6) -> tuple[np.ndarray, np.ndarray]:
    """Human ratings and a metric with ties and gaps."""
    rng = np.random.default_rng(seed)
    human = rng.integers(1, 6, (segments, systems)).astype(float)
    metric = np.round(human + rng.normal(0, 1.5, human.shape))
    metric[rng.random(human.shape) < 0.1] = np.nan
    human[rng.random(human.shape) < 0.1] = np.nan
    return metric, human


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("seed", [1, 2])
def test_pooled_coefficients_and_p_values_equal_scipy(coefficient, seed) -> None:
    metric, human = matrices(seed)
    both = np.isfinite(metric) & np.isfinite(human)
    oracle = SCIPY[coefficient](metric[both], human[both])
    result = estimate(segment_level(metric, human, coefficient))
    assert result.value == pytest.approx(oracle.statistic)
    assert result.p_value == pytest.approx(oracle.pvalue)
    assert (result.n, result.unit) == (both.sum(), "outputs")


@pytest.mark.parametrize("grouping", ["segment", "system"])
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("seed", [1, 2])
def test_grouped_coefficients_are_means_over_the_groups_that_vary(
    coefficient, grouping, seed
) -> None:
    metric, human = matrices(seed, segments=40, systems=4)
    metric[3], human[5] = 2.0, 4.0
    groups = zip(metric, human, strict=True)
    if grouping == "system":
        groups = zip(metric.T, human.T, strict=True)
    values, constant, small = [], 0, 0
    for x, y in groups:
        both = np.isfinite(x) & np.isfinite(y)
        if both.sum() < 2:
            small += 1
        elif np.ptp(x[both]) == 0 or np.ptp(y[both]) == 0:
            constant += 1
        else:
            values.append(SCIPY[coefficient](x[both], y[both]).statistic)
    result = estimate(segment_level(metric, human, coefficient, grouping=grouping))
    assert result.value == pytest.approx(np.mean(values))
    assert result.n == len(values)
    assert result.details["constant_groups_left_out"] == constant
    assert result.details["small_groups_left_out"] == small
    assert result.p_value == pytest.approx(stats.ttest_1samp(values, 0).pvalue)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_system_level_correlates_means_over_cells_where_both_are_present(coefficient) -> None:
    metric, human = matrices(4)
    both = np.isfinite(metric) & np.isfinite(human)
    x = [metric[both[:, column], column].mean() for column in range(6)]
    y = [human[both[:, column], column].mean() for column in range(6)]
    oracle = SCIPY[coefficient](x, y)
    result = estimate(system_level(metric, human, coefficient))
    assert result.value == pytest.approx(oracle.statistic)
    assert result.p_value == pytest.approx(oracle.pvalue)
    assert (result.n, result.unit) == (6, "systems")
    assert result.details["cells"] == both.sum()


def test_interval_at_system_level_is_scipys_fisher_interval() -> None:
    metric, human = matrices(6, systems=12)
    result = estimate(system_level(metric, human))
    x, y, _ = system_means(metric, human)
    oracle = stats.pearsonr(x, y).confidence_interval(0.95)
    assert (result.interval.low, result.interval.high) == pytest.approx((oracle.low, oracle.high))


def test_a_tiny_scale_or_a_far_offset_does_not_hide_a_correlation() -> None:
    x = np.arange(10.0)
    y = np.array([2, 1, 4, 3, 6, 5, 8, 7, 10, 9.0])
    plain = estimate(correlate(x, y)).value
    assert estimate(correlate(x * 1e-30, y)).value == pytest.approx(plain)
    assert estimate(correlate(x * 1e200, y * 1e200)).value == pytest.approx(plain)
    assert estimate(correlate(x + 1e6, y)).value == pytest.approx(plain)


def test_rounding_noise_is_a_constant_not_a_correlation() -> None:
    noisy = [0.1 + 0.2, 0.3, 0.3, 0.1 + 0.2]
    for coefficient in COEFFICIENTS:
        result = correlate(noisy, [1, 2, 3, 4], coefficient)
        assert isinstance(result, Undefined)
        assert "constant" in result.reason
