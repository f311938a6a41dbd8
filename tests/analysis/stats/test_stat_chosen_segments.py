"""Samples of segments and means over them: all samples of tiny studies, textbooks, simulation."""

import math
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist
from scipy.stats import t as student
from sklearn.feature_extraction.text import CountVectorizer

from analysis.stats.saving.segment_choice import (
    diversity_of_texts,
    diversity_of_vectors,
    halves_of_ratings,
)
from analysis.stats.saving.segment_sample import (
    allocated,
    choose_segments,
    inclusion_probabilities,
    systematic_sample,
    weighted_mean,
)

VALUES = np.array([3.0, 8.0, 1.0, 4.0, 9.0])


def every_sample(inclusion):
    """Yield all samples that there can be, each with its probability."""
    orders = list(permutations(range(len(inclusion))))
    for order in orders:
        # Between two of these starts the sample is the same.
        steps = sorted({0.0, 1.0, *(np.cumsum(inclusion[list(order)]) % 1).tolist()})
        for low, high in pairwise(steps):
            if high - low < 1e-9:  # the same step, but for rounding
                continue
            taken = systematic_sample(inclusion[list(order)], (low + high) / 2)
            yield np.array(order)[taken], (high - low) / len(orders)


@pytest.mark.parametrize("count", [2, 3])
def test_over_all_samples_chances_are_those_said_and_weighted_totals_are_true(count):
    inclusion = inclusion_probabilities(np.array([1.0, 2.0, 3.0, 1.5, 4.0]), count)
    met, mean, whole = np.zeros(5), 0.0, 0.0
    for sample, probability in every_sample(inclusion):
        assert len(set(sample.tolist())) == count
        met[sample] += probability
        whole += probability
        found = weighted_mean(
            VALUES[sample], inclusion[sample], estimator="horvitz-thompson", population=5
        )
        mean += probability * found.value
    assert whole == pytest.approx(1)
    assert met == pytest.approx(inclusion)
    assert mean == pytest.approx(VALUES.mean())


def test_chances_are_in_proportion_to_sizes_and_never_above_one():
    chances = inclusion_probabilities(np.array([50.0, 1.0, 2.0, 3.0, 30.0]), 3)
    assert chances.tolist() == pytest.approx([1, 1 / 6, 2 / 6, 3 / 6, 1])


def test_strata_get_their_share_or_as_many_as_the_others():
    strata = ["a"] * 60 + ["b"] * 30 + ["c"] * 10
    worth = np.random.default_rng(2).random(100)
    for allocation, counts in (("proportional", [12, 6, 2]), ("equal", [7, 7, 6])):
        for way in ("probability", "top"):
            found = choose_segments(worth, 20, way=way, strata=strata, allocation=allocation)
            assert [each.chosen for each in found.strata] == counts
            assert [strata[place] for place in found.chosen].count("b") == counts[1]
            assert (found.inclusion is None) == (way == "top")
    best = sorted(range(60), key=lambda place: -worth[place])[:12]
    assert set(best) <= set(choose_segments(worth, 20, way="top", strata=strata).chosen.tolist())
    with pytest.raises(ValueError, match="cannot be of 3 strata"):
        choose_segments(worth, 2, strata=strata)
    with pytest.raises(ValueError, match="101 segments are wanted of 100"):
        choose_segments(worth, 101)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=6), st.data())
def test_every_stratum_gets_one_and_none_more_than_it_has(sizes, data):
    count = data.draw(st.integers(len(sizes), sum(sizes)))
    for allocation in ("proportional", "equal"):
        due = allocated(np.array(sizes), count, allocation)
        assert due.sum() == count
        assert (due >= 1).all()
        assert (due <= sizes).all()


def test_with_equal_chances_the_mean_is_that_of_a_stratified_sample():
    """Cochran (1977), formulas 5.1 and 5.9, of strata with the same share of their segments."""
    draw = np.random.default_rng(4)
    sizes, share = {"a": 40, "b": 60}, 0.25
    values = {name: draw.normal(3, 2, int(size * share)) for name, size in sizes.items()}
    mean = sum(sizes[name] * values[name].mean() for name in sizes) / 100
    variance = sum(
        (sizes[name] / 100) ** 2 * (1 - share) * values[name].var(ddof=1) / len(values[name])
        for name in sizes
    )
    strata = ["a"] * 10 + ["b"] * 15
    found = weighted_mean(np.concatenate(list(values.values())), [share] * 25, strata=strata)
    assert found.value == pytest.approx(mean)
    reach = student.ppf(0.975, 23) * math.sqrt(variance)
    assert found.interval.high - found.value == pytest.approx(reach)


WORDS = st.lists(st.sampled_from(["one", "two", "Three", "3"]), min_size=1, max_size=5)


@given(st.lists(WORDS.map(" ".join), min_size=2, max_size=5))
def test_diversity_is_the_mean_cosine_distance_of_all_pairs_of_outputs(texts):
    counts = CountVectorizer(token_pattern=r"\w+").fit_transform(texts).toarray()
    expected = pdist(counts, "cosine").mean()
    assert diversity_of_texts([texts])[0] == pytest.approx(expected, abs=1e-9)
    assert diversity_of_vectors([counts])[0] == pytest.approx(expected, abs=1e-9)


def test_halves_are_of_different_raters_and_together_all_ratings():
    ratings = np.random.default_rng(1).normal(size=(30, 4, 5))
    ratings[ratings > 1.2] = np.nan
    first, second = halves_of_ratings(ratings, 3)
    counts = np.isfinite(ratings).sum(axis=2)
    enough = counts > 1
    assert np.isfinite(first[enough]).all()
    assert np.isnan(first[~enough]).all()
    whole = np.nanmean(ratings, axis=2)
    small = counts // 2
    weighted = (first * small + second * (counts - small)) / counts
    assert weighted[enough] == pytest.approx(whole[enough])
    assert not np.allclose(first[enough], second[enough])
