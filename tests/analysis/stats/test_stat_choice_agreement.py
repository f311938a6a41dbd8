"""Agreement on choices between two texts, against other packages and known truth."""

import itertools

import krippendorff
import numpy as np
import pytest
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as their_kappa

from analysis.stats.agreement.choice_agreement import STATISTICS, both_ways, choice_agreement
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate, Undefined

FEW = Bootstrap(200)
FIRST, SECOND, TIE = 0, 1, 2


def choices(seed: int = 0, pairs: int = 80, raters: int = 3, ties: bool = True) -> np.ndarray:
    """Choices that lean on a truth of each pair."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(0, 3 if ties else 2, pairs)
    guess = draw.integers(0, 3 if ties else 2, (pairs, raters))
    return np.where(draw.random((pairs, raters)) < 0.5, truth[:, None], guess).astype(float)


def value(result: object) -> float:
    assert isinstance(result, Estimate), result
    return result.value


@pytest.mark.parametrize("order", ["kept", "both-ways"])
@pytest.mark.parametrize("ties", [False, True])
def test_fleiss_kappa_equals_statsmodels_with_pairs_entered_once_or_both_ways(order, ties):
    table = choices(1, ties=ties)
    entered = table if order == "kept" else both_ways(table)
    expected = their_kappa(aggregate_raters(entered.astype(int))[0])
    found = choice_agreement(table, "fleiss-kappa", ties=ties, order=order, bootstrap=FEW)
    assert value(found) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("order", ["kept", "both-ways"])
def test_nominal_alpha_equals_the_krippendorff_package_with_missing_choices(order):
    table = choices(2)
    table[np.random.default_rng(3).random(table.shape) < 0.2] = np.nan
    entered = table if order == "kept" else both_ways(table)
    expected = krippendorff.alpha(reliability_data=entered.T, level_of_measurement="nominal")
    found = choice_agreement(table, "alpha-nominal", ties=True, order=order, bootstrap=FEW)
    assert value(found) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("order", ["kept", "both-ways"])
def test_ac1_and_percent_agreement_equal_their_definitions(order):
    table = choices(4)
    pairs = [(row[a] == row[b]) for row in table for a, b in itertools.combinations(range(3), 2)]
    observed = np.mean(pairs)
    entered = table if order == "kept" else both_ways(table)
    share = np.array([(entered == answer).mean() for answer in (FIRST, SECOND, TIE)])
    expected = (share * (1 - share)).sum() / 2
    common = {"ties": True, "order": order, "bootstrap": FEW}
    assert value(choice_agreement(table, "percent-agreement", **common)) == pytest.approx(observed)
    assert value(choice_agreement(table, "gwet-ac1", **common)) == pytest.approx(
        (observed - expected) / (1 - expected)
    )


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("ties", [pytest.param(False, marks=pytest.mark.nightly), True])
def test_intervals_both_ways_are_those_of_computing_the_statistic_on_each_draw(statistic, ties):
    table = choices(9, ties=ties)
    table[np.random.default_rng(10).random(table.shape) < 0.2] = np.nan
    how = {"ties": ties, "order": "both-ways"}
    found = choice_agreement(table, statistic, bootstrap=Bootstrap(4000), **how)
    drawn = np.random.default_rng(4).integers(0, len(table), size=(150, len(table)))
    once = Bootstrap(2)
    again = [
        value(choice_agreement(table[rows], statistic, bootstrap=once, **how)) for rows in drawn
    ]
    # Other draws of the same distribution: the ends differ by the noise of 150 draws.
    ends = np.quantile(again, [0.025, 0.975])
    noise = 4 * np.std(again) / np.sqrt(150) / 0.37
    assert (found.interval.low, found.interval.high) == pytest.approx(tuple(ends), abs=noise)
    assert np.mean(again) == pytest.approx(value(found), abs=noise)


def test_one_preferred_system_throughout_is_agreement_both_ways_and_undefined_as_kept():
    table = np.zeros((10, 3))
    kept = choice_agreement(table, "fleiss-kappa")
    assert isinstance(kept, Undefined)
    assert value(choice_agreement(table, "fleiss-kappa", order="both-ways")) == 1
