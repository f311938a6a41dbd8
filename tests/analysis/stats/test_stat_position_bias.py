"""Position bias: the exact test against brute force, other packages and biased simulated raters."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import binom_test, proportion_confint

from analysis.stats.agreement.naturalness import position_bias
from analysis.stats.results import Undefined


@given(st.integers(1, 40), st.data())
def test_the_p_value_is_the_sum_over_all_outcomes_as_unlikely(n, data):
    a = data.draw(st.integers(0, n))
    result = position_bias([1] * a + [0] * (n - a))
    chances = [comb(n, k) / 2**n for k in range(n + 1)]
    expected = sum(p for p in chances if p <= chances[a] * (1 + 1e-9))
    assert result.p_value == pytest.approx(min(expected, 1))


def test_the_interval_and_p_value_equal_those_of_statsmodels():
    result = position_bias([1] * 31 + [0] * 17)
    low, high = proportion_confint(31, 48, method="beta")
    assert (result.interval.low, result.interval.high) == pytest.approx((low, high))
    assert result.p_value == pytest.approx(binom_test(31, 48, 0.5))


def test_ties_and_unknown_sides_are_left_out_and_counted():
    result = position_bias([1, 0, np.nan, np.nan])
    assert (result.value, result.n, result.details["left out"]) == (0.5, 2, 2)


def test_without_a_known_side_it_is_undefined():
    assert isinstance(position_bias([np.nan]), Undefined)
    assert isinstance(position_bias([]), Undefined)
