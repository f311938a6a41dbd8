"""Simulated pairwise choices: position bias, ties, and recovery by other packages."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from demo.simulator import Annotator, choose, simulate_choices
from tests.fixtures.expected_ratings import choice_probabilities
from tests.fixtures.nonempty import at_least_one


def test_one_choice_at_a_time_gives_the_same_answers_in_any_order():
    draws = np.random.default_rng(3)
    first, second = draws.normal(50, 10, (2, 30))
    swapped = draws.random((30, 2)) < 0.5
    annotators = [Annotator(noise=8, position_bias=3), Annotator(noise=9, carelessness=0.3)]
    records = simulate_choices(first, second, swapped, annotators, seed=4, ties=2)
    for row in at_least_one(reversed(range(len(records)))):
        pair, who = records.pair[row], records.annotator[row]
        alone = choose(first[pair], second[pair], swapped[pair, who], annotators, who, pair, 4, 2)
        assert alone == records.choice[row]


@pytest.mark.parametrize("ties", [0.0, 5.0])
@pytest.mark.parametrize("swapped", [False, True])
def test_choices_are_as_frequent_as_the_closed_form_says(swapped, ties):
    pairs = 30_000
    annotator = Annotator(noise=10, position_bias=4, carelessness=0.1, scale_use=0.9)
    records = simulate_choices(
        np.full(pairs, 56.0),
        np.full(pairs, 50.0),
        np.full((pairs, 1), swapped),
        [annotator],
        seed=5,
        ties=ties,
    )
    expected = choice_probabilities(56, 50, swapped, annotator, ties)
    assert sum(expected) == pytest.approx(1)
    counts = [int((records.choice == answer).sum()) for answer in ("first", "tie", "second")]
    offered = [index for index in range(3) if expected[index] > 0]
    assert sum(counts[index] for index in offered) == pairs
    test = stats.chisquare(
        [counts[index] for index in offered], [pairs * expected[index] for index in offered]
    )
    assert test.pvalue > 0.001


def test_probit_regression_recovers_position_bias_and_noise():
    pairs = 20_000
    draws = np.random.default_rng(6)
    difference = draws.normal(0, 15, pairs)
    swapped = draws.random((pairs, 1)) < 0.5
    annotator = Annotator(noise=12, position_bias=5)
    records = simulate_choices(50 + difference, np.full(pairs, 50.0), swapped, [annotator], seed=7)
    side = np.where(swapped[:, 0], -1.0, 1.0)
    fit = sm.Probit(records.choice == "first", np.column_stack([difference, side])).fit(disp=False)
    expected = np.array([1.0, 5.0]) / (np.sqrt(2) * 12)
    assert np.all(np.abs(fit.params - expected) < 4 * fit.bse)
    assert fit.params[1] > 10 * fit.bse[1]
