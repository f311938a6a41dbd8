"""Control items: placement by counting, the test and its power against other packages."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import TTestPower

from annotation.designs.control_tests import choice_power, choice_test, control_power, control_test
from annotation.designs.controls import ControlCounts, control_kinds, place_controls


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


@pytest.mark.parametrize("pairs", [2, 5, 10, 40])
@pytest.mark.parametrize("effect", [-0.5, 0.0, 0.3, 1.2])
def test_the_power_equals_that_of_statsmodels(pairs, effect):
    expected = TTestPower().power(effect, pairs, 0.05, alternative="larger")
    assert control_power(pairs, effect) == pytest.approx(expected, abs=1e-9)


def test_the_power_is_the_share_of_simulated_attentive_annotators_who_pass():
    random = np.random.default_rng(11)
    passed = [control_test(random.normal(0.8, 1, 10), np.zeros(10)).passed for _ in range(2000)]
    assert np.mean(passed) == pytest.approx(control_power(10, 0.8), abs=0.03)


@given(st.lists(st.integers(0, 12), min_size=4, max_size=60), st.data())
def test_controls_stand_beside_their_own_segment_only_where_it_cannot_be_helped(segments, data):
    n, segments = len(segments), np.array(segments)
    count = data.draw(st.integers(1, n // 2))
    placed = place_controls(np.arange(n), count, [5], segments)
    assert placed.rows[~placed.control].tolist() == list(range(n))
    assert len(set(placed.rows[placed.control])) == count
    different = len(set(segments[: n // 2]))
    assert len(set(segments[placed.rows[placed.control]])) == min(count, different)


def test_kinds_of_controls_are_mixed_and_no_segment_gives_its_reference_twice():
    segments = np.repeat(np.arange(10), 4)
    counts = ControlCounts(repeats=3, degraded=4, references=5)
    orders = set()
    for seed in range(20):
        rows = np.random.default_rng(seed).permutation(40)
        placed = place_controls(rows, counts.total, [seed], segments[rows])
        kinds = control_kinds(placed, counts, [seed], segments, set(range(1, 10)))
        assert sorted(kinds) == np.flatnonzero(placed.control).tolist()
        assert sorted(kinds.values()) == ["degraded"] * 4 + ["reference"] * 5 + ["repeat"] * 3
        shown = [segments[placed.rows[place]] for place in kinds if kinds[place] == "reference"]
        assert len(set(shown)) == 5
        assert 0 not in shown
        orders.add(tuple(kinds[place] for place in sorted(kinds)))
    assert len(orders) == 20


@pytest.mark.parametrize("pairs", [2, 5, 9, 20])
@pytest.mark.parametrize("missed", [0, 1, 2])
def test_the_test_of_choices_is_the_exact_binomial(pairs, missed):
    found = choice_test(pairs - missed, pairs)
    expected = stats.binomtest(pairs - missed, pairs, alternative="greater").pvalue
    assert found.p == pytest.approx(expected)
    assert found.passed is bool(expected < 0.05)


def test_one_choice_decides_nothing_and_four_can_never_pass():
    assert choice_test(1, 1) is None
    assert not choice_test(4, 4).passed
    assert choice_test(5, 5).passed


@pytest.mark.parametrize("pairs", [4, 5, 8, 15])
@pytest.mark.parametrize("rate", [0.5, 0.75, 0.9])
def test_the_power_of_choices_is_the_chance_of_all_outcomes_that_pass(pairs, rate):
    outcomes = stats.binom(pairs, rate)
    passing = [won for won in range(pairs + 1) if choice_test(won, pairs).passed]
    assert choice_power(pairs, rate) == pytest.approx(sum(outcomes.pmf(won) for won in passing))
