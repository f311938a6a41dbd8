"""Severity, spread, agreement and uniform answers of one rater beside the others."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau, pearsonr

from analysis.stats.agreement.rater_quality import answer_runs, compared_with_others, order_without
from tests.fixtures.nonempty import at_least_one


@pytest.fixture
def lai(studies):
    """raters × segments × systems of content in lai2022, and the same ratings in long form."""
    ratings = pd.read_csv(studies / "lai2022" / "ratings.csv")
    ratings = ratings[ratings["aspect"] == "content"]
    raters = sorted(ratings["rater"].unique())
    segments = sorted(ratings["segment_id"].unique())
    systems = sorted(ratings["system"].unique())
    cube = np.full((len(raters), len(segments), len(systems)), np.nan)
    for row in ratings.itertuples():
        place = raters.index(row.rater), segments.index(row.segment_id), systems.index(row.system)
        cube[place] = row.score
    return cube, ratings, raters


def test_severity_and_agreement_are_those_of_plain_tables(lai):
    cube, ratings, raters = lai
    wide = ratings.pivot_table(index=["segment_id", "system"], columns="rater", values="score")
    for place, rater in at_least_one(enumerate(raters)):
        others = wide.drop(columns=rater).mean(axis=1)
        both = wide[rater].notna() & others.notna()
        own = wide[rater][both]
        found = compared_with_others(cube, place, None)
        assert found.severity.value == pytest.approx((own - others[both]).mean(), abs=1e-9)
        assert found.agreement.value == pytest.approx(pearsonr(own, others[both])[0], abs=1e-9)
        assert found.severity.n == both.sum()


def test_the_order_of_systems_without_a_rater_is_kendalls_tau_of_the_means(lai):
    cube, _, raters = lai
    for place in at_least_one(range(len(raters))):
        every = np.nanmean(np.nanmean(cube, axis=0), axis=0)
        rest = np.delete(cube, place, axis=0)
        rated = np.isfinite(rest).any(axis=0).all(axis=1)
        others = np.nanmean(np.nanmean(rest[:, rated], axis=0), axis=0)
        assert order_without(cube, place).value == pytest.approx(kendalltau(every, others)[0])


def test_equal_answers_in_a_row_are_counted():
    assert answer_runs([]).longest == 0
    assert answer_runs([5.0]).longest == 1
    assert answer_runs([1, 2, 2, 2, 1, 1]).longest == 3
    assert answer_runs([1, 2, 2, 2, 1, 1]).commonest_share == 0.5
    assert answer_runs([4, np.nan, 4]).longest == 2
