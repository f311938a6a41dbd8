"""Histograms of groups over the same bins, and distances as similarities."""

import numpy as np
import pytest

from analysis.stats.systems.distribution import MOST_BINS, histogram, normalised_inverse


@pytest.mark.parametrize("scale", [1e-4, 0.37, 1.0, 250.0])
@pytest.mark.parametrize("shift", [0.0, -0.6, 3.0])
def test_every_score_is_counted_once_in_the_bin_between_whose_limits_it_lies(scale, shift):
    rng = np.random.default_rng(7)
    groups = [scale * (rng.random(40) + shift), scale * (rng.normal(size=(5, 4)) + shift)]
    groups[0][3] = np.nan
    found = histogram(groups)
    edges = found.edges
    assert 2 <= len(edges) <= MOST_BINS + 1
    for scores, counts in zip(groups, found.counts, strict=True):
        known = scores[np.isfinite(scores)]
        by_hand = [0] * (len(edges) - 1)
        for score in known.ravel():
            places = [k for k in range(len(edges) - 1) if edges[k] <= score < edges[k + 1]]
            by_hand[places[0] if places else -1] += 1
            assert edges[0] <= score <= edges[-1]
        assert list(counts) == by_hand
        assert sum(counts) == known.size


def test_zero_is_a_limit_so_that_a_spike_at_zero_is_not_mixed_with_negative_scores():
    found = histogram([[0.0] * 30 + [0.013, 0.7], [-0.004, -0.3, 0.0]])
    assert 0.0 in found.edges
    place = found.edges.index(0.0)
    assert found.counts[0][place] == 31
    assert found.counts[1][place] == 1
    assert [(c.value, c.count) for c in found.commonest] == [(0.0, 30), (-0.3, 1)]


def test_the_lowest_is_one_the_highest_zero_and_distances_keep_their_proportions():
    values = np.array([0.21, 0.9, 0.4, 0.65, np.nan])
    found = normalised_inverse(values)
    assert found[:2].tolist() == [1.0, 0.0]
    assert np.isnan(found[4])
    gaps = (values[2] - values[3]) / (values[0] - values[1])
    assert np.isclose((found[2] - found[3]) / (found[0] - found[1]), gaps)
