"""Many metrics compared on the same resamples, against one pair at a time; paired means."""

import numpy as np
import pytest
import scipy

from analysis.stats.comparison.paired_bootstrap import bootstrap_differences
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate, Undefined
from analysis.stats.systems.paired_tests import paired_mean_difference

FEW = Bootstrap(200, seed=7)


def scores(missing: bool = False) -> tuple[list[np.ndarray], np.ndarray]:
    generator = np.random.default_rng(3)
    human = generator.normal(size=(15, 6))
    metrics = [human + generator.normal(scale=s, size=human.shape) for s in (0.5, 1.0, 2.0)]
    if missing:
        metrics[1][3, :4] = np.nan
        human[0, 2] = np.nan
    return metrics, human


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize(
    "variant",
    [
        {"coefficient": "pearson"},
        {"coefficient": "kendall-tau-b", "grouping": "segment"},
        {"coefficient": "spearman", "level": "system", "over": "systems"},
        {"coefficient": "pearson", "level": "system", "over": "segments"},
    ],
)
def test_every_pair_is_the_difference_of_that_pair_alone(missing, variant):
    metrics, human = scores(missing)
    pairs = bootstrap_differences(metrics, human, bootstrap=FEW, **variant)
    assert [(p.first, p.second) for p in pairs] == [(0, 1), (0, 2), (1, 2)]
    for pair in pairs:
        both = [metrics[pair.first], metrics[pair.second]]
        (alone,) = bootstrap_differences(both, human, bootstrap=FEW, **variant)
        assert pair.result.to_dict() == alone.result.to_dict()


def test_a_constant_metric_is_undefined_beside_every_other():
    metrics, human = scores()
    pairs = bootstrap_differences([metrics[0], np.ones((15, 6))], human, bootstrap=FEW)
    assert isinstance(pairs[0].result, Undefined)
    assert "do not vary" in pairs[0].result.reason


def test_a_paired_mean_difference_is_that_of_scipy_over_common_segments():
    generator = np.random.default_rng(5)
    first, second = generator.normal(1, 1, 30), generator.normal(0, 1, 30)
    first[2], second[7] = np.nan, np.nan
    both = np.isfinite(first - second)
    result = paired_mean_difference(first, second)
    oracle = scipy.stats.ttest_rel(first[both], second[both])
    assert isinstance(result, Estimate)
    assert result.n == 28
    assert result.p_value == pytest.approx(oracle.pvalue, rel=1e-12)
    interval = oracle.confidence_interval(0.95)
    assert (result.interval.low, result.interval.high) == pytest.approx(tuple(interval), rel=1e-12)


def test_without_spread_a_mean_difference_is_undefined_and_says_so():
    assert isinstance(paired_mean_difference([1.0, 2.0], [0.0, 1.0]), Undefined)
    assert "fewer than two" in paired_mean_difference([1.0, np.nan], [0.0, 1.0]).reason
