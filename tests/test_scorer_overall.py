"""Means of several scores and Joint, against SciPy and worked numbers."""

import math

import numpy as np
import pytest
from scipy import stats

from metrics.scorers.overall import combine, joint, joint_with_fluency, read_weights

GENERATOR = np.random.default_rng(1)
SCORES = GENERATOR.uniform(0.01, 1, (50, 3))


@pytest.mark.parametrize("weights", [None, (1, 1, 1), (0.2, 3, 1), (1, 0, 2)])
def test_means_are_those_of_scipy(weights: tuple[float, ...] | None) -> None:
    geometric = stats.gmean(SCORES, axis=1, weights=weights)
    harmonic = stats.hmean(SCORES, axis=1, weights=weights)
    assert combine(SCORES, weights) == pytest.approx(geometric)
    assert combine(SCORES, weights, "harmonic") == pytest.approx(harmonic)


@pytest.mark.parametrize("kind", ["geometric", "harmonic"])
def test_zero_makes_the_mean_zero_and_missing_stays_missing(kind: str) -> None:
    values = [[0, 0.5], [np.nan, 0.5], [-0.1, 0.5], [0, np.nan], [0, 0]]
    found = combine(values, kind=kind)  # type: ignore[arg-type]
    assert found[[0, 4]].tolist() == [0, 0]
    assert np.isnan(found[1:4]).all()


def test_a_score_of_weight_zero_does_not_count_even_where_it_is_missing() -> None:
    assert combine([[np.nan, 0.5]], (0, 1)) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("weights", "words"),
    [((1, 1), "2 weights for 3"), ((0, 0, 0), "not all 0"), ((1, -1, 1), "from 0 on")],
)
def test_weights_that_do_not_fit_are_refused(weights: tuple[float, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        combine(SCORES, weights)


def test_a_vector_or_an_unknown_mean_is_refused() -> None:
    with pytest.raises(ValueError, match="outputs × scores"):
        combine([0.5, 0.5])
    with pytest.raises(ValueError, match="unknown mean 'median'"):
        combine(SCORES, kind="median")  # type: ignore[arg-type]


def test_weights_are_read_as_they_are_written() -> None:
    assert read_weights("2, 1,0.5", 3) == (2, 1, 0.5)
    assert read_weights(" ", 3) is None
    with pytest.raises(ValueError, match="expected numbers with commas"):
        read_weights("2; 1", 2)
    with pytest.raises(ValueError, match="2 weights for 3"):
        read_weights("2, 1", 3)


def test_joint_is_the_cube_root_of_its_factors() -> None:
    # 0.9 · 0.4 / 4 = 0.09, whose cube root is 0.448140474655716.
    assert joint(0.9, 0.4, math.exp(4)) == pytest.approx(0.448140474655716)
    assert joint_with_fluency(0.9, 0.4, 0.25) == pytest.approx(0.448140474655716)


def test_percent_multiply_joint_by_the_cube_root_of_ten_thousand() -> None:
    ratio = joint(0.9, 0.4, 50, scale=100) / joint(0.9, 0.4, 50)
    assert ratio == pytest.approx(21.5443469)


def test_joint_is_undefined_for_a_perplexity_up_to_one() -> None:
    found = joint([0.9] * 4, [0.4] * 4, [1, 0.5, np.nan, 2])
    assert np.isnan(found).tolist() == [True, True, True, False]
    assert np.isnan(joint(np.nan, 0.4, 50))


def test_percent_in_place_of_shares_are_refused() -> None:
    with pytest.raises(ValueError, match="BLEU is to be from 0 to 1; divide percent by 100"):
        joint(0.9, 40, 50)
    with pytest.raises(ValueError, match="fluency is to be from 0 to 1"):
        joint_with_fluency(0.9, 0.4, 85)
