"""Control items: placement by counting, the test and its power against other packages."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import TTestPower

from annotation.designs.controls import control_power, control_test, place_controls


@given(st.integers(2, 80), st.data())
def test_controls_stand_about_half_a_list_behind_their_originals(n, data):
    count = data.draw(st.integers(0, n // 2))
    placed = place_controls(np.arange(100, 100 + n), count, [3])
    assert len(placed.rows) == n + count
    assert placed.control.sum() == count
    assert placed.rows[~placed.control].tolist() == list(range(100, 100 + n))
    for place in np.flatnonzero(placed.control):
        [original] = np.flatnonzero((placed.rows == placed.rows[place]) & ~placed.control)
        assert place - original >= n // 4


def test_no_item_is_repeated_twice_and_too_many_controls_are_refused():
    placed = place_controls(np.arange(20), 10, [1])
    assert len(set(placed.rows[placed.control])) == 10
    with pytest.raises(ValueError, match="11 controls among 20 items; at most 10"):
        place_controls(np.arange(20), 11, [1])


def test_the_control_test_is_the_paired_one_sided_t_test():
    rng = np.random.default_rng(5)
    original = rng.normal(60, 15, 12)
    degraded = original - rng.normal(8, 12, 12)
    expected = stats.ttest_1samp(original - degraded, 0, alternative="greater")
    found = control_test(original, degraded)
    assert found.p == pytest.approx(expected.pvalue)
    assert found.mean_difference == pytest.approx((original - degraded).mean())


@pytest.mark.parametrize(
    ("original", "degraded", "passed"),
    [
        ([5, 5, 5, 5, 5], [3, 3, 3, 3, 3], True),
        ([5, 5], [3, 3], False),
        ([4, 4, 4], [4, 4, 4], False),
        ([1, 2, 1], [5, 4, 5], False),
    ],
)
def test_equal_differences_are_decided_by_their_sign(original, degraded, passed):
    assert control_test(original, degraded).passed is passed


def test_one_pair_decides_nothing():
    assert control_test([90], [10]) is None


@pytest.mark.parametrize("pairs", [2, 5, 10, 40])
@pytest.mark.parametrize("effect", [-0.5, 0.0, 0.3, 1.2])
def test_the_power_equals_that_of_statsmodels(pairs, effect):
    expected = TTestPower().power(effect, pairs, 0.05, alternative="larger")
    assert control_power(pairs, effect) == pytest.approx(expected, abs=1e-9)


def test_the_power_is_the_share_of_simulated_attentive_annotators_who_pass():
    random = np.random.default_rng(11)
    passed = [control_test(random.normal(0.8, 1, 10), np.zeros(10)).passed for _ in range(2000)]
    assert np.mean(passed) == pytest.approx(control_power(10, 0.8), abs=0.03)
