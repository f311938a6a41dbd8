"""Headline correlations of the best and last systems, and of many subsets at once."""

from functools import partial

import numpy as np
import pytest

from analysis.stats.correlation.metric_correlation import segment_level, system_level
from analysis.stats.correlation.tau_like import TauLike, count_pairs_of_subsets, tau_like
from analysis.stats.correlation.top_n import (
    pooled_pearson_of_subsets,
    system_pearson_of_subsets,
    tau_like_of_subsets,
    top_and_last_systems,
)
from analysis.stats.results import Undefined

SUBSETS = [[0, 1, 2, 3, 4, 5], [5, 2, 0], [3, 4], [1], [0, 2, 3, 5]]


def study(*, missing: float, ties: bool = False, seed: int = 1):
    rng = np.random.default_rng(seed)
    human = rng.normal(60, 15, (40, 6)) + 5 * np.arange(6)
    metric = human + rng.normal(0, 20, human.shape)
    if ties:
        human, metric = np.round(human, -1), np.round(metric, -1)
    metric[rng.random(metric.shape) < missing] = np.nan
    human[rng.random(human.shape) < missing] = np.nan
    return metric, human


def tau_like_at_once(metric, human, subsets, min_gap=0.0, **options):
    counts = count_pairs_of_subsets(metric, human, subsets, min_gap=min_gap)
    return tau_like_of_subsets(counts, TauLike(min_gap, **options))


PAIRS = {
    "system": (system_pearson_of_subsets, system_level),
    "pooled": (pooled_pearson_of_subsets, partial(segment_level, bootstrap=None)),
    "tau-like": (tau_like_at_once, partial(tau_like, bootstrap=None)),
    "tau-like, gap of 20": (
        partial(tau_like_at_once, min_gap=20.0, metric_ties="half"),
        partial(tau_like, min_gap=20.0, metric_ties="half", bootstrap=None),
    ),
    "tau-like, pooled": (
        partial(tau_like_at_once, average="pooled", metric_ties="skip"),
        partial(tau_like, average="pooled", metric_ties="skip", bootstrap=None),
    ),
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_each_subset_has_the_result_of_the_cut_matrices(name, missing, ties):
    at_once, alone = PAIRS[name]
    metric, human = study(missing=missing, ties=ties)
    for found, subset in zip(at_once(metric, human, SUBSETS), SUBSETS, strict=True):
        expected = alone(metric[:, subset], human[:, subset])
        if isinstance(expected, Undefined):
            assert found == expected
            continue
        assert found.value == pytest.approx(expected.value, abs=1e-12)
        if expected.p_value is None:
            assert found.p_value is None
        else:
            assert found.p_value == pytest.approx(expected.p_value, rel=1e-9)
        assert (found.n, found.unit, found.pairs) == (expected.n, expected.unit, expected.pairs)
        assert found.signature == expected.signature
        assert set(found.details) == set(expected.details)
        assert {k: v for k, v in found.details.items() if k != "margin"} == {
            k: v for k, v in expected.details.items() if k != "margin"
        }
        assert (found.interval is None) == (expected.interval is None)
        if found.interval and expected.interval:
            limits = [found.interval.low, found.interval.high]
            assert limits == pytest.approx([expected.interval.low, expected.interval.high])


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
