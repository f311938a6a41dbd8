"""Shares of single answers, corrected for what a judge confuses: by simulation with known truth."""

import numpy as np
import pytest

from analysis.reports.stand_in.content import answer_shares, commonest

CONFUSED = np.array([[0.8, 0.15, 0.05], [0.3, 0.6, 0.1], [0.0, 0.3, 0.7]])
"""How often the judge gives each answer, by the true one."""
SHARES = np.array([0.2, 0.3, 0.5])


def simulated(segments: int, rated: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two raters' answers, who are right, and a judge's; only some segments are rated."""
    draw = np.random.default_rng(seed)
    truth = draw.choice(3, size=(segments, 1), p=SHARES)
    judged = (draw.random((segments, 1, 1)) > CONFUSED.cumsum(axis=1)[truth]).sum(axis=2)
    ratings = np.repeat(truth[:, :, None].astype(float), 2, axis=2)
    ratings[rated:] = np.nan
    return ratings, judged.astype(float)


def test_a_share_that_the_judge_tells_wrongly_is_told_rightly_after_the_correction():
    ratings, judged = simulated(60_000, 30_000, seed=1)
    found = list(answer_shares("judge", ["one"], ratings, judged, (0.0, 1.0, 2.0)))
    assert [each.answer for each in found] == [0, 1, 2]
    for each, share, told in zip(found, SHARES, SHARES @ CONFUSED, strict=True):
        assert each.results["judge"].value == pytest.approx(told, abs=0.01)
        assert each.results["corrected"].value == pytest.approx(share, abs=0.02)
        assert each.results["rated"].value == pytest.approx(share, abs=0.01)
        assert abs(told - share) > 0.04
        assert each.sensitivity.value == pytest.approx(CONFUSED[int(each.answer)].max(), abs=0.02)
        assert (each.rated, each.unrated, each.undecided) == (30_000, 30_000, 0)


def test_intervals_cover_the_true_share_as_often_as_they_say():
    covered = []
    for seed in range(150):
        ratings, judged = simulated(400, 150, seed)
        for each in answer_shares("judge", ["one"], ratings, judged, (0.0, 1.0, 2.0)):
            limits = each.results["corrected"].interval
            covered.append(limits.low <= SHARES[int(each.answer)] <= limits.high)
    assert 0.93 < np.mean(covered) < 0.985


def test_outputs_without_one_commonest_rating_are_undecided_and_neither_rated_nor_unrated():
    nan = np.nan
    ratings = np.array([[[1, 1, 2]], [[1, 2, nan]], [[2, nan, nan]], [[nan, nan, nan]]], float)
    assert np.array_equal(commonest(ratings)[:, 0], [1, nan, 2, nan], equal_nan=True)
    judged = np.array([[1.0], [1.0], [2.0], [2.0]])
    one, two = answer_shares("judge", ["one"], ratings, judged, (1.0, 2.0))
    assert (one.rated, one.unrated, one.undecided) == (2, 1, 1)
    assert one.sensitivity.value == two.specificity.value == 1
    assert two.results["judge"].value == two.results["corrected"].value == 1


def test_a_system_without_ratings_says_so_and_is_corrected_by_what_others_show():
    ratings, judged = simulated(400, 200, seed=2)
    ratings = np.concatenate([ratings, np.full_like(ratings, np.nan)], axis=1)
    judged = np.repeat(judged, 2, axis=1)
    found = answer_shares("judge", ["rated", "new"], ratings, judged, (0.0, 1.0, 2.0))
    new = [each for each in found if each.system == "new"]
    assert [each.rated for each in new] == [0, 0, 0]
    assert {each.results["rated"].reason for each in new} == {
        "no output of this system has one commonest rating"
    }
    assert all(each.results["corrected"].value is not None for each in new)
