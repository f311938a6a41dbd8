"""Betting confidence sequences: the capital by hand, exact coverage, simulation, and widths."""

import itertools
import math

import numpy as np
import pytest

from analysis.stats.sequences.confidence_sequences import betting_sequence

UNIT = (0.0, 1.0)


def capital_by_hand(values, against, alpha):
    """Yield the hedged capital of theorem 3 of Waudby-Smith and Ramdas after each bet."""
    above = below = 0.5
    mean, variance, total, squares = 0.5, 0.25, 0.0, 0.0
    for t, x in enumerate(values, start=1):
        bet = math.sqrt(2 * math.log(2 / alpha) / (variance * t * math.log(1 + t)))
        above *= 1 + min(bet, 0.5 / against) * (x - against)
        below *= 1 - min(bet, 0.5 / (1 - against)) * (x - against)
        total += x
        mean = (0.5 + total) / (t + 1)
        squares += (x - mean) ** 2
        variance = (0.25 + squares) / (t + 1)
        yield max(above, below)


def test_limits_are_those_of_the_capital_on_a_fine_grid():
    values = np.random.default_rng(3).beta(2, 5, 90)
    found = betting_sequence(values, alpha=0.05, bounds=UNIT)
    grid = (np.arange(1000) + 0.5) / 1000
    for look in (8, 30, 89):
        kept = [m for m in grid if [*capital_by_hand(values[: look + 1], m, 0.05)][-1] < 1 / 0.05]
        # All between the first and the last: the set is an interval.
        assert len(kept) == round((kept[-1] - kept[0]) * 1000) + 1
        assert kept[0] - 0.001 <= found.low[look] <= kept[0]
        assert kept[-1] <= found.high[look] <= kept[-1] + 0.001
    assert 0 < found.low[-1] < found.high[-1] < 1


def test_some_looks_are_those_of_all_on_any_scale():
    values = np.random.default_rng(4).beta(2, 5, (60, 2))
    whole = betting_sequence(values, alpha=0.05, bounds=UNIT)
    some = betting_sequence(100 * values - 30, alpha=0.05, bounds=(-30, 70), looks=[20, 59])
    for name in ("estimate", "low", "high"):
        assert np.allclose(getattr(some, name), 100 * getattr(whole, name)[[20, 59]] - 30)


@pytest.mark.parametrize("mean", [0.1, 0.5, 0.8])
def test_of_all_sequences_of_coins_few_are_missed_at_any_look(mean):
    coins = np.array(list(itertools.product((0.0, 1.0), repeat=11))).T
    found = betting_sequence(coins, alpha=0.3, bounds=UNIT)
    missed = ((found.low > mean) | (found.high < mean)).any(axis=0)
    assert missed.tolist() == [max(capital_by_hand(each, mean, 0.3)) >= 1 / 0.3 for each in coins.T]
    heads = coins.sum(axis=0)
    chance = mean**heads * (1 - mean) ** (len(coins) - heads)
    assert 0 < chance[missed].sum() <= 0.3
