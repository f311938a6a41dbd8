"""Simulated scale ratings: what the parameters do, and one rating at a time."""

import numpy as np
import pytest
from scipy import stats

from demo.simulator import Annotator, crossed_design, rate, simulate_scale
from tests.fixtures.nonempty import at_least_one

SCALE = (0.0, 100.0)
MIXED = [Annotator(severity=4, noise=9, carelessness=0.2), Annotator(noise=15, scale_use=0.6)]


def quality(items: int, aspects: int = 1) -> np.ndarray:
    return np.random.default_rng(1).normal(60, 12, size=(items, aspects))


def test_one_rating_at_a_time_gives_the_same_values_in_any_order():
    true = quality(20, 3)
    records = simulate_scale(true, MIXED, crossed_design(20, 2), SCALE, 1, seed=9, occasion=1)
    for row in at_least_one(reversed(range(len(records)))):
        item, annotator, aspect = records.item[row], records.annotator[row], records.aspect[row]
        alone = rate(true[item, aspect], MIXED, annotator, item, aspect, SCALE, 1, 9, 1)
        assert alone == records.value[row]


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
