"""Ranks of systems by mean score, with intervals from resampled segments."""

import numpy as np
import scipy

from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate, Undefined
from analysis.stats.systems.rank_ranges import rank_intervals

FEW = Bootstrap(resamples=200, seed=3)


def test_the_rank_is_that_of_the_mean_and_equal_means_share_theirs() -> None:
    ranks = rank_intervals([[1.0, 3.0, 1.0], [2.0, 4.0, 2.0]], bootstrap=FEW)
    assert [each.value for each in ranks] == [2.5, 1.0, 2.5]


def test_intervals_are_those_of_a_plain_loop_over_resamples() -> None:
    generator = np.random.default_rng(5)
    scores = generator.normal([0.0, 0.2, 0.4, 2.0], size=(30, 4))
    scores[generator.random(scores.shape) < 0.2] = np.nan
    ranks = rank_intervals(scores, bootstrap=FEW)
    drawn = np.random.default_rng(FEW.seed).integers(0, 30, size=(FEW.resamples, 30))
    looped = np.array(
        [scipy.stats.rankdata(-np.nanmean(scores[segments], axis=0)) for segments in drawn]
    )
    assert len(ranks) == 4
    for system, result in enumerate(ranks):
        assert isinstance(result, Estimate)
        assert result.n == np.isfinite(scores[:, system]).sum()
        assert result.interval.low == np.quantile(looped[:, system], 0.025, method="lower")
        assert result.interval.high == np.quantile(looped[:, system], 0.975, method="higher")


def test_a_system_without_scores_has_no_rank_and_takes_none_from_the_others() -> None:
    first, nobody, last = rank_intervals([[2.0, np.nan, 1.0]] * 3, bootstrap=FEW)
    assert isinstance(nobody, Undefined)
    assert nobody.reason == "the system has no score"
    assert (first.value, last.value) == (1.0, 2.0)


def test_a_system_with_one_score_is_left_out_of_the_draws_that_miss_it() -> None:
    scores = np.array([[1.0, 5.0], [1.0, np.nan], [1.0, np.nan]])
    rare = rank_intervals(scores, bootstrap=FEW)[1]
    assert 0 < rare.details["degenerate_draws"] < FEW.resamples
    assert (rare.interval.low, rare.interval.high) == (1.0, 1.0)
