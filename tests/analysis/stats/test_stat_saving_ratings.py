"""Fewer ratings for the same answer: released figures, brute force and simulation."""

import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from analysis.stats.saving.prediction_powered import (
    prediction_powered_mean,
    worth_for_differences,
    worth_for_means,
)
from analysis.stats.saving.segment_choice import PairsOfSystems, in_order, variance
from tests.fixtures.released_wmt23 import LANGUAGE_PAIRS


@pytest.fixture
def expected(expected_of_wmt23):
    return expected_of_wmt23


@pytest.fixture
def table(scores_of_wmt23):
    """Return a function that reads a file of segment scores as segments × the given systems."""

    def read(pair, name, systems):
        scores = scores_of_wmt23[pair, f"{name}.seg.score"]
        return np.array([scores[system] for system in systems]).T

    return read


def metrics_of(expected, pair):
    return {name: each["file"] for name, each in expected["ppi_factors"][pair].items()}


@pytest.mark.parametrize("pair", LANGUAGE_PAIRS)
def test_segments_chosen_by_a_metric_tell_as_many_apart_as_released_figures_say(
    expected, table, pair
):
    wanted = expected["segments_chosen_by_metric_variance"][pair]
    human = table(pair, "mqm", wanted["systems"])
    rated = np.flatnonzero(np.isfinite(human).all(axis=1))
    assert rated.size == wanted["rated_segments"]
    pairs = PairsOfSystems(human)
    everything = pairs.told_apart(rated)
    assert everything.told_apart == pytest.approx(wanted["all_segments"]["told_apart"], abs=1e-6)
    files = metrics_of(expected, pair)
    for part in ("10%", "25%"):
        for name in wanted[part].keys() - {"segments", "random"}:
            scores = table(pair, files[name], wanted["systems"])
            chosen = rated[in_order(variance(scores[rated]))][: wanted[part]["segments"]]
            found, released = pairs.told_apart(chosen), wanted[part][name]
            assert (chosen[:10] + 1).tolist() == released["first_ten_segments"]
            assert found.told_apart * found.pairs == pytest.approx(released["pairs_told_apart"])
            ordered = found.in_full_order * found.pairs
            assert ordered == pytest.approx(released["pairs_in_full_order"])


@pytest.mark.parametrize("pair", LANGUAGE_PAIRS)
def test_chance_tells_as_many_apart_as_released_figures_say(expected, table, pair):
    wanted = expected["segments_chosen_by_metric_variance"][pair]
    human = table(pair, "mqm", wanted["systems"])
    pairs = PairsOfSystems(human)
    for part in ("10%", "25%"):
        released, draws = wanted[part]["random"], 1000
        found = pairs.told_apart_by_chance(wanted[part]["segments"], draws=draws, seed=1)
        of_both = [3 * error * (1 + 2000 / draws) ** 0.5 for error in released["standard_error"]]
        assert abs(found.told_apart - released["told_apart"]) < of_both[0]
        assert abs(found.in_full_order - released["in_full_order"]) < of_both[1]


@pytest.mark.parametrize("pair", LANGUAGE_PAIRS)
def test_a_metric_is_worth_as_many_ratings_as_released_figures_say(expected, table, pair):
    systems = expected["segments_chosen_by_metric_variance"][pair]["systems"]
    human = table(pair, "mqm", systems)
    for name, released in expected["ppi_factors"][pair].items():
        scores = table(pair, released["file"], systems)
        means, differences = worth_for_means(human, scores), worth_for_differences(human, scores)
        assert means.value == pytest.approx(released["mean"]["factor"], abs=1e-6), name
        assert differences.value == pytest.approx(released["difference"]["factor"], abs=1e-6)


def test_prediction_powered_means_are_those_of_released_figures(expected, table):
    for pair in LANGUAGE_PAIRS:
        files = metrics_of(expected, pair)
        examples = expected["ppi_examples"][pair]
        for name in examples.keys() - {"labelled"}:
            for kind in ("mean", "difference"):
                for wanted in examples[name][kind]:
                    systems = wanted.get("systems") or [wanted["system"]]
                    human, metric = (
                        table(pair, file, systems) @ ([1, -1] if len(systems) > 1 else [1])
                        for file in ("mqm", files[name])
                    )
                    rated = np.flatnonzero(np.isfinite(human))
                    n = wanted["n"]
                    found = prediction_powered_mean(
                        human[rated[:n]], metric[rated[:n]], metric[rated[n:]]
                    )
                    assert_is(found, wanted)


def assert_is(found, wanted):
    powered = found.powered
    assert found.weight == pytest.approx(wanted["lambda_used"], abs=1e-6)
    assert found.worth == pytest.approx(wanted["variance_ratio"], abs=1e-6)
    assert found.classical.value == pytest.approx(wanted["classical_estimate"], abs=1e-6)
    limits = [powered.value, powered.interval.low, powered.interval.high]
    assert limits == pytest.approx([wanted["estimate"], *wanted["interval"]], abs=1e-6)


@pytest.mark.parametrize(
    ("variant", "weight"), [("lambda_0_classical", 0.0), ("lambda_1", 1.0), ("lambda_tuned", None)]
)
def test_a_metric_that_says_nothing_costs_nothing(golden, variant, weight):
    wanted = json.loads((golden / "ppi" / "expected.json").read_text())[variant]
    label, prediction = np.loadtxt(
        golden / "ppi" / "forest_badmodel.csv", delimiter=",", skiprows=1, unpack=True
    )
    found = prediction_powered_mean(label[:200], prediction[:200], prediction[200:], weight=weight)
    assert_is(found, wanted)


tables = st.integers(0, 2**32 - 1).map(
    lambda seed: np.where(
        np.random.default_rng(seed).random((9, 4)) < 0.1,
        np.nan,
        np.random.default_rng(seed).integers(1, 6, (9, 4)).astype(float),
    )
)


@given(tables, st.sets(st.integers(0, 8), min_size=3))
def test_pairs_are_told_apart_as_scipy_tells_them(human, chosen):
    chosen = sorted(chosen)
    apart = ordered = 0
    for one, other in combinations(range(4), 2):
        difference = human[:, one] - human[:, other]
        some = difference[chosen][np.isfinite(difference[chosen])]
        ordered += np.sign(some.sum()) == np.sign(np.nansum(difference))
        if some.size > 1 and np.ptp(some):
            apart += stats.ttest_1samp(some, 0).pvalue < 0.05
        else:
            apart += some.size > 1 and some[0] != 0
    found = PairsOfSystems(human).told_apart(chosen)
    assert (found.told_apart * 6, found.in_full_order * 6) == pytest.approx((apart, ordered))
