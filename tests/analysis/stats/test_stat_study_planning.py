"""Variance components against statsmodels and known truth; plans checked by simulated studies."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, binomtest
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from analysis.stats.correlation.correlation_bootstrap import bootstrap_correlation
from analysis.stats.planning.study_planner import (
    Plan,
    margin_of_system_difference,
    segments_for_correlation,
    segments_for_system_difference,
    simulate_study,
)
from analysis.stats.planning.variance_components import (
    CROSSED,
    VarianceComponents,
    variance_components,
)
from analysis.stats.planning.vote_plan import votes_for_share
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Undefined

TRUTH = {
    "system": 0.5,
    "segment": 0.4,
    "rater": 0.3,
    "system × segment": 0.6,
    "system × rater": 0.1,
    "segment × rater": 0.2,
    "residual": 0.8,
}


def study(segments, systems, raters, seed, truth=TRUTH):
    rng = np.random.default_rng(seed)
    sizes = {"segment": segments, "system": systems, "rater": raters}

    def drawn(source):
        parts = source.split(" × ")
        shape = tuple(
            sizes[part] if source == "residual" or part in parts else 1
            for part in ("segment", "system", "rater")
        )
        return rng.normal(0, truth[source] ** 0.5, shape)

    return sum(drawn(source) for source in truth)


def components(result) -> VarianceComponents:
    assert isinstance(result, VarianceComponents), result
    return result


def plan(result) -> Plan:
    assert isinstance(result, Plan), result
    return result


def test_mean_squares_are_those_of_statsmodels():
    ratings = study(7, 4, 3, 1)
    s, p, r = np.indices(ratings.shape).reshape(3, -1)
    frame = pd.DataFrame({"x": ratings.ravel(), "s": s, "p": p, "r": r})
    table = anova_lm(ols("x ~ C(s) * C(p) + C(s) * C(r) + C(p) * C(r)", frame).fit())
    square = table["sum_sq"] / table["df"]
    rest = square["Residual"]
    sp, sr, pr = square["C(s):C(p)"], square["C(s):C(r)"], square["C(p):C(r)"]
    expected = {
        "system": (square["C(p)"] - sp - pr + rest) / 21,
        "segment": (square["C(s)"] - sp - sr + rest) / 12,
        "rater": (square["C(r)"] - sr - pr + rest) / 28,
        "system × segment": (sp - rest) / 3,
        "system × rater": (pr - rest) / 7,
        "segment × rater": (sr - rest) / 4,
        "residual": rest,
    }
    result = components(variance_components(ratings))
    assert list(result.estimates) == list(CROSSED)
    assert result.estimates == pytest.approx(expected)


def test_ratings_in_slots_are_statsmodels_two_way_table():
    ratings = study(7, 4, 3, 2)
    s, p, _ = np.indices(ratings.shape).reshape(3, -1)
    frame = pd.DataFrame({"x": ratings.ravel(), "s": s, "p": p})
    table = anova_lm(ols("x ~ C(s) * C(p)", frame).fit())
    square = table["sum_sq"] / table["df"]
    within, sp = square["Residual"], square["C(s):C(p)"]
    result = components(variance_components(ratings, columns="slots"))
    assert result.estimates == pytest.approx(
        {
            "system": (square["C(p)"] - sp) / 21,
            "segment": (square["C(s)"] - sp) / 12,
            "system × segment": (sp - within) / 3,
            "residual": within,
        }
    )


def test_batches_with_raters_of_their_own_are_analysed_apart():
    first, second = study(6, 4, 2, 3), study(10, 4, 3, 4)
    ratings = np.full((16, 4, 5), np.nan)
    ratings[:6, :, :2], ratings[6:, :, 2:] = first, second
    ratings[7, 2, 3] = np.nan
    batches = np.repeat([5, 9], [6, 10])
    result = components(variance_components(ratings, batches=batches))
    alone = [
        components(variance_components(table)).estimates
        for table in (first, np.delete(second, 1, axis=0))
    ]
    for source in CROSSED:
        expected = np.average([part[source] for part in alone], weights=[48, 108])
        assert result.estimates[source] == pytest.approx(expected)
    assert result.details == {"batches": 2, "batches_left_out": 0, "segments_left_out": 1}
    assert (result.segments, result.cells) == (15, 156)


def test_negative_estimates_are_shown_and_counted_as_zero():
    rng = np.random.default_rng(7)
    result = components(variance_components(rng.normal(size=(5, 3, 2))))
    negative = [source for source, value in result.estimates.items() if value < 0]
    assert negative
    assert all(result.shares()[source] == 0 for source in negative)
    assert sum(result.shares().values()) == pytest.approx(1)


def test_incomplete_designs_are_undefined():
    assert isinstance(variance_components(study(5, 3, 1, 1)), Undefined)
    assert isinstance(variance_components(np.full((4, 3, 2), np.nan)), Undefined)
    assert isinstance(variance_components(np.empty((0, 3, 2))), Undefined)
    with pytest.raises(ValueError, match="batch"):
        variance_components(study(5, 3, 2, 1), batches=[1, 2])


KNOWN = VarianceComponents(TRUTH, 6, 40, 3, 720, {}, "variance-components")
QUIET = VarianceComponents(
    {"system": 0.3, "segment": 0.4, "system × segment": 0.6, "residual": 0.8},
    8, 100, 2, 1600, {}, "variance-components",
)  # fmt: skip


def test_the_fewest_segments_for_a_system_difference_are_found():
    found = plan(segments_for_system_difference(KNOWN, 0.6, raters=5))
    assert found.expected <= 0.6 < margin_of_system_difference(KNOWN, found.segments - 1, 5)
    assert found.ratings == found.segments * 6 * 5
    never = segments_for_system_difference(KNOWN, 0.2, raters=3)
    assert isinstance(never, Undefined)
    assert "more raters" in never.reason


def test_a_planned_interval_of_r_has_the_width_asked_for():
    found = plan(segments_for_correlation(QUIET, 0.7, half_width=0.06, raters=2))
    rng = np.random.default_rng(1)
    widths = []
    for _ in range(25):
        (metric,), human = simulate_study(QUIET, (0.7,), np.array([[0.51]]), 2, found.segments, rng)
        interval = bootstrap_correlation(metric, human, bootstrap=Bootstrap(400)).interval
        widths.append((interval.high - interval.low) / 2)
    assert np.mean(widths) == pytest.approx(0.06, rel=0.06)


@pytest.mark.parametrize("share", [0.6, 0.7, 0.8, 1.0])
def test_votes_are_the_fewest_from_which_on_the_sign_test_has_its_power(share):
    def power(votes):
        wins = np.arange(votes + 1)
        refused = [binomtest(int(k), votes, 0.5).pvalue <= 0.05 for k in wins]
        return binom.pmf(wins, votes, share)[refused].sum()

    plan = votes_for_share(share)
    assert plan.power == pytest.approx(power(plan.votes))
    assert power(plan.votes - 1) < 0.8
    assert all(power(votes) >= 0.8 for votes in range(plan.votes, plan.votes + 25))


def test_no_votes_detect_equal_shares():
    with pytest.raises(ValueError, match=r"above 0\.5"):
        votes_for_share(0.5)
