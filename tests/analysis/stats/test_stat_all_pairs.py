"""Every two of many systems at once: the numbers of the tests of two, one pair at a time."""

import numpy as np
import pytest
import scipy

from analysis.stats.resampling.permutation import Permutation
from analysis.stats.systems.all_pairs import compare_all_pairs
from analysis.stats.systems.paired_tests import paired_mean_difference, sign_flip_test
from tests.fixtures.nonempty import at_least_one


def likert(segments=60, systems=7, missing=0.1, seed=1, offset=0.0):
    rng = np.random.default_rng(seed)
    quality = rng.normal(0, 0.4, systems)
    scores = np.round(3 + quality + rng.normal(0, 1, (segments, systems)), 0) + offset
    scores[rng.random(scores.shape) < missing] = np.nan
    return scores


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_differences_and_intervals_are_those_of_every_pair_by_itself(offset):
    scores = likert(offset=offset)
    pairs = compare_all_pairs(scores, "permutation")
    for place, (i, j) in at_least_one(enumerate(zip(pairs.first, pairs.second, strict=True))):
        one = paired_mean_difference(scores[:, i], scores[:, j])
        assert pairs.segments[place] == one.n
        found = (pairs.difference, pairs.low, pairs.high, pairs.p_mean)
        expected = (one.value, one.interval.low, one.interval.high, one.p_value)
        np.testing.assert_allclose([side[place] for side in found], expected, rtol=0, atol=1e-9)


def test_signed_rank_p_values_are_scipys_asymptotic_ones():
    scores = likert()
    pairs = compare_all_pairs(scores, "wilcoxon")
    for i, j, p in at_least_one(zip(pairs.first, pairs.second, pairs.p_tested, strict=True)):
        gaps = scores[:, i] - scores[:, j]
        theirs = scipy.stats.wilcoxon(gaps[np.isfinite(gaps)], method="asymptotic")
        assert p == pytest.approx(theirs.pvalue, abs=1e-12)


@pytest.mark.parametrize("rounded", [True, False])
def test_normal_p_values_of_the_permutation_test_are_near_those_of_many_flips(rounded):
    scores = likert(segments=150, missing=0.0)
    if not rounded:
        scores = scores + np.random.default_rng(3).normal(0, 0.3, scores.shape)
    pairs = compare_all_pairs(scores, "permutation")
    for i, j, p in at_least_one(zip(pairs.first, pairs.second, pairs.p_tested, strict=True)):
        drawn = sign_flip_test(scores[:, i], scores[:, j], permutation=Permutation(20_000))
        assert p == pytest.approx(drawn.p_value, abs=0.03)


def test_far_tails_are_never_smaller_than_those_of_all_flips():
    rng = np.random.default_rng(5)
    for seed in range(20):
        gaps = np.abs(rng.exponential(size=18)) * np.where(rng.random(18) < 0.12, -1, 1)
        exact = sign_flip_test(gaps, np.zeros(18))
        assert exact.details["method"] == "enumerated", seed
        pairs = compare_all_pairs(np.column_stack([gaps, np.zeros(18)]), "permutation")
        if exact.p_value < 0.005:
            assert pairs.p_tested[0] > exact.p_value


def test_what_cannot_be_compared_is_missing():
    scores = np.array([[1.0, np.nan, 2, 1], [2, np.nan, 3, 2], [np.nan, 4, 5, np.nan]])
    pairs = compare_all_pairs(scores, "permutation")
    ends = list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))
    apart, constant, same = (ends.index(pair) for pair in ((0, 1), (0, 2), (0, 3)))
    assert pairs.segments[[apart, constant, same]].tolist() == [0, 2, 2]
    assert np.isnan(pairs.difference[apart])
    assert np.isnan(pairs.p_tested[apart])
    # A difference that is the same everywhere has a test by flips, and no interval.
    assert pairs.difference[constant] == pytest.approx(-1)
    assert np.isnan(pairs.low[constant])
    assert np.isfinite(pairs.p_tested[constant])
    assert pairs.difference[same] == 0
    assert np.isnan(pairs.p_tested[same])
    for test in ("permutation", "wilcoxon"):
        assert compare_all_pairs(scores[:, :1], test).first.size == 0
    with pytest.raises(ValueError, match="unknown test"):
        compare_all_pairs(scores, "williams")
