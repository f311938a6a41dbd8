"""Two language pairs of the WMT23 metrics task, read as they were released."""

import numpy as np
import pytest

from analysis.stats.correlation.tie_calibration import calibrate
from analysis.stats.tasks.joint_comparison import Column, Part, Units, compare_over_tasks
from analysis.stats.tasks.task_statistics import (
    mean_by_unit,
    pearson_by_unit,
    soft_system_pairs,
    system_pair_accuracy,
)
from tests.fixtures.released_wmt23 import LANGUAGE_PAIRS

PARTS = ("pairs", "with_another_reference")


@pytest.fixture
def expected(expected_of_wmt23):
    return expected_of_wmt23


@pytest.fixture
def released(scores_of_wmt23):
    return scores_of_wmt23


class Read:
    """A pair with those systems and metric files that its expected values name."""

    def __init__(self, released, expected, pair):
        human = released[pair, "mqm.seg.score"]
        self.pair, self.metrics = pair, expected["metrics"]
        self.human = np.array([human[name] for name in expected["systems"]]).T
        self.rated = np.flatnonzero(np.isfinite(self.human).any(axis=1))
        self.of_systems = np.array(
            [
                [
                    released[pair, f"{each['file']}.sys.score"][name][0]
                    for name in expected["systems"]
                ]
                for each in self.metrics.values()
            ]
        )
        self.with_segments = [
            name
            for name, each in self.metrics.items()
            if (pair, f"{each['file']}.seg.score") in released
        ]
        self.scores = np.array(
            [
                np.array(
                    [
                        released[pair, f"{self.metrics[name]['file']}.seg.score"][system]
                        for system in expected["systems"]
                    ]
                ).T[self.rated]
                for name in self.with_segments
            ]
        )

    @property
    def rated_human(self):
        return self.human[self.rated]

    @property
    def people(self):
        return np.nanmean(self.human, axis=0)

    def expected(self, *keys):
        found = []
        for name in self.with_segments:
            value = self.metrics[name]
            for key in keys:
                value = value[key]
            found.append(value)
        return found


@pytest.fixture(params=[(part, pair) for part in PARTS for pair in LANGUAGE_PAIRS])
def read(request, released, expected):
    part, pair = request.param
    return Read(released, expected[part][pair], pair)


def test_correlations_and_pairs_of_systems_are_the_expected_ones(read):
    segments = pearson_by_unit(read.scores, read.rated_human).values
    assert segments == pytest.approx(read.expected("segment_pearson"), abs=1e-9)
    systems = pearson_by_unit(read.of_systems[:, :, None], read.people[:, None]).values
    published = [each["system_pearson"] for each in read.metrics.values()]
    assert systems == pytest.approx(published, abs=1e-9)
    pairs = system_pair_accuracy(read.of_systems, read.people)
    agree = [each["system_pairs"]["agree"] for each in read.metrics.values()]
    assert np.rint(pairs.values * pairs.pairs_of_systems).tolist() == agree
    assert {each["system_pairs"]["pairs"] for each in read.metrics.values()} == {
        pairs.pairs_of_systems
    }


def test_calibrated_ties_are_the_expected_ones_exact_and_rounded(read):
    for scores, wanted in zip(read.scores, read.expected("acc_eq"), strict=True):
        found = calibrate(scores, read.rated_human)
        assert found.right.sum() == wanted["correct"]
        assert found.pairs.sum() == wanted["pairs"]
        assert found.threshold == wanted["epsilon"]
        assert np.nanmean(found.shares) == pytest.approx(wanted["value"], abs=1e-9)
        name = "value_if_human_scores_rounded_to_9_places"
        without_noise = np.nanmean(calibrate(scores, read.rated_human, "rounded").shares)
        assert without_noise == pytest.approx(wanted.get(name, wanted["value"]), abs=1e-9)


def test_soft_accuracy_is_the_expected_one_but_for_the_noise_of_its_draws(read):
    found = soft_system_pairs(read.scores, read.rated_human, draws=10_000, seed=1).values
    assert found == pytest.approx(read.expected("soft_pairwise_accuracy", "value"), abs=0.0015)


def test_the_weighted_average_of_both_pairs_is_the_expected_one(released, expected):
    wanted = expected["weighted_average_of_the_two_pairs"]["metrics"]
    reads = [Read(released, expected["pairs"][pair], pair) for pair in LANGUAGE_PAIRS]
    names = list(dict.fromkeys(name for read in reads for name in read.metrics))
    pooled, columns = [], []
    for read in reads:
        of_systems = tuple(names.index(name) for name in read.metrics)
        of_segments = tuple(names.index(name) for name in read.with_segments)
        segments = Units(read.pair, "segments", len(read.human))
        systems = Units(read.pair, "systems", read.people.size)
        all_systems = np.arange(read.people.size)
        pooled.append((system_pair_accuracy(read.of_systems, read.people), of_systems, systems))
        shares = mean_by_unit(
            np.array([calibrate(each, read.rated_human).shares for each in read.scores])
        )
        by_system = pearson_by_unit(read.of_systems[:, :, None], read.people[:, None])
        by_segment = pearson_by_unit(read.scores, read.rated_human)
        columns += [
            Column((Part(by_system, of_systems, systems, all_systems),), 1.0, -1.0),
            Column((Part(by_segment, of_segments, segments, read.rated),), 1.0, -1.0),
            Column((Part(shares, of_segments, segments, read.rated),), 1.0),
        ]
    total = sum(statistic.pairs_of_systems for statistic, *_ in pooled)
    parts = tuple(
        Part(
            statistic, entries, systems, np.arange(systems.size), statistic.pairs_of_systems / total
        )
        for statistic, entries, systems in pooled
    )
    of_columns, average = compare_over_tasks(
        [Column(parts, 2.0), *columns], len(names), unit_range=True, draws=200
    )
    averaged = {name for name, value in zip(names, average.values, strict=True) if value == value}
    assert averaged == set(wanted)
    for name, each in wanted.items():
        place = names.index(name)
        assert average.values[place] == pytest.approx(each["average"], abs=1e-9)
        assert each["pairs"] == total
        assert round(of_columns[0].values[place] * total) == each["agree"]
