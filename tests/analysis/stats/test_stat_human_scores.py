"""z-scores, ranks, means per output and the ranking of systems with its intervals."""

import numpy as np
import pytest
import scipy
from scipy import stats

from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.systems.human_scores import rank_scores, z_scores
from analysis.stats.systems.rank_ranges import rank_intervals, rank_systems


@pytest.mark.parametrize("ddof", [0, 1])
def test_z_scores_equal_those_of_scipy_group_by_group(ddof) -> None:
    rng = np.random.default_rng(1)
    groups = rng.integers(0, 5, 200)
    values = rng.normal(60, 20, 200) + 10 * groups
    values[rng.random(200) < 0.1] = np.nan
    scaled = z_scores(values, groups, ddof=ddof)
    for group in range(5):
        chosen = groups == group
        oracle = stats.zscore(values[chosen], ddof=ddof, nan_policy="omit")
        np.testing.assert_allclose(scaled.values[chosen], oracle)
    assert scaled.signature == f"z-score|ddof:{ddof}|v:0.1"


def test_an_annotator_who_always_gives_the_same_rating_is_undefined_and_counted() -> None:
    values = [70.1, 70.1, 70.1, 1.0, 2.0, 5.0]
    scaled = z_scores(values, [0, 0, 0, 1, 1, 2])
    assert scaled.undefined_groups == (0, 2)
    assert scaled.undefined_ratings == 4
    assert np.isnan(scaled.values[[0, 1, 2, 5]]).all()
    assert scaled.values[[3, 4]].tolist() == [-1.0, 1.0]


def test_ranks_are_those_of_scipy_group_by_group_with_ties_shared() -> None:
    rng = np.random.default_rng(2)
    groups = rng.integers(0, 4, 300)
    values = rng.integers(1, 6, 300).astype(float)
    values[rng.random(300) < 0.1] = np.nan
    ranks = rank_scores(values, groups)
    for group in range(4):
        chosen = (groups == group) & np.isfinite(values)
        expected = (stats.rankdata(values[chosen]) - 0.5) / chosen.sum()
        np.testing.assert_allclose(ranks[chosen], expected)
        assert ranks[chosen].mean() == pytest.approx(0.5)
    assert np.isnan(ranks[np.isnan(values)]).all()


def test_systems_are_ranked_by_their_means_with_scipys_intervals() -> None:
    rng = np.random.default_rng(3)
    scores = rng.normal([50, 70, 60], 5, (40, 3))
    scores[:4, 1] = np.nan
    rows = rank_systems(scores, ["low", "high", "middle"])
    assert [(row.system, row.rank) for row in rows] == [("high", 1), ("middle", 2), ("low", 3)]
    best = rows[0].score
    assert (best.n, best.unit, best.details["missing_outputs"]) == (36, "outputs", 4)
    oracle = stats.ttest_1samp(scores[4:, 1], 0).confidence_interval()
    assert (best.interval.low, best.interval.high) == pytest.approx((oracle.low, oracle.high))


FEW = Bootstrap(resamples=200, seed=3)


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
        assert result.n == np.isfinite(scores[:, system]).sum()
        assert result.interval.low == np.quantile(looped[:, system], 0.025, method="lower")
        assert result.interval.high == np.quantile(looped[:, system], 0.975, method="higher")
