"""Correlations in strata and over the best N systems: values, intervals and what is compared."""

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

from analysis.stats.correlation.correlation_bootstrap import (
    ResampledCorrelation,
    bootstrap_correlation,
)
from analysis.stats.correlation.strata import (
    SegmentStatistic,
    Stratum,
    correlation_by_stratum_steps,
)
from analysis.stats.correlation.tau_like import TauLike
from analysis.stats.correlation.top_n import RESULT, top_and_last_intervals
from analysis.stats.pieces import at_once
from analysis.stats.resampling.bootstrap import Bootstrap
from tests.fixtures.estimates import estimate
from tests.fixtures.nonempty import at_least_one

correlations_by_stratum = at_once(correlation_by_stratum_steps)
PEARSON = SegmentStatistic(ResampledCorrelation())
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
        (SegmentStatistic(ResampledCorrelation("spearman")), spearmanr),
        (SegmentStatistic(ResampledCorrelation("kendall-tau-b")), kendalltau),
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
    bootstrap = Bootstrap(2000)
    _, (difference,) = correlations_by_stratum(
        [metric], human, halves(), [PEARSON], bootstrap=bootstrap
    )
    rng = np.random.default_rng(11)
    drawn = []
    for rows in (np.arange(30), np.arange(30, 60)):
        own = []
        for _ in range(600):
            picked = rng.choice(rows, 30)
            both = np.isfinite(metric[picked]) & np.isfinite(human[picked])
            own.append(pearsonr(metric[picked][both], human[picked][both])[0])
        drawn.append(np.array(own))
    low, high = np.quantile(drawn[0] - drawn[1], [0.025, 0.975])
    interval = estimate(difference.result).interval
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=0.04)
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
    one, other = (PEARSON.kind.statistic(metric[:, s.systems], human[:, s.systems]) for s in strata)
    rng = np.random.default_rng(bootstrap.seed)
    picked = rng.integers(0, 60, (300, 60))
    weights = np.array([np.bincount(row, minlength=60) for row in picked]).astype(float)
    low, high = np.quantile(one(weights) - other(weights), [0.025, 0.975])
    interval = estimate(difference.result).interval
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-12)


@pytest.mark.parametrize(
    "statistic",
    [PEARSON, SegmentStatistic(ResampledCorrelation(level="system")), SegmentStatistic(TauLike())],
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
            one = statistic.kind.statistic(metric[rows][:, chosen], human[rows][:, chosen])
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
