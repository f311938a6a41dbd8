"""Two language pairs of WMT23, imported as they were released, under the preset of that year."""

import pytest

from analysis.collections.changing import change_collection, create_collection
from analysis.collections.content import Comparison
from analysis.collections.presets import PRESETS, WMT23, tasks_of_preset
from analysis.collections.service import comparison
from analysis.models import Collection, CollectionTask
from corpus.models import Study
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.released_wmt23 import LANGUAGE_PAIRS

OTHER_REFERENCE = {"en-de": "synthetic_ref", "he-en": "refA"}
STATISTICS = ("system-pairs", "system-pearson", "segment-pearson", "acc-eq", "soft-pairs")


@pytest.fixture
def expected(expected_of_wmt23):
    return expected_of_wmt23


@pytest.fixture
def pairs(wmt23, db):
    return [Study.objects.get(slug=f"wmt23-{pair}") for pair in LANGUAGE_PAIRS]


@pytest.fixture
def collection(pairs):
    tasks = tasks_of_preset(WMT23, pairs)
    return create_collection("wmt23", "WMT23", tasks, None, **PRESETS[WMT23].settings)


def found_in(collection: Collection) -> Comparison:
    return Comparison.from_dict(comparison(collection)["content"])


def test_the_weighted_average_of_the_shared_task_comes_out(collection, expected):
    wanted = expected["weighted_average_of_the_two_pairs"]["metrics"]
    found = found_in(collection).metrics
    assert [column.weight for column in found.columns] == [2, 1, 1, 1, 1, 1, 1]
    averaged = {row.name: row for row in found.rows if row.average.value is not None}
    assert set(averaged) == set(wanted)
    for name, each in at_least_one(wanted.items()):
        row = averaged[name]
        assert row.average.value == pytest.approx(each["average"], abs=1e-9)
        assert (row.cells[0].details["agree"], row.cells[0].pairs) == (each["agree"], each["pairs"])
    in_order = sorted(wanted, key=lambda name: -wanted[name]["average"])
    assert [row.name for row in found.rows][: len(wanted)] == in_order
    assert averaged[in_order[0]].rank == 1


# The average of the shared task is of the values of `pairs`.
@pytest.mark.parametrize(
    "part", [pytest.param("pairs", marks=pytest.mark.nightly), "with_another_reference"]
)
def test_every_value_of_every_metric_comes_out(collection, pairs, expected, part):
    tasks = []
    for task in tasks_of_preset(WMT23, pairs):
        if task.statistic == "system-pearson":
            fields = {"study": task.study, "name": task.name, "question": task.question}
            fields["standard_reference"] = task.standard_reference
            if part != "pairs":
                fields["standard_reference"] = OTHER_REFERENCE[task.name]
                fields["question"] = {**task.question, "humans": "out"}
            tasks += [CollectionTask(**fields, statistic=each) for each in STATISTICS]
    change_collection(collection, None, tasks)
    found = found_in(collection)
    rows = {row.name: row for row in found.metrics.rows}
    for place, pair in enumerate(LANGUAGE_PAIRS):
        wanted = expected[part][pair]
        task = found.tasks[5 * place]
        assert sorted(task.systems) == sorted(wanted["systems"])
        assert task.rated == wanted["rated_segments"]
        assert set(task.left_out) == set(wanted["left_out"])
        for name, each in at_least_one(wanted["metrics"].items()):
            pairs, system, segment, ties, soft = rows[name].cells[5 * place : 5 * place + 5]
            assert pairs.details["agree"] == each["system_pairs"]["agree"]
            assert pairs.pairs == each["system_pairs"]["pairs"]
            assert system.value == pytest.approx(each["system_pearson"], abs=1e-9)
            has_segments = "segment_pearson" in each
            assert (segment.value is not None) is has_segments
            if has_segments:
                assert segment.value == pytest.approx(each["segment_pearson"], abs=1e-9)
                assert ties.value == pytest.approx(each["acc_eq"]["value"], abs=1e-9)
                assert ties.details["right"] == each["acc_eq"]["correct"]
                assert ties.details["threshold"] == each["acc_eq"]["epsilon"]
                of_pairs = each["soft_pairwise_accuracy"]["value"]
                assert soft.value == pytest.approx(of_pairs, abs=0.005)
