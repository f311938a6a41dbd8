"""Simulated pairwise choices: position bias, ties, and recovery by other packages."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from demo.simulator import Annotator, choose, simulate_choices
from tests.fixtures.expected_ratings import choice_probabilities
from tests.fixtures.nonempty import at_least_one


def test_without_noise_the_better_text_wins_whatever_the_order():
    records = simulate_choices([70, 40], [60, 50], [[False, True]] * 2, [Annotator()] * 2, seed=1)
    assert records.choice.tolist() == ["first", "first", "second", "second"]
    assert records.swapped.tolist() == [False, True, False, True]


def test_position_bias_decides_between_equal_texts():
    records = simulate_choices([50], [50], [[False, True]], [Annotator(position_bias=1)] * 2, 1)
    assert records.choice.tolist() == ["first", "second"]


def test_equal_texts_without_bias_go_to_either_side_equally_often():
    pairs = 10_000
    same = np.full(pairs, 50.0)
    records = simulate_choices(same, same, np.zeros((pairs, 1), bool), [Annotator()], seed=2)
    first = int((records.choice == "first").sum())
    assert stats.binomtest(first, pairs).pvalue > 0.001


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


def test_a_design_leaves_out_what_is_not_asked():
    design = [[True, False], [False, True]]
    records = simulate_choices(
        [60, 60], [50, 50], np.zeros((2, 2), bool), [Annotator()] * 2, seed=1, design=design
    )
    assert list(zip(records.pair, records.annotator, strict=True)) == [(0, 0), (1, 1)]


def test_input_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="expected qualities"):
        simulate_choices([60, 60], [50], [[False]], [Annotator()], seed=1)
    with pytest.raises(ValueError, match="finite"):
        simulate_choices([float("inf")], [50], [[False]], [Annotator()], seed=1)
    with pytest.raises(ValueError, match="ties"):
        simulate_choices([60], [50], [[False]], [Annotator()], seed=1, ties=-1)
    with pytest.raises(ValueError, match="certain"):
        choice_probabilities(60, 50, False, Annotator())
