"""Permutation tests of two metrics: against swaps made by hand, enumeration and simulation."""

import itertools

import numpy as np
import pytest
import scipy

from analysis.stats.comparison.metric_permutation import (
    SWAP_COEFFICIENTS,
    scaled,
    segment_level_permutations,
    system_level_permutations,
)
from analysis.stats.comparison.swapped_coefficients import SWAPS, SwapBits
from analysis.stats.correlation import concordance, weighted_correlation
from analysis.stats.correlation.metric_correlation import segment_level
from analysis.stats.resampling.permutation import Permutation, sampled_p_value
from analysis.stats.results import Estimate, Result
from tests.fixtures.estimates import estimate

GROUPINGS = ("none", "segment", "system")


def scores(*, ties: bool, missing: bool = True, segments: int = 9, systems: int = 5) -> np.ndarray:
    """Return people and two metrics (3 × segments × systems)."""
    rng = np.random.default_rng(3)
    human = rng.normal(0, 2, (segments, systems))
    metrics = human + rng.normal(0, 2, (2, segments, systems))
    three = np.concatenate([human[None], metrics])
    if ties:
        three = np.round(three / 2)
    if missing:
        three[rng.random(three.shape) < 0.1] = np.nan
    return three


def of_outputs(first, second, human, *arguments, **options) -> Result:
    (pair,) = segment_level_permutations([first, second], human, *arguments, **options)
    return pair.result


def of_systems(first, second, human, *arguments, **options) -> Result:
    (pair,) = system_level_permutations([first, second], human, *arguments, **options)
    return pair.result


def swapped_by_hand(
    three: np.ndarray, coefficient, grouping, swap, draws: int, scale="standardised"
) -> np.ndarray:
    """Swap whole matrices and correlate each from scratch."""
    human, *metrics = three
    present = np.isfinite(three).all(axis=0)
    first, second = metrics
    if scale == "standardised":
        first, second = scaled(np.stack(metrics), present, "standardised")
    first, second = (np.where(present, side, np.nan) for side in (first, second))
    grouped = {"segment": present, "system": present.T, "none": present.reshape(1, -1)}[grouping]
    by_people = {"segment": human, "system": human.T, "none": human.reshape(1, -1)}[grouping]
    kept = [g for g in range(len(grouped)) if np.unique(by_people[g][grouped[g]]).size > 1]
    bits = SwapBits(swap, grouping, *human.shape, np.array(kept), draws, 11)
    coins = np.zeros((*grouped.shape, draws), dtype=np.uint8)
    for groups, taken, block in bits.blocks():
        coins[np.array(kept)[groups], :, taken] = block
    differences = []
    for draw in range(draws):
        coin = coins[..., draw].astype(bool)
        coin = coin.T if grouping == "system" else coin.reshape(human.shape)
        one, other = np.where(coin, second, first), np.where(coin, first, second)
        values = [
            segment_level(metric, human, coefficient, grouping=grouping, bootstrap=None)
            for metric in (one, other)
        ]
        if all(isinstance(value, Estimate) for value in values):
            differences.append(values[0].value - values[1].value)
    return np.array(differences)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("swap", SWAPS)
@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize("coefficient", SWAP_COEFFICIENTS)
def test_each_draw_is_the_correlation_of_the_swapped_scores(coefficient, grouping, swap, ties):
    three = scores(ties=ties)
    how = Permutation(draws=24, seed=11)
    result = estimate(
        of_outputs(
            three[1], three[2], three[0], coefficient, grouping=grouping, swap=swap, permutation=how
        )
    )
    present = np.isfinite(three).all(axis=0)
    for side, metric in (("first", three[1]), ("second", three[2])):
        alone = segment_level(
            np.where(present, metric, np.nan), three[0], coefficient, grouping=grouping
        )
        assert result.details[side] == pytest.approx(estimate(alone).value)
    drawn = swapped_by_hand(three, coefficient, grouping, swap, 24)
    assert result.p_value == sampled_p_value(result.value, drawn)
    for alternative in ("greater", "less"):
        one_sided = of_outputs(
            three[1],
            three[2],
            three[0],
            coefficient,
            grouping=grouping,
            swap=swap,
            permutation=Permutation(24, 11, alternative),
        )
        assert estimate(one_sided).p_value == sampled_p_value(result.value, drawn, alternative)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize("coefficient", ["spearman", "kendall-tau-b"])
