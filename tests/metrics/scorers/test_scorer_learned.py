"""A learned metric as a scorer: weights by fold or of the whole fit, and what it refuses."""

import numpy as np
import pytest

from metrics.scorers.combination import PartScores
from metrics.scorers.learned import (
    FULL_FIT,
    SEGMENT_FOLDS,
    LearnedMetric,
    LearnedWeights,
    segment_fold,
    system_folds,
)
from metrics.scorers.scorer import Texts
from metrics.scorers.spec import ParameterError

SYSTEMS = ("one", "two", "three")
GENERATOR = np.random.default_rng(2)
FOLDS = GENERATOR.dirichlet([1, 1], size=(SEGMENT_FOLDS, 3))
LEARNED = LearnedWeights(
    [1.0, -2.0], [0.5, 4.0], folds=FOLDS.tolist(), systems=system_folds(SYSTEMS, 7), seed=7
)
WHOLE = LearnedWeights([1.0, -2.0], [0.5, 4.0], full=[0.25, 0.75])


def texts(places):
    many = len(places)
    empty = [""] * many
    keys, systems = zip(*places, strict=True)
    return Texts(empty, [()] * many, empty, empty, empty, range(many), systems, keys)


def scorer(learned=LEARNED, **parameters):
    return LearnedMetric({"parts": "a,b", "weights": learned.written()} | parameters)


def test_each_output_has_the_weights_of_the_fold_of_its_segment_and_system():
    places = [(f"s{n}", system) for n in range(30) for system in SYSTEMS]
    first, second = GENERATOR.normal(size=(2, len(places)))
    parts = [PartScores("a", first), PartScores("b", second, lower_is_better=True)]
    found = scorer().combine(texts(places), parts).values[:, 0]
    for place, (key, system) in enumerate(places):
        weights = FOLDS[segment_fold(key, 7), LEARNED.systems[system]]
        expected = weights @ [(first[place] - 1) / 0.5, (-second[place] + 2) / 4]
        assert found[place] == pytest.approx(expected)


def test_a_system_that_was_in_no_fit_has_the_mean_of_weights_that_do_not_know_its_segment():
    parts = [PartScores("a", np.array([1.5])), PartScores("b", np.array([-2.0]))]
    [[found]] = scorer().combine(texts([("s1", "new")]), parts).values
    assert found == pytest.approx(FOLDS[segment_fold("s1", 7)].mean(axis=0)[0])


def test_a_full_fit_has_one_weight_for_each_part_and_says_what_is_missing():
    values = np.array([1.0, np.nan])
    parts = [
        PartScores("a", values, undefined={1: "it is empty"}),
        PartScores("b", np.array([6.0, 0])),
    ]
    found = scorer(WHOLE, use=FULL_FIT).combine(texts([("s1", "x"), ("s2", "x")]), parts)
    assert found.values[0, 0] == pytest.approx(0.75 * 2)
    assert np.isnan(found.values[1, 0])
    assert found.undefined == {1: "a is undefined: it is empty"}
    without = LearnedWeights([0, 0], [1, 1], full=[0, 1])
    found = scorer(without, use=FULL_FIT).combine(texts([("s1", "x"), ("s2", "x")]), parts)
    assert found.values[:, 0].tolist() == [6, 0]


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"weights": ""}, "no learned weights"),
        ({"weights": "[1]"}, "no learned weights"),
        ({"weights": '{"means": [1]}'}, "no learned weights"),
        ({"parts": "a,b,c"}, "do not fit 3 parts used out-of-fold"),
        ({"use": FULL_FIT}, "do not fit 2 parts used full-fit"),
        ({"parts": "a"}, "expected two names"),
        (
            {"use": FULL_FIT, "weights": LearnedWeights([0, 0], [1, 0], full=[1, 1]).written()},
            "deviations above 0",
        ),
        (
            {"use": FULL_FIT, "weights": LearnedWeights([0, 0], [1, 1], full=[1, -1]).written()},
            "weights are from 0 on",
        ),
    ],
)
def test_weights_that_fit_nothing_are_refused(parameters, words):
    with pytest.raises(ParameterError, match=words):
        scorer(**parameters).parts()
