"""Confidence sequences: formulas step by step, exact coverage, and simulation at every look."""

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, stats

from analysis.stats.sequences.confidence_sequences import (
    FIRST_LOOK,
    asymptotic_sequence,
    empirical_bernstein_sequence,
    mixture_variance,
    normal_mixture,
)

BOUNDS = (-4.0, 4.0)
SEQUENCES = {
    "empirical-bernstein": lambda values, alpha, bounds=BOUNDS: empirical_bernstein_sequence(
        values, alpha=alpha, bounds=bounds
    ),
    "asymptotic": lambda values, alpha, bounds=BOUNDS: asymptotic_sequence(
        values, alpha=alpha, bounds=bounds, tuned_to=150
    ),
}


def by_hand(values, alpha):
    """Return theorem 2 of Waudby-Smith and Ramdas for values in 0 to 1, one step at a time."""
    total = squares = weights = weighted = paid = 0.0
    mean, variance, limits = 0.5, 0.25, []
    for t, x in enumerate(values, start=1):
        bet = min(math.sqrt(2 * math.log(2 / alpha) / (variance * t * math.log(1 + t))), 0.5)
        paid += 4 * (x - mean) ** 2 * (-math.log(1 - bet) - bet) / 4
        weights, weighted, total = weights + bet, weighted + bet * x, total + x
        mean = (0.5 + total) / (t + 1)
        squares += (x - mean) ** 2
        variance = (0.25 + squares) / (t + 1)
        width = (math.log(2 / alpha) + paid) / weights
        limits.append((weighted / weights - width, weighted / weights + width))
    return np.clip(limits, 0, 1)


def test_the_empirical_bernstein_sequence_follows_its_theorem_on_any_scale():
    unit = np.random.default_rng(3).beta(2, 5, 400)
    found = empirical_bernstein_sequence(unit, alpha=0.05, bounds=(0, 1))
    limits = by_hand(unit, 0.05)
    assert np.allclose([found.low, found.high], limits.T)
    assert 0.2 < limits[-1, 0] < limits[-1, 1] < 0.4
    scaled = empirical_bernstein_sequence(100 * unit - 30, alpha=0.05, bounds=(-30, 70))
    assert np.allclose(scaled.low, 100 * limits[:, 0] - 30)


@pytest.mark.parametrize("mean", [0.1, 0.5, 0.8])
def test_of_all_sequences_of_coins_few_are_missed_at_any_look(mean):
    coins = np.array(list(itertools.product((0.0, 1.0), repeat=13))).T
    found = empirical_bernstein_sequence(coins, alpha=0.3, bounds=(0, 1))
    missed = ((found.low > mean) | (found.high < mean)).any(axis=0)
    heads = coins.sum(axis=0)
    chance = mean**heads * (1 - mean) ** (len(coins) - heads)
    assert chance.sum() == pytest.approx(1)
    assert chance[missed].sum() <= 0.3
    assert found.low.max() > mean or found.high.min() < mean


def test_the_normal_mixture_is_the_boundary_at_which_robbins_mixture_reaches_its_limit():
    alpha, tuned_to = 0.05, 50
    variance = mixture_variance(alpha, tuned_to)
    for count in (1, 50, 700):
        total = count * float(normal_mixture(count, alpha, tuned_to))
        # Completed to a square, so that the integrand does not overflow.
        peak = total / (count + 1 / variance)

        def ratio(drift, total=total, count=count):
            exponent = drift * total - drift**2 * count / 2
            return math.exp(exponent) * stats.norm.pdf(drift, scale=math.sqrt(variance))

        reach = 12 / math.sqrt(count + 1 / variance)
        mixed, _ = integrate.quad(ratio, peak - reach, peak + reach)
        assert mixed == pytest.approx(1 / alpha, rel=1e-6)


@pytest.mark.parametrize("name", SEQUENCES)
def test_at_most_5_percent_of_equal_systems_are_ever_told_apart_under_continuous_looking(name):
    random = np.random.default_rng(11)
    ratings = random.integers(1, 6, (2, 400, 800)).astype(float)
    differences = ratings[0] - ratings[1]
    found = SEQUENCES[name](differences, 0.05)
    alarms = ((found.low > 0) | (found.high < 0)).any(axis=0).mean()
    count = np.arange(1, 401)[:, None]
    mean = differences.cumsum(axis=0) / count
    spread = np.sqrt((differences**2).cumsum(axis=0) / count - mean**2)
    naive = (np.abs(mean) * np.sqrt(count) > 1.96 * spread)[FIRST_LOOK:].any(axis=0).mean()
    assert alarms <= 0.05
    assert naive > 0.25
