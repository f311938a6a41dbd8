"""Outputs in bins of a metric's score, against pandas and NumPy."""

import itertools

import numpy as np
import pandas as pd
import pytest
import scipy

from analysis.stats.correlation.calibration import binned_calibration, joint_counts


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


def test_a_constant_metric_has_one_bin_and_a_single_output_no_interval():
    (only,) = binned_calibration(np.ones((3, 2)), np.arange(6.0).reshape(3, 2))
    assert (only.n, only.human) == (6, 2.5)
    (single,) = binned_calibration([[1.0, np.nan]], [[4.0, 5.0]])
    assert (single.human, single.human_low, single.human_high) == (4.0, None, None)
    assert binned_calibration([[np.nan]], [[1.0]]) == []


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
