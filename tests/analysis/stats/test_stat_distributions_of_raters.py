"""Distributions against distributions, and metrics against groups of raters."""

import numpy as np
import pytest
from scipy.stats import wasserstein_distance

from analysis.stats.rater_models.distributions import (
    manhattan,
    mass_of_numbers,
    represented,
    scored_against,
    wasserstein,
)
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Undefined

GENERATOR = np.random.default_rng(9)
POINTS = np.array([1.0, 2, 3, 4, 5])


def shares(items, categories=5):
    return GENERATOR.dirichlet(np.ones(categories), size=items)


@pytest.mark.parametrize("points", [POINTS, np.array([0.0, 1, 4, 9, 10])])
def test_wasserstein_is_scipys_as_a_share_of_the_scale(points):
    first, second = shares(20), shares(20)
    for p, q, found in zip(first, second, wasserstein(first, second, points), strict=True):
        expected = wasserstein_distance(points, points, p, q) / (points[-1] - points[0])
        assert found == pytest.approx(expected)


def test_manhattan_is_half_the_sum_of_differences_and_knows_no_order():
    first, second = shares(20), shares(20)
    assert manhattan(first, second) == pytest.approx(np.abs(first - second).sum(axis=1) / 2)
    one, near, far = np.eye(5)[[0, 1, 4]]
    assert manhattan([one, one], [near, far]).tolist() == [1, 1]
    assert wasserstein([one, one], [near, far], POINTS).tolist() == [0.25, 1]


def test_a_number_stands_for_all_mass_at_it_and_keeps_its_mean():
    numbers = np.array([1, 5, 2.5, 3.9, 4])
    mass = mass_of_numbers(numbers, POINTS)
    assert mass.sum(axis=1) == pytest.approx(1)
    assert mass @ POINTS == pytest.approx(numbers)
    assert ((mass > 0).sum(axis=1) <= 2).all()
    # Its distance from other answers is the mean distance of these from it.
    human = np.eye(5)[[4, 0, 4, 0, 3]]
    expected = np.abs(numbers - human @ POINTS) / 4
    assert wasserstein(mass, human, POINTS) == pytest.approx(expected)
    assert np.isnan(mass_of_numbers([0.9, 5.1, np.nan], POINTS)).all()


def test_means_leave_out_items_without_both_and_say_how_many():
    judged, human = shares(12), shares(12)
    judged[3] = np.nan
    found = scored_against(judged, human, POINTS, np.arange(12), bootstrap=Bootstrap(100))
    kept = np.arange(12) != 3
    result = found["manhattan"]
    assert result.value == pytest.approx(manhattan(judged[kept], human[kept]).mean())
    assert (result.n, result.details["left_out"]) == (11, 1)
    assert result.interval.low < result.value < result.interval.high
    unordered = scored_against(judged, human, None, np.arange(12), bootstrap=Bootstrap(0))
    assert isinstance(unordered["wasserstein"], Undefined)


def drawn(seed, of_group, *, segments=80, systems=3):
    """Return a metric and ratings of raters who each follow it as closely as given."""
    generator = np.random.default_rng(seed)
    metric = generator.normal(size=(segments, systems))
    noise = generator.normal(size=(len(of_group), segments, systems))
    rho = np.array(of_group)[:, None, None]
    return metric, rho * metric + np.sqrt(1 - rho**2) * noise


def test_a_group_is_the_mean_over_its_raters_by_their_own_answers():
    metric, ratings = drawn(1, [0.8, 0.7, 0.2])
    ratings[1, :40] = np.nan
    groups = {"near": [0, 1], "far": [2]}
    found = represented(metric, ratings, groups, bootstrap=Bootstrap(100))
    each = []
    for own in ratings:
        both = np.isfinite(own)
        each.append(np.corrcoef(metric[both], own[both])[0, 1])
    assert found["near"].correlation.value == pytest.approx(np.mean(each[:2]))
    assert found["far"].difference.value == pytest.approx(each[2] - np.mean(each[:2]))
    assert found["near"].difference.interval.low > 0
    assert found["near"].correlation.raters == 2
