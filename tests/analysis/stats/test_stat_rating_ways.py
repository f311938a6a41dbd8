"""Ways to spend ratings: one sample computed plainly, and simulated studies."""

import numpy as np
import pytest
from scipy.stats import t as student

from analysis.stats.planning.rating_ways import BOTH, CHOSEN, POWERED, RANDOM, WAYS, ways_of_rating
from analysis.stats.saving.segment_sample import choose_segments, weighted_mean


def study(good, seed=1, segments=240):
    """Ratings of four systems, a metric as good as is said, and what rating a segment is worth."""
    draw = np.random.default_rng(seed)
    scale = draw.gamma(2.0, size=(segments, 1))
    noise = draw.gamma(2.0, size=(segments, 4)) - 2
    truth = np.arange(4) * 0.4 + scale * noise
    metric = good * truth + (1 - good) * draw.normal(size=truth.shape) * 2
    return truth + draw.normal(size=truth.shape), 3 * metric + 7, scale.ravel()


def test_one_sample_gives_what_the_textbook_estimators_give():
    human, metric, worth = study(0.7)
    found = {
        each.way: each
        for each in ways_of_rating(human[:, :2], metric[:, :2], worth, 60, draws=1, seed=5)
    }
    d, g = human[:, 0] - human[:, 1], metric[:, 0] - metric[:, 1]
    for sizes, plain, powered in ((np.ones(240), RANDOM, POWERED), (worth, CHOSEN, BOTH)):
        sample = choose_segments(sizes, 60, seed=5)
        for way, used in ((plain, 0), (powered, 1)):
            y, f = d[sample.chosen], g[sample.chosen]
            slope = used * np.polyfit(f, y, 1, w=sample.inclusion**-0.5)[0]
            direct = weighted_mean(y - slope * (f - g.mean()), sample.inclusion)
            reach = student.ppf(0.975, 59 - used) * direct.details["standard_error"]
            assert found[way].half_width == pytest.approx(reach)
            assert found[way].told_apart == (abs(direct.value) > reach)
            assert found[way].covered == (abs(direct.value - d.mean()) <= reach)


def test_intervals_of_all_ways_cover_and_a_good_metric_and_a_good_choice_narrow_them():
    human, metric, worth = study(0.9)
    ways = ways_of_rating(human, metric, worth, 60, draws=400)
    assert tuple(each.way for each in ways) == WAYS
    for each in ways:
        assert 0.93 < each.covered < 0.97, each
    random, chosen, powered, both = ways
    assert random.half_width > 1.05 * chosen.half_width
    assert random.half_width > 1.2 * powered.half_width
    # Beside a metric that explains most, a choice by the rest of the variance gains little more.
    assert random.half_width > 1.2 * both.half_width
    assert random.told_apart < min(chosen.told_apart, powered.told_apart, both.told_apart)


def test_without_a_metric_there_are_two_ways_and_too_few_segments_are_refused():
    human, _, worth = study(0.5)
    assert [each.way for each in ways_of_rating(human, None, worth, 20, draws=2)] == [
        RANDOM,
        CHOSEN,
    ]
    with pytest.raises(ValueError, match="240 of 240 segments cannot be sampled"):
        ways_of_rating(human, None, worth, 240)
    human[3, 1] = np.nan
    with pytest.raises(ValueError, match="of all outputs"):
        ways_of_rating(human, None, worth, 20)
