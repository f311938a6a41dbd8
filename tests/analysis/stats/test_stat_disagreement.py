"""Where outputs stand by a metric and by human raters."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from analysis.explorer.exploration import kinds_of
from analysis.stats.correlation.disagreement import rank_gaps, standing, standing_of

SCORES = st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.5, float("nan")]), min_size=2, max_size=12)


def test_a_standing_is_the_mid_rank_over_the_others() -> None:
    values = np.array([3.0, 1.0, 2.0, 2.0, 9.0])
    expected = (rankdata(values) - 1) / 4
    assert np.allclose(standing(values), expected)


@settings(max_examples=50, deadline=None)
@given(SCORES)
def test_standings_by_counting_lower_and_tied_scores(scores: list[float]) -> None:
    values = np.array(scores)
    shares = standing(values)
    known = values[np.isfinite(values)]
    for value, share in zip(values, shares, strict=True):
        if np.isnan(value):
            assert np.isnan(share)
        elif known.size > 1:
            counted = (known < value).sum() + ((known == value).sum() - 1) / 2
            assert np.isclose(share, counted / (known.size - 1))


def test_standing_of_some_scores_is_that_among_all() -> None:
    values = np.random.default_rng(3).integers(0, 9, 60).astype(float)
    values[:9] = np.nan
    assert np.array_equal(standing_of(values, values), standing(values), equal_nan=True)
    unbounded = np.array([-np.inf, 1.0, np.inf, 2.0, 2.0])
    shares = standing_of(unbounded, unbounded)
    assert np.array_equal(shares, [np.nan, 0.0, np.nan, 0.75, 0.75], equal_nan=True)


def test_only_cells_with_both_scores_are_ranked() -> None:
    gaps = rank_gaps([[1.0, 2.0, np.nan], [3.0, np.nan, 9.0]], [[5.0, np.nan, 1.0], [4.0, 3.0, 9]])
    assert gaps.n == 3
    assert np.isnan(gaps.gap).sum() == 3
    assert gaps.gap[0, 0] == 0.0 - 0.5


def test_kinds_of_outputs() -> None:
    source = "one two three four five"
    assert kinds_of(source, "") == ("empty", "cut")
    assert kinds_of(source, f" {source}\n") == ("copied",)
    assert kinds_of(source, "one two", ["one two "]) == ("reference", "cut")
    assert kinds_of(source, f"{source} {source} six") == ("grown",)
    assert kinds_of(source, "one two two TWO five") == ("repeating",)
    assert kinds_of("no no no no", "no no no") == ()
    assert kinds_of(source, "six seven eight") == ()
