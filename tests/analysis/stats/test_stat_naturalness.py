"""Agreement of a classifier with human raters on what is more natural, and position bias."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import binom_test, proportion_confint

from analysis.stats.agreement.naturalness import (
    absolute_judgements,
    classifier_agreement,
    position_bias,
)
from tests.fixtures.estimates import estimate

# Sources score .5: the classifier prefers output, source, neither, and so on.
OUTPUTS = [[0.9, 0.1], [0.5, 0.5], [0.8, np.nan]]
SOURCES = [0.5, 0.5, 0.5]
HUMAN = [[1.0, 1.0], [0.0, -1.0], [0.0, 1.0]]


@pytest.mark.parametrize(("ties", "agreeing"), [("disagreement", 1), ("matched", 2)])
def test_all_judged_pairs_are_in_the_denominator_whatever_ties_count(ties, agreeing) -> None:
    result = estimate(classifier_agreement(OUTPUTS, SOURCES, HUMAN, ties=ties))
    assert result.value == pytest.approx(agreeing / 5)
    assert result.n == 5
    assert result.details["human_ties"] == 2
    assert result.details["classifier_ties"] == 2
    assert result.details["both_tied"] == 1
    assert result.details["missing"] == 1


@pytest.mark.parametrize("ties", ["disagreement", "matched"])
def test_agreement_equals_a_count_one_pair_at_a_time(ties) -> None:
    rng = np.random.default_rng(1)
    outputs, sources = rng.integers(0, 4, (30, 4)) / 4, rng.integers(0, 4, 30) / 4
    human = rng.integers(-1, 2, (30, 4)).astype(float)
    hits = 0
    for row in range(30):
        for column in range(4):
            output, source = float(outputs[row, column]), float(sources[row])
            machine = 1 if output > source else -1 if output < source else 0
            tied = human[row, column] == 0
            hits += int(machine == human[row, column] and not (tied and ties == "disagreement"))
    assert estimate(classifier_agreement(outputs, sources, human, ties=ties)).value == hits / 120


def test_absolute_ratings_are_judged_against_those_of_the_source() -> None:
    judged = absolute_judgements([[3.0, 1 / 3 + 4 / 3], [2.0, np.nan]], [5 / 3, 4.0])
    np.testing.assert_array_equal(judged, [[1.0, 0.0], [-1.0, np.nan]])


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
