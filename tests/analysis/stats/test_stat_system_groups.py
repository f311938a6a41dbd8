"""Groups of systems compared by the means of their systems, resampling systems and segments."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import permutation_test

from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.resampling.permutation import holm
from analysis.stats.results import Undefined
from analysis.stats.systems.system_groups import compare_groups

GROUPS = ["tuned", "tuned", "prompted", "tuned", "prompted", "prompted", ""]
FEW = Bootstrap(200)


def study(shift: float = 0.0, seed: int = 3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(30, 1)) + rng.normal(size=(1, 7)) + rng.normal(size=(30, 7))
    scores[:, [group == "tuned" for group in GROUPS]] += shift
    scores[rng.random(scores.shape) < 0.1] = np.nan
    return scores


def test_means_and_differences_are_those_of_loops_and_the_test_that_of_scipy():
    scores = study(1.0)
    means, (difference,) = compare_groups(scores, GROUPS, FEW)
    by_hand = {
        name: [np.nanmean(scores[:, place]) for place, group in enumerate(GROUPS) if group == name]
        for name in ("tuned", "prompted")
    }
    for found in means:
        assert found.result.value == pytest.approx(np.mean(by_hand[found.group]), abs=1e-12)
        assert found.systems == found.result.n == 3
    expected = permutation_test(
        tuple(by_hand.values()),
        lambda a, b: np.mean(a) - np.mean(b),
        permutation_type="independent",
    )
    assert difference.result.value == pytest.approx(expected.statistic, abs=1e-12)
    assert difference.result.p_value == pytest.approx(expected.pvalue, abs=1e-12)
    assert difference.result.details["divisions"] == 20
    assert (
        difference.result.interval.low < difference.result.value < difference.result.interval.high
    )


def test_the_spread_of_draws_is_that_of_drawing_systems_and_segments_by_hand():
    scores = study()[:, :6]
    scores = np.where(np.isnan(scores), 0.3, scores)
    groups = GROUPS[:6]
    many = Bootstrap(3000)
    _, (difference,) = compare_groups(scores, groups, many)
    rng = np.random.default_rng(11)
    tuned, prompted = ([k for k, g in enumerate(groups) if g == n] for n in ("tuned", "prompted"))
    drawn = []
    for _ in range(3000):
        rows = rng.integers(0, 30, 30)
        one, other = (rng.choice(own, len(own)) for own in (tuned, prompted))
        drawn.append(scores[rows][:, one].mean() - scores[rows][:, other].mean())
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert difference.result.interval.low == pytest.approx(low, abs=0.08)
    assert difference.result.interval.high == pytest.approx(high, abs=0.08)


def test_small_and_empty_groups_say_so_and_p_values_are_adjusted_over_pairs():
    scores = study(2.0)
    scores[:, 6] = np.nan
    groups = ["a", "a", "b", "a", "b", "c", "d"]
    means, pairs = compare_groups(scores, groups, FEW)
    assert [each.group for each in means] == ["a", "b", "c", "d"]
    assert [bool(each.result.interval) for each in means] == [True, False, False, False]
    assert means[1].result.details["no_interval_because"] == "fewer than 3 systems in b"
    assert isinstance(means[3].result, Undefined)
    names = [(pair.first, pair.second) for pair in pairs]
    assert names == list(combinations("abcd", 2))
    known = [pair for pair in pairs if pair.result.p_value is not None]
    assert {name for pair in known for name in (pair.first, pair.second)} == set("abc")
    adjusted = holm([pair.result.p_value for pair in known])
    assert [pair.holm for pair in known] == pytest.approx(adjusted)
    assert compare_groups(scores, groups, Bootstrap(0))[1][0].result.p_value is None
    with pytest.raises(ValueError, match="7 systems, but 2 groups"):
        compare_groups(scores, ["a", "b"], FEW)
