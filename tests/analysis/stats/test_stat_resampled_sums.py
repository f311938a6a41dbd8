"""Statistics resampled together have the draws that each has alone, from one drawing of counts."""

import numpy as np
import pytest

from analysis.stats.correlation.metric_correlation import segment_level, segment_level_steps
from analysis.stats.correlation.pearson import r_of_sums, row_sums
from analysis.stats.resampling import resampled_sums
from analysis.stats.resampling.bootstrap import Bootstrap, bootstrap_draws, multiplicities
from analysis.stats.resampling.resampled_sums import SumStatistic, draws_of_sums, resampled_together
from analysis.stats.results import Estimate, Undefined

HOW = Bootstrap(200, seed=3)


def study(segments=50, systems=4, metrics=6, seed=1):
    rng = np.random.default_rng(seed)
    human = rng.normal(size=(segments, systems))
    scores = human + rng.normal(size=(metrics, segments, systems))
    scores[3][rng.random((segments, systems)) < 0.3] = np.nan
    scores[4, :7] = np.nan  # Seven segments fewer: other draws.
    scores[5] = 1.0  # Undefined: it asks for no draws.
    return scores, human


@pytest.mark.parametrize("memory", [1, 900, 2_000_000])
def test_together_and_alone_give_the_same_results_in_the_same_order(monkeypatch, memory):
    monkeypatch.setattr(resampled_sums, "CELLS_IN_MEMORY", memory)
    scores, human = study()
    together = resampled_together(
        (segment_level_steps(metric, human, bootstrap=HOW) for metric in scores), HOW
    )
    alone = [segment_level(metric, human, bootstrap=HOW) for metric in scores]
    assert isinstance(together[5], Undefined)
    for one, other in zip(together, alone, strict=True):
        assert (one.signature, one.n, one.details) == (other.signature, other.n, other.details)
        if isinstance(one, Estimate):
            assert one.value == other.value
            np.testing.assert_allclose(
                [one.interval.low, one.interval.high],
                [other.interval.low, other.interval.high],
                atol=1e-13,
            )


def test_draws_are_those_of_weights_applied_one_by_one():
    scores, human = study()
    both = np.isfinite(scores[0])
    sums = row_sums(scores[0], human, both)
    [drawn] = draws_of_sums([SumStatistic(sums, r_of_sums)], HOW)
    by_hand = bootstrap_draws(np.ones(50), lambda weights: r_of_sums(weights @ sums), HOW)
    np.testing.assert_allclose(drawn, by_hand, atol=1e-13)
    copies = next(iter(multiplicities(np.ones(50), HOW)))[7].astype(int)
    taken = np.repeat(np.arange(50), copies)
    assert drawn[7] == pytest.approx(
        np.corrcoef(scores[0][taken].ravel(), human[taken].ravel())[0, 1]
    )
