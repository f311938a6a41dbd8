"""Agreement under two protocols over the same units, against other packages and known kappas."""

import numpy as np
import pytest

from analysis.stats.agreement.kappas import fleiss_kappa
from analysis.stats.agreement.krippendorff_alpha import krippendorff_alpha
from analysis.stats.agreement.protocol_agreement import STATISTICS, paired_agreement
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate, Undefined
from tests.fixtures.estimates import estimate


def ratings(kappa: float, seed: int, units: int = 150, points: int = 5) -> np.ndarray:
    """Three raters from 1 on whose kappa is known: each knows the truth with chance √kappa.

    Two raters then agree beyond chance with chance kappa, and otherwise as often as chance does.
    """
    draw = np.random.default_rng(seed)
    truth = draw.integers(1, points + 1, (units, 1))
    guess = draw.integers(1, points + 1, (units, 3))
    knows = draw.random((units, 3)) < np.sqrt(kappa)
    return np.where(knows, truth, guess).astype(float)


def missing(table: np.ndarray, seed: int) -> np.ndarray:
    gaps = np.random.default_rng(seed).random(table.shape) < 0.2
    return np.where(gaps, np.nan, table)


ONE_BY_ONE = {
    "fleiss-kappa": fleiss_kappa,
    "alpha-nominal": lambda table: krippendorff_alpha(table, "nominal", bootstrap=None),
}


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("gaps", [False, True])
def test_the_interval_is_that_of_computing_both_statistics_on_each_draw(statistic, gaps):
    careful, hasty = ratings(0.7, 1), ratings(0.2, 2)
    if gaps:
        careful, hasty = missing(careful, 3), missing(hasty, 4)
    how = Bootstrap(100, seed=9)
    compared = paired_agreement(careful, hasty, statistic, bootstrap=how)
    plain = ONE_BY_ONE[statistic]
    difference = estimate(compared.difference)
    assert estimate(compared.first).value == estimate(plain(careful)).value
    assert difference.value == estimate(plain(careful)).value - estimate(plain(hasty)).value
    drawn = np.random.default_rng(9).integers(0, 150, size=(100, 150))
    again = [
        estimate(plain(careful[rows])).value - estimate(plain(hasty[rows])).value for rows in drawn
    ]
    low, high = np.quantile(again, [0.025, 0.975])
    assert (difference.interval.low, difference.interval.high) == pytest.approx((low, high))


def test_an_undefined_protocol_leaves_the_difference_undefined():
    compared = paired_agreement(np.ones((20, 3)), ratings(0.5, 10, 20))
    assert isinstance(compared.first, Undefined)
    assert isinstance(compared.second, Estimate)
    assert isinstance(compared.difference, Undefined)


def test_whole_segments_can_be_drawn():
    segments = np.repeat(np.arange(30), 5)
    one, other = ratings(0.6, 12), ratings(0.2, 13)
    how = Bootstrap(100, seed=3)
    found = paired_agreement(one, other, groups=segments, over="segments", bootstrap=how)
    drawn = np.random.default_rng(3).integers(0, 30, size=(100, 30))
    again = []
    for groups in drawn:
        rows = np.concatenate([np.flatnonzero(segments == group) for group in groups])
        kappas = [estimate(fleiss_kappa(table[rows])).value for table in (one, other)]
        again.append(kappas[0] - kappas[1])
    interval = estimate(found.difference).interval
    assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(again, [0.025, 0.975])))
    assert "bootstrap:segments" in found.difference.signature


def test_what_does_not_fit_is_refused():
    table = ratings(0.5, 14)
    with pytest.raises(ValueError, match="same units"):
        paired_agreement(table, table[:-1])
    with pytest.raises(ValueError, match="one group"):
        paired_agreement(table, table, groups=[1, 2])
    with pytest.raises(ValueError, match="unknown statistic"):
        paired_agreement(table, table, "gwet-ac1")  # type: ignore[arg-type]


@pytest.mark.nightly
@pytest.mark.parametrize("statistic", STATISTICS)
def test_intervals_of_the_difference_cover_what_was_simulated(statistic):
    """Such as content of masked and of plain texts: kappas of .578 and .132."""
    covered, draws = 0, 100
    for seed in range(draws):
        masked, plain = ratings(0.578, 2 * seed, 120), ratings(0.132, 2 * seed + 1, 120)
        found = paired_agreement(masked, plain, statistic, bootstrap=Bootstrap(200, seed=seed))
        interval = estimate(found.difference).interval
        covered += interval.low <= 0.578 - 0.132 <= interval.high
    # 95 of 100 on average; 88 or fewer would be seen about four times in a thousand.
    assert covered > 88
