"""Simulated scale ratings: what the parameters do, and one rating at a time."""

import numpy as np
import pytest
from scipy import stats

from demo.simulator import Annotator, batch_design, crossed_design, rate, simulate_scale
from tests.fixtures.nonempty import at_least_one

SCALE = (0.0, 100.0)
MIXED = [Annotator(severity=4, noise=9, carelessness=0.2), Annotator(noise=15, scale_use=0.6)]


def quality(items: int, aspects: int = 1) -> np.ndarray:
    return np.random.default_rng(1).normal(60, 12, size=(items, aspects))


def test_a_perfect_annotator_gives_the_true_quality():
    true = quality(30, 2)
    records = simulate_scale(true, [Annotator()], crossed_design(30, 1), SCALE, 0, seed=1)
    np.testing.assert_array_equal(records.value.reshape(30, 2), true)


def test_records_follow_item_annotator_and_aspect():
    records = simulate_scale(quality(3, 2), MIXED, crossed_design(3, 2), SCALE, 1, seed=1)
    keys = list(zip(records.item, records.annotator, records.aspect, strict=True))
    assert keys == [(i, j, a) for i in range(3) for j in range(2) for a in range(2)]
    assert len(records) == 12


def test_batches_are_rated_by_their_own_annotators_only():
    design = batch_design([1, 1, 2, 2], [1, 2])
    records = simulate_scale(quality(4), MIXED, design, SCALE, 1, seed=1)
    assert list(zip(records.item, records.annotator, strict=True)) == [
        (0, 0),
        (1, 0),
        (2, 1),
        (3, 1),
    ]


def test_one_rating_at_a_time_gives_the_same_values_in_any_order():
    true = quality(20, 3)
    records = simulate_scale(true, MIXED, crossed_design(20, 2), SCALE, 1, seed=9, occasion=1)
    for row in at_least_one(reversed(range(len(records)))):
        item, annotator, aspect = records.item[row], records.annotator[row], records.aspect[row]
        alone = rate(true[item, aspect], MIXED, annotator, item, aspect, SCALE, 1, 9, 1)
        assert alone == records.value[row]


def test_leaving_out_items_changes_no_other_rating():
    true, design = quality(40), crossed_design(40, 2)
    whole = simulate_scale(true, MIXED, design, SCALE, 1, seed=2)
    design[::2] = False
    part = simulate_scale(true, MIXED, design, SCALE, 1, seed=2)
    np.testing.assert_array_equal(part.value, whole.value[whole.item % 2 == 1])


def test_seed_and_occasion_change_the_ratings():
    true, design = quality(40), crossed_design(40, 2)
    values = [
        tuple(simulate_scale(true, MIXED, design, SCALE, 1, seed, occasion).value)
        for seed, occasion in [(1, 0), (1, 1), (2, 0)]
    ]
    assert len(set(values)) == 3


@pytest.mark.parametrize(("scale", "step"), [((0, 100), 5), ((1, 5), 1), ((-3, 3), 0.5)])
def test_ratings_lie_on_the_steps_and_reach_both_ends(scale, step):
    low, high = scale
    true = np.linspace(low - 1, high + 1, 500)[:, None]
    annotators = [Annotator(noise=(high - low) / 10), Annotator(carelessness=1)]
    values = simulate_scale(true, annotators, crossed_design(500, 2), scale, step, seed=3).value
    assert set(values) == set(np.arange(low, high + step / 2, step))


def test_a_careless_annotator_uses_every_answer_equally_often():
    true = np.full((20_000, 1), 90.0)
    annotators = [Annotator(carelessness=1, severity=30)]
    records = simulate_scale(true, annotators, crossed_design(20_000, 1), (1, 5), 1, seed=4)
    counts = np.bincount(records.value.astype(int), minlength=6)[1:]
    assert stats.chisquare(counts).pvalue > 0.001


def test_carelessness_is_the_share_of_answers_that_ignore_the_item():
    true = np.full((20_000, 1), 60.0)
    annotators = [Annotator(carelessness=0.3)]
    records = simulate_scale(true, annotators, crossed_design(20_000, 1), SCALE, 0, seed=5)
    ignored = int((records.value != 60).sum())
    assert stats.binomtest(ignored, 20_000, 0.3).pvalue > 0.001


def test_severity_noise_and_scale_use_are_recovered_by_regression():
    true = quality(20_000)
    put_in = Annotator(severity=7, noise=11, scale_use=0.8)
    records = simulate_scale(true, [put_in], crossed_design(20_000, 1), SCALE, 0, seed=6)
    line = stats.linregress(true[:, 0] - 50, records.value)
    assert line.slope == pytest.approx(0.8, abs=4 * line.stderr)
    assert 50 - line.intercept == pytest.approx(7, abs=4 * line.intercept_stderr)
    residuals = records.value - line.intercept - line.slope * (true[:, 0] - 50)
    assert residuals.std(ddof=2) == pytest.approx(11, abs=4 * 11 / np.sqrt(2 * 20_000))
    assert stats.kstest(residuals / 11, "norm").pvalue > 0.001


@pytest.mark.parametrize(
    "parameters",
    [{"noise": -1}, {"scale_use": -0.1}, {"carelessness": 1.1}, {"severity": float("nan")}],
)
def test_impossible_annotators_are_refused(parameters):
    with pytest.raises(ValueError, match=r"must|probability"):
        Annotator(**parameters)


@pytest.mark.parametrize(
    ("true", "design", "scale", "step"),
    [
        ([50.0], [[True]], SCALE, 1),
        ([[50.0]], [[True, True]], SCALE, 1),
        ([[float("nan")]], [[True]], SCALE, 1),
        ([[50.0]], [[True]], SCALE, 7),
        ([[50.0]], [[True]], (5, 1), 1),
    ],
)
def test_input_that_does_not_fit_is_refused(true, design, scale, step):
    with pytest.raises(ValueError, match=r"expected|finite"):
        simulate_scale(true, [Annotator()], design, scale, step, seed=1)
