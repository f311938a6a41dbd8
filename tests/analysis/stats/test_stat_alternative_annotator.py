"""The alternative annotator test gives published values, those of brute force, and few errors."""

import json

import numpy as np
import pytest
from scipy import stats

from analysis.stats.agreement.alternative_annotator import (
    alternative_annotator_test,
    annotators_as_judges,
)
from analysis.stats.resampling.bootstrap import Bootstrap

SCORINGS = {"wax": "accuracy", "10k_prompts": "squared error", "cebab_stars": "squared error"}


@pytest.fixture(params=SCORINGS)
def published(request, golden):
    """A released data set: ratings, judges by name, names of annotators, what must come out."""
    folder = golden / "alttest"
    name = request.param
    people, judges = (
        json.loads((folder / name / f"{who}_annotations.json").read_text())
        for who in ("human", "llm")
    )
    items = list(dict.fromkeys(item for given in people.values() for item in given))
    words = sorted({str(v) for who in (people, judges) for g in who.values() for v in g.values()})
    code = words.index if SCORINGS[name] == "accuracy" else float

    def row(given):
        return [code(str(given[item])) if item in given else np.nan for item in items]

    expected = json.loads((folder / "expected.json").read_text())["data_sets"][name]
    ratings = np.array([row(given) for given in people.values()], dtype=float)
    return ratings, {judge: row(given) for judge, given in judges.items()}, [*people], expected


def test_released_studies_come_out_to_the_last_digit(published):
    ratings, judges, names, expected = published
    for judge, wanted in expected["judges"].items():
        for epsilon, rate in wanted["winning_rate_by_epsilon"].items():
            found = alternative_annotator_test(
                ratings,
                judges[judge],
                scoring=SCORINGS_OF[expected["scoring"]],
                epsilon=float(epsilon),
            )
            assert found.winning_rate.value == pytest.approx(rate, abs=1e-8)
            assert found.winning_rate.n == wanted["items_used"]
            if float(epsilon) != expected["epsilon"]:
                continue
            assert found.advantage.value == pytest.approx(wanted["advantage_probability"], abs=1e-9)
            assert sum(each.rejected for each in found.beside) == wanted["rejected"]
            assert {names[each.annotator] for each in found.beside} == set(wanted["per_annotator"])
            for each in found.beside:
                line = wanted["per_annotator"][names[each.annotator]]
                assert each.items == line["items"]
                assert each.judge_as_good == pytest.approx(line["judge_as_good"], abs=1e-9)
                assert each.annotator_as_good == pytest.approx(line["annotator_as_good"], abs=1e-9)
                assert each.p_value == pytest.approx(line["p"], abs=1e-9)


SCORINGS_OF = {"accuracy": "accuracy", "neg_rmse": "squared error"}


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
    found = annotators_as_judges(ratings, **common)
    assert [each.winning_rate.value for each in found] == [1, 1, 1, 0]
    alone = alternative_annotator_test(ratings[1:], ratings[0], **common)
    assert found[0].advantage.value == alone.advantage.value


def test_without_a_further_annotator_nothing_is_tested():
    found = alternative_annotator_test([[1.0] * 40], [1.0] * 40, scoring="accuracy", epsilon=0.1)
    assert found.winning_rate.value is None
    assert "no annotator has 30 items" in found.winning_rate.reason
    with pytest.raises(ValueError, match="annotators × items"):
        alternative_annotator_test([[1.0]], [1.0, 2.0], scoring="accuracy", epsilon=0.1)
