"""Correlations in strata and over the best N systems: values, intervals and what is compared."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

from analysis.stats.correlation.correlation_bootstrap import bootstrap_correlation
from analysis.stats.correlation.strata import (
    Stratum,
    correlation_of_segments,
    correlations_by_stratum,
    enough_draws,
    tau_like_statistic,
)
from analysis.stats.correlation.top_n import RESULT, top_and_last_intervals, top_and_last_systems
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Undefined
from tests.fixtures.estimates import estimate
from tests.fixtures.nonempty import at_least_one

PEARSON = correlation_of_segments()
SYSTEMS = ["e", "d", "c", "b", "a"]


@pytest.fixture
def study() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    human = rng.normal([1, 2, 3, 4, 5], 1, (60, 5))
    metric = human + rng.normal(0, np.where(np.arange(60) < 30, 0.5, 3.0)[:, None], human.shape)
    human[7, 2] = metric[9, 1] = np.nan
    return metric, human


def halves(systems: int = 5) -> list[Stratum]:
    return [Stratum(rows, np.arange(systems)) for rows in (np.arange(30), np.arange(30, 60))]


@pytest.mark.parametrize(
    ("statistic", "oracle"),
    [
        (PEARSON, pearsonr),
        (correlation_of_segments("spearman"), spearmanr),
        (correlation_of_segments("kendall-tau-b"), kendalltau),
    ],
)
def test_a_stratum_has_the_correlation_of_its_own_cells(study, statistic, oracle):
    metric, human = study
    (results,), _ = correlations_by_stratum(
        [metric], human, halves(), [statistic], bootstrap=Bootstrap(50)
    )
    for rows, result in zip((slice(0, 30), slice(30, 60)), results, strict=True):
        both = np.isfinite(metric[rows]) & np.isfinite(human[rows])
        expected = oracle(metric[rows][both], human[rows][both])[0]
        assert estimate(result).value == pytest.approx(expected, abs=1e-12)
        assert estimate(result).details["outputs"] == both.sum()


def test_the_interval_of_a_stratum_is_that_of_the_stratum_alone(study):
    metric, human = study
    bootstrap = Bootstrap(300)
    (results,), _ = correlations_by_stratum(
        [metric], human, halves(), [PEARSON], bootstrap=bootstrap
    )
    alone = bootstrap_correlation(metric[30:], human[30:], method="percentile", bootstrap=bootstrap)
    assert estimate(results[1]).interval == estimate(alone).interval


def test_strata_of_different_segments_differ_as_independent_samples_do(study):
    metric, human = study
    bootstrap = Bootstrap(4000)
    _, (difference,) = correlations_by_stratum(
        [metric], human, halves(), [PEARSON], bootstrap=bootstrap
    )
    rng = np.random.default_rng(11)
    drawn = []
    for rows in (np.arange(30), np.arange(30, 60)):
        own = []
        for _ in range(2000):
            picked = rng.choice(rows, 30)
            both = np.isfinite(metric[picked]) & np.isfinite(human[picked])
            own.append(pearsonr(metric[picked][both], human[picked][both])[0])
        drawn.append(np.array(own))
    low, high = np.quantile(drawn[0] - drawn[1], [0.025, 0.975])
    interval = estimate(difference.result).interval
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=0.02)
    assert difference.detected


def test_draws_of_two_strata_of_equal_size_are_not_the_same_random_numbers(study):
    metric, human = study
    twice = np.concatenate([metric[:30], metric[:30]]), np.concatenate([human[:30], human[:30]])
    _, (difference,) = correlations_by_stratum(
        [twice[0]], twice[1], halves(), [PEARSON], bootstrap=Bootstrap(500)
    )
    result = estimate(difference.result)
    assert result.value == 0
    assert result.interval.high - result.interval.low > 0.02
    assert not difference.detected


def test_strata_of_systems_are_compared_on_the_same_segments(study):
    metric, human = study
    every = np.arange(60)
    strata = [Stratum(every, np.array([0, 1, 2])), Stratum(every, np.array([2, 3, 4]))]
    bootstrap = Bootstrap(300)
    _, (difference,) = correlations_by_stratum(
        [metric], human, strata, [PEARSON], bootstrap=bootstrap, paired=True
    )
    one, other = (
        PEARSON.of(metric[:, s.systems], human[:, s.systems]) for s in strata
    )  # fmt: skip
    rng = np.random.default_rng(bootstrap.seed)
    picked = rng.integers(0, 60, (300, 60))
    weights = np.array([np.bincount(row, minlength=60) for row in picked]).astype(float)
    low, high = np.quantile(one(weights) - other(weights), [0.025, 0.975])
    interval = estimate(difference.result).interval
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-12)


def test_a_family_is_adjusted_over_metrics_and_strata_and_can_be_detected(study):
    metric, human = study
    rng = np.random.default_rng(2)
    metrics = [metric, human + rng.normal(0, 1, human.shape), rng.normal(size=human.shape)]
    thirds = [Stratum(np.arange(s, s + 20), np.arange(5)) for s in (0, 20, 40)]
    bootstrap = enough_draws(Bootstrap(100), 9)
    _, differences = correlations_by_stratum(
        metrics, human, thirds, [PEARSON] * 3, bootstrap=bootstrap
    )
    assert [(d.metric, d.first, d.second) for d in differences[:4]] == [
        (0, 0, 1),
        (0, 0, 2),
        (0, 1, 2),
        (1, 0, 1),
    ]
    smallest = min(estimate(d.result).p_value for d in differences)
    assert min(d.adjusted for d in differences) == pytest.approx(min(1, 9 * smallest))
    assert 9 * 2 / (bootstrap.resamples + 1) < 0.05
    assert any(d.detected for d in differences)


def test_an_unrated_or_constant_stratum_is_undefined_with_its_differences(study):
    metric, human = study
    human = human.copy()
    human[30:] = np.nan
    (results,), (difference,) = correlations_by_stratum(
        [metric], human, halves(), [PEARSON], bootstrap=Bootstrap(20)
    )
    assert isinstance(results[1], Undefined)
    assert "nobody rated" in results[1].reason
    assert isinstance(difference.result, Undefined)
    assert difference.adjusted is None
    constant = np.where(np.arange(60)[:, None] < 30, study[0], 1.0)
    (results,), _ = correlations_by_stratum(
        [constant], study[1], halves(), [PEARSON], bootstrap=Bootstrap(20)
    )
    assert isinstance(results[1], Undefined)


def test_strata_that_share_segments_are_no_independent_samples(study):
    metric, human = study
    shared = [Stratum(np.arange(40), np.arange(5)), Stratum(np.arange(30, 60), np.arange(5))]
    with pytest.raises(ValueError, match="share a segment"):
        correlations_by_stratum([metric], human, shared, [PEARSON], bootstrap=Bootstrap(20))
    with pytest.raises(ValueError, match="same segments"):
        correlations_by_stratum(
            [metric], human, halves(), [PEARSON], bootstrap=Bootstrap(20), paired=True
        )


def test_curves_have_the_values_and_the_systems_of_the_plain_ones(study):
    metric, human = study
    plain = top_and_last_systems(metric, human, SYSTEMS)
    banded = top_and_last_intervals(metric, human, SYSTEMS, PEARSON, bootstrap=Bootstrap(50))
    assert [(s.side, s.size, s.systems) for s in banded] == [
        (s.side, s.size, s.systems) for s in plain
    ]
    for one, other in zip(plain, banded, strict=True):
        expected = estimate(one.results["segment_pearson"]).value
        assert estimate(other.results[RESULT]).value == pytest.approx(expected, abs=1e-12)


def test_fixed_sets_have_the_interval_of_their_own_systems(study):
    metric, human = study
    bootstrap = Bootstrap(200)
    subsets = top_and_last_intervals(metric, human, SYSTEMS, PEARSON, bootstrap=bootstrap)
    top = next(s for s in subsets if (s.side, s.size) == ("top", 3))
    columns = [SYSTEMS.index(name) for name in top.systems]
    alone = bootstrap_correlation(
        metric[:, columns], human[:, columns], method="percentile", bootstrap=bootstrap
    )
    assert estimate(top.results[RESULT]).interval == estimate(alone).interval


@pytest.mark.parametrize(
    "statistic", [PEARSON, correlation_of_segments(level="system"), tau_like_statistic()]
)
def test_reranked_sets_are_those_of_each_resampled_study(statistic):
    rng = np.random.default_rng(8)
    human = rng.normal([1, 1.2, 1.3, 1.1, 1.4], 1, (25, 5))
    metric = human + rng.normal(size=human.shape)
    bootstrap = Bootstrap(120)
    subsets = top_and_last_intervals(
        metric, human, SYSTEMS, statistic, sets="reranked", bootstrap=bootstrap
    )
    picked = np.random.default_rng(bootstrap.seed).integers(0, 25, (120, 25))
    for subset in at_least_one(subsets):
        values = []
        for rows in picked:
            order = np.argsort(-human[rows].mean(axis=0))
            chosen = order[: subset.size] if subset.side == "top" else order[-subset.size :]
            one = statistic.of(metric[rows][:, chosen], human[rows][:, chosen])
            values.append(one(np.ones((1, 25)))[0])
        result = estimate(subset.results[RESULT])
        expected = np.quantile(values, [0.025, 0.975])
        if "level:system" in result.signature:
            z = np.arctanh(values)
            centred = np.tanh(z + np.arctanh(result.value) - np.median(z))
            moved = np.quantile(centred, [0.025, 0.975])
            expected = min(expected[0], moved[0]), max(expected[1], moved[1])
        interval = result.interval
        assert (interval.low, interval.high) == pytest.approx(expected, abs=1e-12)


def test_a_draw_in_which_a_system_is_unrated_is_degenerate_and_counted():
    rng = np.random.default_rng(6)
    human = rng.normal(size=(10, 4))
    human[1:, 3] = np.nan
    metric = rng.normal(size=human.shape)
    subsets = top_and_last_intervals(
        metric, human, list("abcd"), PEARSON, sets="reranked", bootstrap=Bootstrap(200)
    )
    degenerate = estimate(subsets[0].results[RESULT]).details["degenerate_draws"]
    picked = np.random.default_rng(Bootstrap().seed).integers(0, 10, (200, 10))
    assert degenerate == (picked != 0).all(axis=1).sum()
    with pytest.raises(ValueError, match="unknown sets"):
        top_and_last_intervals(
            metric, human, list("abcd"), PEARSON, sets="new", bootstrap=Bootstrap(9)
        )
