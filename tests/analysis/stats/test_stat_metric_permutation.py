"""Permutation tests of two metrics: against swaps made by hand, enumeration and simulation."""

from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
import pytest
import scipy

from analysis.stats.comparison import swapped_coefficients
from analysis.stats.comparison.metric_permutation import (
    SWAP_COEFFICIENTS,
    scaled,
    segment_level_permutations,
    system_level_permutations,
)
from analysis.stats.comparison.swapped_coefficients import SWAPS, SwapBits
from analysis.stats.correlation.metric_correlation import segment_level
from analysis.stats.resampling.permutation import Permutation, sampled_p_value
from analysis.stats.results import Estimate, Result, Undefined
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


@pytest.mark.parametrize("coefficient", SWAP_COEFFICIENTS)
def test_scores_on_one_scale_are_swapped_as_given(coefficient):
    three = scores(ties=True)
    three[2] *= 3
    result = estimate(
        of_outputs(
            three[1], three[2], three[0], coefficient,
            scale="given", permutation=Permutation(50, 11),
        )
    )  # fmt: skip
    drawn = swapped_by_hand(three, coefficient, "none", "cells", 50, "given")
    assert result.p_value == sampled_p_value(result.value, drawn)
    assert "scale:given" in result.signature
    whole = np.nan_to_num(three)
    means = whole.mean(axis=1)
    r, drawn = correlation(coefficient), []
    for coins in itertools.product([False, True], repeat=5):
        one, other = np.where(coins, means[2], means[1]), np.where(coins, means[1], means[2])
        drawn.append(r(one, means[0]).statistic - r(other, means[0]).statistic)
    exact = estimate(of_systems(whole[1], whole[2], whole[0], coefficient, scale="given"))
    assert exact.p_value == np.mean(np.abs(drawn) >= abs(exact.value) - 1e-12)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize("coefficient", ["spearman", "kendall-tau-b"])
def test_large_groups_by_sorting_are_those_by_tables(monkeypatch, coefficient, grouping, ties):
    three = scores(ties=ties, segments=30, systems=6)
    found = []
    for widest in (300, 1):
        monkeypatch.setattr(swapped_coefficients, "WIDEST_TABLE", widest)
        result = estimate(of_outputs(*three[1:], three[0], coefficient, grouping=grouping))
        found.append((result.p_value, result.details["degenerate_draws"]))
    assert found[0] == found[1]


def test_groups_that_a_swap_makes_constant_are_left_out_of_that_draw():
    # Segment 0: swapping one of its cells leaves the first metric constant.
    human = np.array([[1.0, 2.0, 3.0], [3.0, 1.0, 2.0], [2.0, 3.0, 1.0], [1.0, 3.0, 2.0]])
    first = np.array([[0.0, 0.0, 5.0], [1.0, 2.0, 3.0], [3.0, 1.0, 2.0], [2.0, 4.0, 6.0]])
    second = np.array([[0.0, 0.0, 0.0], [2.0, 1.0, 3.0], [1.0, 3.0, 2.0], [1.0, 2.0, 3.0]])
    second[0] = first[0].mean()
    three = np.stack([human, first, second])
    for coefficient in SWAP_COEFFICIENTS:
        result = estimate(
            of_outputs(
                first, second, human, coefficient,
                grouping="segment", permutation=Permutation(200, 11),
            )
        )  # fmt: skip
        drawn = swapped_by_hand(three, coefficient, "segment", "cells", 200)
        assert result.p_value == sampled_p_value(result.value, drawn)
        assert (result.details["groups_first"], result.details["groups_second"]) == (4, 3)


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


def test_twenty_systems_are_enumerated_and_sampling_agrees():
    three = scores(ties=False, systems=20)
    exact = estimate(of_systems(three[1], three[2], three[0]))
    assert exact.details["draws"] == 2**20
    assert (exact.p_value * 2**20).is_integer()
    wider = np.concatenate([three, three[:, :, :1] * np.nan], axis=2)
    assert estimate(of_systems(wider[1], wider[2], wider[0])).p_value == exact.p_value
    more = scores(ties=False, systems=21)
    sampled = estimate(of_systems(more[1], more[2], more[0], permutation=Permutation(4000)))
    assert not sampled.details["exact"]
    assert "permutations:4000" in sampled.signature


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


def test_swapped_rows_and_columns_are_whole():
    for swap in SWAPS:
        bits = SwapBits(swap, "segment", 13, 4, np.arange(13), 50, 1)
        ((_, _, coins),) = bits.blocks()
        by_row = (coins == coins[:, :1]).all()
        by_column = (coins == coins[:1]).all()
        assert (by_row, by_column) == (swap == "segments", swap == "systems")
        # Swapping both is the sum of rows and columns modulo two.
        square = coins[:1, :1] ^ coins[:, :1] ^ coins[:1] ^ coins
        assert square.any() == (swap == "cells")
        assert coins.mean() == pytest.approx(0.5, abs=0.1)


def test_what_cannot_be_compared_is_undefined_and_says_why():
    three = scores(ties=False)
    flat = np.ones_like(three[0])
    for result, words in (
        (of_outputs(three[1], flat, three[0]), "same score"),
        (of_outputs(three[1], three[2], flat, grouping="segment"), "within any"),
        (of_systems(three[1], flat, three[0]), "second"),
        (of_systems(three[1, :, :2], three[2, :, :2], three[0, :, :2]), "fewer"),
        (of_outputs(three[1], three[2] * np.nan, three[0]), "same score"),
    ):
        assert isinstance(result, Undefined)
        assert words in result.reason
    constant_rows = np.broadcast_to(np.arange(9.0)[:, None], (9, 5))
    result = of_outputs(three[1], constant_rows, three[0], grouping="segment")
    assert isinstance(result, Undefined)
    assert "within any segment" in result.reason


def test_unknown_variants_and_shapes_are_refused():
    three = scores(ties=False)
    with pytest.raises(ValueError, match="unknown variant"):
        of_outputs(*three, "tau-c")
    with pytest.raises(ValueError, match="metric 1 is"):
        of_outputs(three[0], three[1, :3], three[2])
    with pytest.raises(ValueError, match="at least two"):
        system_level_permutations([three[0]], three[1])
    with pytest.raises(ValueError, match="alternative"):
        Permutation(alternative="both")


@pytest.mark.parametrize("coefficient", ["pearson", "kendall-tau-b"])
@pytest.mark.parametrize("grouping", ["none", "segment"])
def test_large_studies_are_tested_in_small_memory(coefficient, grouping):
    rng = np.random.default_rng(4)
    human = np.round(rng.normal(60, 15, (2000, 15)))
    metrics = human + rng.normal(0, 25, (2, 2000, 15))
    tracemalloc.start()
    of_outputs(*metrics, human, coefficient, grouping=grouping, permutation=Permutation(104))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 150e6


def test_groups_up_to_the_limit_are_compared_in_a_table():
    # Whole numbers of pairs stay exact in single precision.
    assert swapped_coefficients.WIDEST_TABLE**2 * 4 < 2**24
