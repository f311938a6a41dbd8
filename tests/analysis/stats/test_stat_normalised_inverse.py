"""Distances as similarities between 0 and 1, over the plotted settings."""

import numpy as np

from analysis.stats.systems.distribution import normalised_inverse


def test_the_lowest_is_one_the_highest_zero_and_distances_keep_their_proportions():
    values = np.array([0.21, 0.9, 0.4, 0.65, np.nan])
    found = normalised_inverse(values)
    assert found[:2].tolist() == [1.0, 0.0]
    assert np.isnan(found[4])
    gaps = (values[2] - values[3]) / (values[0] - values[1])
    assert np.isclose((found[2] - found[3]) / (found[0] - found[1]), gaps)


def test_limits_of_intervals_are_put_on_the_scale_of_their_values():
    values = np.array([1.0, 3.0])
    assert normalised_inverse([0.5, 3.5, 2.0], values).tolist() == [1.25, -0.25, 0.5]


def test_equal_values_and_none_are_undefined():
    assert np.isnan(normalised_inverse([2.0, 2.0])).all()
    assert np.isnan(normalised_inverse([np.nan])).all()
