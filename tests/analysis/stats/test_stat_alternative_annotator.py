"""The alternative annotator test gives published values, those of brute force, and few errors."""

from functools import partial

import numpy as np
import pytest
from scipy import stats

from analysis.stats.agreement.alternative_annotator import (
    alternative_annotator_test,
    annotators_as_judges,
)
from analysis.stats.resampling.bootstrap import Bootstrap


def simulated(generator, items, noise, judge_noise):
    truth = generator.normal(3, 1, items)
    people = [np.round(truth + generator.normal(0, each, items)) for each in noise]
    return np.array(people), np.round(truth + generator.normal(0, judge_noise, items))


@pytest.mark.parametrize("scoring", ["accuracy", "squared error"])
def test_shares_and_p_values_are_those_of_brute_force(scoring):
    generator = np.random.default_rng(5)
    ratings, judge = simulated(generator, 80, [0.5, 1, 1.5, 1], 0.8)
    ratings[generator.random(ratings.shape) < 0.3] = np.nan
    judge[generator.random(judge.size) < 0.1] = np.nan
    found = alternative_annotator_test(ratings, judge, scoring=scoring, epsilon=0.15)
    assert found.beside
    for each in found.beside:
        differences, good = [], 0
        for item in range(80):
            others = [
                value
                for row, value in enumerate(ratings[:, item])
                if row != each.annotator and np.isfinite(value)
            ]
            own = ratings[each.annotator, item]
            if not others or not np.isfinite([own, judge[item]]).all():
                continue

            def close(value, others=others):
                if scoring == "accuracy":
                    return np.mean([value == other for other in others])
                return round(-np.sqrt(np.mean([(value - other) ** 2 for other in others])), 12)

            good += close(judge[item]) >= close(own)
            differences.append(
                int(close(own) >= close(judge[item])) - int(close(judge[item]) >= close(own))
            )
        assert each.items == len(differences)
        assert each.judge_as_good == pytest.approx(good / each.items)
        expected = stats.ttest_1samp(differences, 0.15, alternative="less").pvalue
        assert each.p_value == pytest.approx(expected)


def test_few_items_cannot_tell_and_more_of_the_same_would():
    generator = np.random.default_rng(11)
    ratings, judge = simulated(generator, 6000, [0.8, 0.8, 0.8], 0.75)
    common = {"scoring": "squared error", "epsilon": 0.15, "bootstrap": Bootstrap(300)}
    few = alternative_annotator_test(ratings[:, :40], judge[:40], **common)
    assert few.verdict == "cannot tell"
    assert 40 < few.items_needed < 6000
    assert alternative_annotator_test(ratings, judge, **common).verdict == "may"


def test_the_yardstick_treats_each_annotator_as_a_judge_of_the_others():
    generator = np.random.default_rng(17)
    ratings, _ = simulated(generator, 200, [0.3, 0.3, 0.3, 3], 1)
    common = {"scoring": "squared error", "epsilon": 0.15}
    found = annotators_as_judges(ratings, partial(alternative_annotator_test, **common))
    assert [each.winning_rate.value for each in found] == [1, 1, 1, 0]
    alone = alternative_annotator_test(ratings[1:], ratings[0], **common)
    assert found[0].advantage.value == alone.advantage.value
