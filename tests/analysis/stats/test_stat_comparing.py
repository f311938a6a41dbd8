"""Tests of two metrics, adjusted p-values and rank ranges: printed values and brute force."""

import numpy as np
import pytest
import scipy
from statsmodels.stats.multitest import multipletests

from analysis.stats.comparison.paired_bootstrap import (
    bootstrap_differences,
    system_level_williams,
    williams_test,
)
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.resampling.permutation import benjamini_hochberg, holm
from analysis.stats.systems.paired_tests import paired_mean_difference
from analysis.stats.systems.rank_ranges import rank_ranges, significantly_better
from tests.fixtures.estimates import estimate


def test_williams_of_the_published_example():
    one_sided = estimate(williams_test(0.65, 0.55, 0.30, 50))
    assert one_sided.p_value == pytest.approx(0.209286172867540, abs=5e-15)
    two_sided = estimate(williams_test(0.65, 0.55, 0.30, 50, alternative="two-sided"))
    assert two_sided.p_value == pytest.approx(0.41857234573508, abs=1e-14)
    assert one_sided.details["df"] == 47
    turned = estimate(williams_test(0.55, 0.65, 0.30, 50))
    assert turned.p_value == pytest.approx(1 - 0.209286172867540)


def test_williams_over_system_means_uses_common_cells():
    rng = np.random.default_rng(1)
    human = rng.normal(size=(30, 9)) + np.arange(9)
    first, second = human + rng.normal(0, 2, (2, 30, 9)) + rng.normal(0, 2, (2, 1, 9))
    first[3, 2] = second[4, 2] = np.nan
    result = estimate(system_level_williams(first, second, human))
    common = np.isfinite(first + second)
    means = [np.nanmean(np.where(common, side, np.nan), axis=0) for side in (first, second, human)]
    r = np.corrcoef(means)
    by_hand = estimate(williams_test(r[0, 2], r[1, 2], r[0, 1], 9))
    assert result.p_value == pytest.approx(by_hand.p_value)
    assert result.value == pytest.approx(r[0, 2] - r[1, 2])


def test_adjusted_p_values_are_those_of_statsmodels():
    rng = np.random.default_rng(1)
    p_values = np.round(rng.beta(0.4, 2, 25), 2)
    np.testing.assert_allclose(holm(p_values), multipletests(p_values, method="holm")[1])
    np.testing.assert_allclose(
        benjamini_hochberg(p_values), multipletests(p_values, method="fdr_bh")[1]
    )
    with_gap = np.insert(p_values, 3, np.nan)
    for adjust in (holm, benjamini_hochberg):
        np.testing.assert_array_equal(np.delete(adjust(with_gap), 3), adjust(p_values))
        assert np.isnan(adjust(with_gap)[3])


def test_clusters_part_where_everyone_above_beats_everyone_below():
    rng = np.random.default_rng(4)
    for _ in range(50):
        values = rng.normal(size=7)
        gaps = values[:, None] - values[None, :]
        better = significantly_better(gaps, np.where(np.abs(gaps) > 0.8, 0.01, 0.5))
        ranges = rank_ranges(values, better)
        assert [r.index for r in ranges] == list(np.argsort(-values))
        for one in ranges:
            beaten_by = sum(values[j] - values[one.index] > 0.8 for j in range(7))
            beats = sum(values[one.index] - values[j] > 0.8 for j in range(7))
            assert (one.best, one.worst) == (1 + beaten_by, 7 - beats)
        for place in range(1, 7):
            above, below = ranges[:place], ranges[place:]
            parted = all(values[a.index] - values[b.index] > 0.8 for a in above for b in below)
            assert (ranges[place].cluster != ranges[place - 1].cluster) == parted


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


def test_a_paired_mean_difference_is_that_of_scipy_over_common_segments():
    generator = np.random.default_rng(5)
    first, second = generator.normal(1, 1, 30), generator.normal(0, 1, 30)
    first[2], second[7] = np.nan, np.nan
    both = np.isfinite(first - second)
    result = paired_mean_difference(first, second)
    oracle = scipy.stats.ttest_rel(first[both], second[both])
    assert result.n == 28
    assert result.p_value == pytest.approx(oracle.pvalue, rel=1e-12)
    interval = oracle.confidence_interval(0.95)
    assert (result.interval.low, result.interval.high) == pytest.approx(tuple(interval), rel=1e-12)
