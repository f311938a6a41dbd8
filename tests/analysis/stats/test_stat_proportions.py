"""Intervals of shares keep their width where all units agree, and hold the true share."""

import numpy as np
import pytest
import scipy
from statsmodels.stats.proportion import proportion_confint

from analysis.stats.agreement.agreement_intervals import AnnotatedUnits, agreement_interval
from analysis.stats.agreement.naturalness import classifier_agreement, share_preferred
from analysis.stats.agreement.rater_pairs import percent_agreement, weighted_percent_agreement
from analysis.stats.correlation.tau_like import tau_like
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.resampling.proportions import interval_of_mean_share
from analysis.stats.systems.rank_ranges import rank_systems

UNITS = 8
LEAST = 0.025 ** (1 / UNITS)
"""Lower limit of the exact interval of eight in eight, .6306."""
DRAWN = Bootstrap(resamples=100)


def limits(result):
    return result.interval.low, result.interval.high


def test_percent_agreement_of_two_raters_has_the_exact_interval():
    for agreeing in range(UNITS + 1):
        table = [[1, 1]] * agreeing + [[1, 2]] * (UNITS - agreeing)
        exact = scipy.stats.binomtest(agreeing, UNITS).proportion_ci(method="exact")
        assert limits(percent_agreement(table)) == pytest.approx((exact.low, exact.high))


def test_more_raters_add_pairs_but_units_are_what_is_independent():
    assert limits(percent_agreement(np.ones((UNITS, 5)))) == pytest.approx((LEAST, 1.0))
    shares = np.array([1, 1, 1, 2 / 3, 1 / 3, 1, 1, 0.5])
    pairs = np.array([3, 3, 3, 3, 3, 6, 6, 6])
    mean = shares.mean()
    design = shares.var(ddof=1) / UNITS / (mean * (1 - mean) / (UNITS - 1))
    freedom = scipy.stats.t.ppf(0.975, [pairs.sum() - 1, UNITS - 1])
    effective = UNITS / design * (freedom[0] / freedom[1]) ** 2
    found = interval_of_mean_share(shares, pairs, 0.95, over="units")
    expected = proportion_confint(mean * effective, effective, method="beta")
    assert (found.low, found.high) == pytest.approx(expected)
    assert interval_of_mean_share(shares[:1], pairs[:1], 0.95, over="units") is None


UNANIMOUS = {
    "share preferred to the source": (
        lambda: share_preferred(np.ones((UNITS, 2)), bootstrap=DRAWN),
        (LEAST, 1),
    ),
    "share preferred by nobody": (
        lambda: share_preferred(-np.ones((UNITS, 2)), bootstrap=DRAWN),
        (0, 1 - LEAST),
    ),
    "classifier": (
        lambda: classifier_agreement(
            np.ones((UNITS, 2)), np.zeros(UNITS), np.ones((UNITS, 2)), bootstrap=DRAWN
        ),
        (LEAST, 1),
    ),
    "tau-like": (
        lambda: tau_like([[1.0, 2.0]] * UNITS, [[1.0, 3.0]] * UNITS, bootstrap=DRAWN),
        (2 * LEAST - 1, 1),
    ),
    "tau-like, discordant": (
        lambda: tau_like([[2.0, 1.0]] * UNITS, [[1.0, 3.0]] * UNITS),
        (-1, 1 - 2 * LEAST),
    ),
    "win rate": (
        lambda: rank_systems(np.ones((UNITS, 1)), ["winner"], bounds=(0, 1))[0].score,
        (LEAST, 1),
    ),
}


@pytest.mark.parametrize(("result", "expected"), UNANIMOUS.values(), ids=UNANIMOUS.keys())
def test_a_share_that_no_unit_departs_from_has_an_exact_interval(result, expected):
    found = result()
    assert limits(found) == pytest.approx(expected)
    assert "none of which departs" in found.interval.method


def test_resampled_percent_agreement_counts_what_is_resampled():
    raters = np.tile(np.arange(6), (UNITS, 1))
    units = AnnotatedUnits(np.ones((UNITS, 6)), raters, np.arange(UNITS) // 2, np.arange(UNITS) % 2)

    def interval(over):
        return agreement_interval(units, weighted_percent_agreement, over=over, bootstrap=DRAWN)

    for over, groups in (("units", UNITS), ("segments", 4), ("systems", 2)):
        found, _ = interval(over)
        assert (found.low, found.high) == pytest.approx((0.025 ** (1 / groups), 1.0))
    for over in ("annotators", "segments and annotators"):
        found, facts = interval(over)
        assert found is None
        assert "annotators" in facts["no_interval_because"]
