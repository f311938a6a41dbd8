"""Resampled strengths of systems: what each resample gives, and how far it spreads."""

import numpy as np
import pytest

from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.systems.bradley_terry import fit_strengths
from analysis.stats.systems.vote_bootstrap import resampled_strengths, with_resampled_intervals


def votes(strengths, count, seed=3, tie=0.0, side=0.0):
    """First and second system and outcome of votes by the model with ties and a side."""
    generator = np.random.default_rng(seed)
    n = len(strengths)
    first = generator.integers(0, n, count)
    second = (first + generator.integers(1, n, count)) % n
    gap = np.asarray(strengths)[first] - np.asarray(strengths)[second] + side
    weights = np.stack([np.exp(gap / 2), np.full(count, tie), np.exp(-gap / 2)], axis=1)
    drawn = generator.random(count) * weights.sum(axis=1)
    return first, second, 1 - (drawn[:, None] > weights.cumsum(axis=1)).sum(axis=1)


def values(fitted):
    return np.array([system.value for system in fitted.systems])


@pytest.mark.parametrize("tie", [0.0, 0.7])
@pytest.mark.parametrize("position", [False, True])
def test_each_resample_is_fitted_as_the_same_votes_by_themselves(tie, position):
    one, other, outcome = votes([0.6, 0.1, -0.2, -0.5], 400, tie=tie, side=0.3)
    fitted = fit_strengths(one, other, outcome, 4, position=position)
    found = resampled_strengths(one, other, outcome, fitted, bootstrap=Bootstrap(5, seed=8))
    generator = np.random.default_rng(8)
    for draw in range(5):
        rows = generator.integers(0, 400, 400)
        again = fit_strengths(one[rows], other[rows], outcome[rows], 4, position=position)
        np.testing.assert_allclose(found.systems[draw], values(again), atol=1e-4)
        if position:
            assert found.position[draw] == pytest.approx(again.position.value, abs=1e-4)


def test_judges_are_drawn_with_all_their_votes():
    one, other, outcome = votes([0.5, 0.0, -0.5], 300)
    fitted = fit_strengths(one, other, outcome, 3, position=False)
    judges = np.arange(300) // 10
    found = resampled_strengths(
        one, other, outcome, fitted, clusters=judges, bootstrap=Bootstrap(3, seed=8)
    )
    drawn = np.random.default_rng(8).integers(0, 30, 30)
    rows = np.concatenate([np.flatnonzero(judges == judge) for judge in drawn])
    again = fit_strengths(one[rows], other[rows], outcome[rows], 3, position=False)
    np.testing.assert_allclose(found.systems[0], values(again), atol=1e-4)


def test_a_system_without_a_win_in_a_resample_is_left_out_of_it_and_counted():
    one, other, outcome = votes([0.4, 0.0, -0.4], 300)
    # A fourth system met the first three times, and won once.
    one, other = np.append(one, [3, 3, 3]), np.append(other, [0, 0, 0])
    outcome = np.append(outcome, [1, -1, -1])
    fitted = fit_strengths(one, other, outcome, 4, position=False)
    draws = resampled_strengths(one, other, outcome, fitted, bootstrap=Bootstrap(200))
    lost = np.isnan(draws.systems[:, 3])
    assert 20 < lost.sum() < 180
    assert not np.isnan(draws.systems[:, :3]).any()
    # The others keep their place: the mean of those in it is that of all votes.
    kept = values(fitted)[:3].mean()
    np.testing.assert_allclose(draws.systems[lost, :3].mean(axis=1), kept, atol=1e-9)
    found = with_resampled_intervals(fitted, draws, Bootstrap(200), "votes")
    assert found.systems[3].details["degenerate_draws"] == lost.sum()