def test_large_groups_by_sorting_are_those_by_tables(monkeypatch, coefficient, grouping, ties):
    three = scores(ties=ties, segments=30, systems=6)
    found = []
    for widest in (400, 1):
        for module in (concordance, weighted_correlation):
            monkeypatch.setattr(module, "WIDEST_TABLE", widest)
        result = estimate(of_outputs(*three[1:], three[0], coefficient, grouping=grouping))
        found.append((result.p_value, result.details["degenerate_draws"]))
    assert found[0] == found[1]


def correlation(coefficient):
    return {
        "pearson": scipy.stats.pearsonr,
        "spearman": scipy.stats.spearmanr,
        "kendall-tau-b": scipy.stats.kendalltau,
    }[coefficient]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("coefficient", SWAP_COEFFICIENTS)
def test_all_swaps_of_system_means_are_enumerated(coefficient, alternative):
    three = scores(ties=False, missing=False, systems=6)
    human, first, second = three.mean(axis=1)
    first, second = scipy.stats.zscore(first), scipy.stats.zscore(second)
    r = correlation(coefficient)
    seen = r(first, human).statistic - r(second, human).statistic
    drawn = []
    for coins in itertools.product([False, True], repeat=6):
        one, other = np.where(coins, second, first), np.where(coins, first, second)
        drawn.append(r(one, human).statistic - r(other, human).statistic)
    extreme = {
        "two-sided": np.abs(drawn) >= abs(seen) - 1e-12,
        "greater": np.array(drawn) >= seen - 1e-12,
        "less": np.array(drawn) <= seen + 1e-12,
    }[alternative]
    result = estimate(
        of_systems(
            three[1], three[2], three[0], coefficient,
            permutation=Permutation(alternative=alternative),
        )
    )  # fmt: skip
    assert result.value == pytest.approx(seen)
    assert result.p_value == extreme.mean()
    assert result.details["exact"]
    assert "permutations:all" in result.signature
    assert "seed" not in result.signature


@pytest.mark.parametrize("swap", ["cells", "segments", "both"])
@pytest.mark.parametrize("coefficient", SWAP_COEFFICIENTS)
def test_system_means_are_taken_anew_after_swapping_cells(coefficient, swap):
    three = scores(ties=False, missing=False, segments=4, systems=5)
    how = Permutation(64, 2)
    result = estimate(
        of_systems(three[1], three[2], three[0], coefficient, swap=swap, permutation=how)
    )
    present = np.ones((4, 5), dtype=bool)
    first, second = scaled(three[1:], present, "standardised")
    bits = SwapBits(swap, "segment", 4, 5, np.arange(4), 64, 2)
    ((_, _, coins),) = bits.blocks()
    r, people, drawn = correlation(coefficient), three[0].mean(axis=0), []
    for draw in range(64):
        coin = coins[..., draw].astype(bool)
        one, other = np.where(coin, second, first), np.where(coin, first, second)
        drawn.append(r(one.mean(0), people).statistic - r(other.mean(0), people).statistic)
    assert result.p_value == sampled_p_value(result.value, np.array(drawn))


def test_equal_metrics_are_never_told_apart():
    three = scores(ties=True)
    for coefficient in SWAP_COEFFICIENTS:
        result = of_outputs(three[1], 3 * three[1] + 5, three[0], coefficient)
        assert (estimate(result).value, estimate(result).p_value) == (pytest.approx(0), 1.0)
    exact = estimate(of_systems(three[1], three[1] * 2, three[0]))
    assert exact.p_value == 1.0
