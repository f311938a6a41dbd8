"""Agreement under two protocols over the same units, against other packages and known kappas."""

import numpy as np
import pytest

from analysis.stats.agreement.kappas import fleiss_kappa
from analysis.stats.agreement.krippendorff_alpha import krippendorff_alpha
from analysis.stats.agreement.protocol_agreement import STATISTICS, paired_agreement
from analysis.stats.resampling.bootstrap import Bootstrap
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
