"""Pearson between raters, percentages, batches, binned agreement."""

import itertools

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score

from analysis.stats.agreement.protocol_agreement import bin_at_threshold, binned_against_relative
from analysis.stats.agreement.rater_pairs import pearson_double_entry, pearson_file_order
from analysis.stats.resampling.bootstrap import Bootstrap
from tests.fixtures.estimates import estimate


@pytest.fixture
def table() -> np.ndarray:
    rng = np.random.default_rng(1)
    values = rng.normal(50, 20, (60, 1)) + rng.normal(0, 10, (60, 3))
    values[rng.random(values.shape) < 0.2] = np.nan
    return values


def test_file_order_is_scipys_pearson_of_first_and_second_ratings() -> None:
    rng = np.random.default_rng(2)
    pairs = rng.normal(size=(40, 2)) + rng.normal(size=(40, 1))
    result = estimate(pearson_file_order(pairs))
    oracle = stats.pearsonr(pairs[:, 0], pairs[:, 1])
    assert (result.value, result.p_value) == pytest.approx((oracle.statistic, oracle.pvalue))
    assert (result.n, result.pairs, result.raters) == (40, 40, 2)


def test_double_entry_is_pearson_of_all_ordered_pairs(table) -> None:
    entries = [
        (row[i], row[j])
        for row in table
        for i, j in itertools.permutations(range(3), 2)
        if np.isfinite([row[i], row[j]]).all()
    ]
    x, y = np.array(entries).T
    result = estimate(pearson_double_entry(table, bootstrap=Bootstrap(50)))
    assert result.value == pytest.approx(stats.pearsonr(x, y).statistic)
    assert result.pairs == len(entries) // 2
    assert result.interval.low < result.value < result.interval.high


def test_a_rating_at_the_threshold_goes_where_it_is_said_to_go() -> None:
    assert bin_at_threshold([1, 2, 3], 2).tolist() == [0, 1, 1], "as Mir et al. (2019) cut"
    assert bin_at_threshold([1, 2, 3], 2, at_threshold="low").tolist() == [0, 0, 1]
    assert np.isnan(bin_at_threshold([np.nan], 2))[0]


@pytest.mark.parametrize("threshold", [2, 3])
@pytest.mark.parametrize("ties", ["left-out", "low"])
@pytest.mark.parametrize("at", ["high", "low"])
def test_binned_ratings_against_relative_judgements_equal_scikit_learn(threshold, ties, at) -> None:
    rng = np.random.default_rng(4)
    relative = rng.integers(-1, 2, 200).astype(float)
    absolute = np.clip(3 + relative + rng.integers(-2, 3, 200), 1, 5)
    relative[:10], absolute[5:15] = np.nan, np.nan
    kept = np.isfinite(relative) & np.isfinite(absolute)
    if ties == "left-out":
        kept &= relative != 0
    high = absolute[kept] >= threshold if at == "high" else absolute[kept] > threshold
    preferred = relative[kept] > 0
    how = {} if at == "high" else {"at_threshold": at}
    percent, kappa = binned_against_relative(absolute, relative, threshold, ties=ties, **how)
    assert f"at-threshold:{at}" in percent.signature
    assert estimate(percent).value == pytest.approx((high == preferred).mean())
    assert estimate(kappa).value == pytest.approx(cohen_kappa_score(high, preferred))
    assert estimate(kappa).n == kept.sum()
    assert f"threshold:{threshold}|ties:{ties}" in percent.signature
