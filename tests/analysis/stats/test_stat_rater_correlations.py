"""Every two of many raters at once: the formula of one pair at a time, to the last digits."""

from itertools import combinations

import numpy as np
import pytest

from analysis.stats.agreement.rater_correlations import pair_correlations
from analysis.stats.agreement.rater_pairs import (
    LEAST_COMMON,
    weighted_pearson,
    weighted_rater_pairs,
)
from analysis.stats.agreement.weighted_ratings import WeightedRatings
from analysis.stats.arrays import is_constant
from analysis.stats.correlation.pearson import pearson_r


def crowd(units=60, raters=14, each=5, *, whole=True, offset=0.0, seed=1):
    """Return units × raters of which each unit has a few, on a scale of few points or of many."""
    rng = np.random.default_rng(seed)
    matrix = np.full((units, raters), np.nan)
    quality = rng.normal(3, 1, units)
    for unit in range(units):
        who = rng.choice(raters, each, replace=False)
        matrix[unit, who] = quality[unit] + rng.normal(0, 0.7, each)
    if whole:
        matrix = np.clip(np.round(matrix), 1, 5)
    # One who always answers the same.
    matrix[np.isfinite(matrix[:, 2]), 2] = 4.0
    return matrix + offset


def one_by_one(matrix, least):
    """Return coefficients and common units of each pair, and how many were left out and why."""
    found, few, constant = {}, 0, 0
    for first, second in combinations(range(matrix.shape[1]), 2):
        both = np.isfinite(matrix[:, first]) & np.isfinite(matrix[:, second])
        x, y = matrix[both, first], matrix[both, second]
        if x.size < least:
            few += 1
        elif is_constant(x) or is_constant(y):
            constant += 1
        else:
            found[first, second] = pearson_r(x, y), x.size
    return found, few, constant


def drawn_one_by_one(drawn):
    """Return the mean over pairs of each pair's weighted r, as it is by itself."""
    total = count = np.zeros(1)
    present = np.isfinite(drawn.values)
    times = drawn.weights.max(axis=1, initial=0.0)
    for first, second in combinations(range(drawn.values.shape[1]), 2):
        both = present[:, first] & present[:, second]
        if both.sum() < LEAST_COMMON:
            continue
        weight = times[:, first] * times[:, second]
        r = weighted_pearson(both_ways=False)(
            WeightedRatings(
                drawn.values[both][:, [first, second]],
                np.ones((1, int(both.sum()), 2)),
                drawn.units[:, both],
            )
        )
        known = np.isfinite(r) & (weight > 0)
        total = total + np.where(known, weight * np.nan_to_num(r), 0.0)
        count = count + np.where(known, weight, 0.0)
    return np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)


@pytest.mark.parametrize("offset", [0.0, 1e5])
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("each", [2, 5, 14])
def test_correlations_are_those_of_every_pair_by_itself(each, whole, offset):
    matrix = crowd(each=each, whole=whole, offset=offset)
    expected, few, constant = one_by_one(matrix, 3)
    found = pair_correlations(matrix, 3)
    assert (found.few, found.constant) == (few, constant)
    assert found.common.tolist() == [common for _, common in expected.values()]
    np.testing.assert_allclose(found.r, [r for r, _ in expected.values()], rtol=0, atol=1e-12)


def drawing(kind, matrix, draws=15):
    """Return ratings with units drawn, raters drawn, or both."""
    rng = np.random.default_rng(4)
    n_units, n_raters = matrix.shape
    units, raters = np.ones((1, n_units)), np.ones((1, n_raters))
    if "units" in kind:
        units = rng.multinomial(n_units, np.full(n_units, 1 / n_units), size=draws).astype(float)
    if "raters" in kind:
        raters = rng.multinomial(n_raters, np.full(n_raters, 1 / n_raters), size=draws)
        raters = raters.astype(float)
    weights = raters[:, None, :] * np.isfinite(matrix)
    return WeightedRatings(matrix, weights, units)


@pytest.mark.parametrize("kind", ["nothing", "units", "raters", "units and raters"])
@pytest.mark.parametrize("whole", [True, False])
def test_drawn_means_are_those_of_every_pair_by_itself(kind, whole):
    for each in (3, 6):
        drawn = drawing(kind, crowd(units=40, raters=10, each=each, whole=whole))
        # Draws that hold hardly anything but copies of one unit lose digits in either formula.
        within = 1e-12 if whole else 1e-10
        np.testing.assert_allclose(
            weighted_rater_pairs(drawn), drawn_one_by_one(drawn), rtol=0, atol=within
        )
