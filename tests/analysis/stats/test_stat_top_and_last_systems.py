"""The best and the last N systems keep a fixed order and any statistic can be asked of them."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.stats.correlation.metric_correlation import system_level
from analysis.stats.correlation.top_n import top_and_last_systems
from analysis.stats.results import Estimate, Undefined

SYSTEMS = ["e", "d", "c", "b", "a"]


@pytest.fixture
def matrices() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    human = rng.normal([1, 2, 3, 4, 5], 1, (50, 5))
    return human + rng.normal(size=human.shape), human


def test_subsets_run_from_all_systems_down_to_three_on_both_sides(matrices) -> None:
    subsets = top_and_last_systems(*matrices, SYSTEMS)
    found = [(subset.side, subset.size, "".join(subset.systems)) for subset in subsets]
    assert found == [
        ("top", 5, "abcde"),
        ("last", 5, "abcde"),
        ("top", 4, "abcd"),
        ("last", 4, "bcde"),
        ("top", 3, "abc"),
        ("last", 3, "cde"),
    ]


def test_a_statistic_sees_only_the_columns_of_its_systems(matrices) -> None:
    metric, human = matrices
    subsets = top_and_last_systems(
        metric, human, SYSTEMS, statistics={"r": system_level}, sizes=[3]
    )
    assert [set(subset.results) for subset in subsets] == [{"r"}, {"r"}]
    top, last = (subset.results["r"] for subset in subsets)
    expected = [
        system_level(metric[:, columns], human[:, columns]) for columns in ([2, 3, 4], [0, 1, 2])
    ]
    for result, oracle in zip((top, last), expected, strict=True):
        assert isinstance(result, Estimate)
        assert isinstance(oracle, Estimate)
        assert result.value == pytest.approx(oracle.value)


def test_raw_scores_order_the_systems_even_where_z_scores_are_correlated(matrices) -> None:
    metric, human = matrices
    reversed_order = top_and_last_systems(metric, human, SYSTEMS, raw_human=-human, sizes=[5])
    assert reversed_order[0].systems == ("e", "d", "c", "b", "a")


def test_equal_means_are_ordered_by_name_and_unrated_systems_left_out(matrices) -> None:
    metric, _ = matrices
    human = np.ones((50, 5))
    human[:, 1] = np.nan
    subsets = top_and_last_systems(metric, human, SYSTEMS)
    assert subsets[0].systems == ("a", "b", "c", "e")
    assert isinstance(subsets[0].results["system_pearson"], Undefined)


def test_two_systems_have_no_subset(matrices) -> None:
    metric, human = matrices
    assert top_and_last_systems(metric[:, :2], human[:, :2], ["a", "b"]) == []
    with pytest.raises(ValueError, match="distinct"):
        top_and_last_systems(metric, human, ["a", "a", "b", "c", "d"])
