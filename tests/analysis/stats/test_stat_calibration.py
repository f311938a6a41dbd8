"""Outputs in bins of a metric's score, and where they stand by a metric and by human raters."""

import itertools

import numpy as np
import pandas as pd
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.explorer.exploration import kinds_of
from analysis.stats.correlation.calibration import (
    binned_calibration,
    joint_counts,
    standing,
    standing_of,
)


@pytest.fixture
def scores():
    generator = np.random.default_rng(9)
    human = generator.normal(size=(40, 5))
    metric = human + generator.normal(size=human.shape)
    metric[3, 2], human[5, 1] = np.nan, np.nan
    return metric, human


def test_bins_are_those_of_quantile_cuts_of_pandas(scores):
    metric, human = (side.ravel() for side in scores)
    both = np.isfinite(metric) & np.isfinite(human)
    frame = pd.DataFrame({"metric": metric[both], "human": human[both]})
    groups = frame.groupby(pd.qcut(frame["metric"], 10), observed=True)
    found = binned_calibration(*scores)
    assert [b.n for b in found] == groups.size().tolist()
    assert [b.metric for b in found] == pytest.approx(groups["metric"].mean().tolist())
    assert [b.human for b in found] == pytest.approx(groups["human"].mean().tolist())
    assert [b.low for b in found] == groups["metric"].min().tolist()
    for (_, own), each in zip(groups, found, strict=True):
        interval = scipy.stats.ttest_1samp(own["human"], 0).confidence_interval(0.95)
        assert (each.human_low, each.human_high) == pytest.approx(tuple(interval))


def test_equal_scores_never_fall_into_two_bins():
    metric = np.repeat([[0.0], [1.0], [2.0]], 7, axis=1)
    found = binned_calibration(metric, np.arange(21.0).reshape(3, 7))
    assert sum(b.n for b in found) == 21
    limits = [(b.low, b.high) for b in found]
    assert all(one[1] < other[0] for one, other in itertools.pairwise(limits))


def test_joint_counts_add_up_to_both_histograms(scores):
    found = joint_counts(*scores)
    metric, human = (side.ravel() for side in scores)
    both = np.isfinite(metric) & np.isfinite(human)
    for side, (values, edges) in enumerate(
        ((metric, found.metric_edges), (human, found.human_edges))
    ):
        counts = np.zeros(20, dtype=int)
        for cell in found.cells:
            counts[cell[side]] += cell[2]
        assert counts.tolist() == np.histogram(values[both], edges)[0].tolist()
    assert joint_counts([[np.nan]], [[1.0]]) is None
    assert len(joint_counts([[1.0, 1.0]], [[1.0, 2.0]]).metric_edges) == 2


SCORES = st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.5, float("nan")]), min_size=2, max_size=12)


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


def test_kinds_of_outputs() -> None:
    source = "one two three four five"
    assert kinds_of(source, "") == ("empty", "cut")
    assert kinds_of(source, f" {source}\n") == ("copied",)
    assert kinds_of(source, "one two", ["one two "]) == ("reference", "cut")
    assert kinds_of(source, f"{source} {source} six") == ("grown",)
    assert kinds_of(source, "one two two TWO five") == ("repeating",)
    assert kinds_of("no no no no", "no no no") == ()
    assert kinds_of(source, "six seven eight") == ()
