"""What a small collection compares, against SciPy and plain loops over the made-up scores."""

from itertools import combinations

import numpy as np
import pytest
import scipy

from analysis.collections.changing import change_collection, create_collection
from analysis.collections.content import Comparison, Leaderboard
from analysis.collections.service import comparison
from analysis.filter.question import QuestionError
from analysis.models import CollectionResult, CollectionTask
from metrics.models import Metric
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.small_collections import NUMBERS, SYSTEMS, human_scores, metric_scores
from tests.fixtures.study_files import import_path, write_files

pytestmark = pytest.mark.django_db
KEPT = list(range(6))
"""All systems but refB, which metrics were given."""


def rated(name):
    human = human_scores(name)[:, KEPT]
    rows = np.isfinite(human).any(axis=1)
    return human[rows], rows


def scores(name, metric):
    """Return scores as they are turned: `poor` is stored with its sign changed."""
    return metric_scores(name, metric)[:, KEPT]


def of_systems(name, metric):
    if metric == "good":
        return np.arange(10.0, 16.0)
    return scores(name, metric).mean(axis=0)


def agreeing(name, metric):
    human, _ = rated(name)
    people, values = human.mean(axis=0), of_systems(name, metric)
    return [
        np.sign(np.round(people[i] - people[j], 9)) == np.sign(values[i] - values[j])
        for i, j in combinations(range(6), 2)
    ]


def expected_columns(metric):
    """Return the values of all seven columns."""
    columns = [np.mean(agreeing("one", metric) + agreeing("two", metric))]
    for name in NUMBERS:
        human, rows = rated(name)
        x = scores(name, metric)[rows]
        columns.append(scipy.stats.pearsonr(of_systems(name, metric), human.mean(axis=0))[0])
        columns.append(scipy.stats.pearsonr(x.ravel(), human.ravel())[0])
        columns.append(best_accuracy(x, human))
    return columns


def best_accuracy(x, human):
    pairs = list(combinations(range(6), 2))
    gaps = np.array([x[:, i] - x[:, j] for i, j in pairs])
    truth = np.array([human[:, i] - human[:, j] for i, j in pairs])
    found = []
    for threshold in {0.0, *np.abs(gaps).ravel()}:
        tied = np.abs(gaps) <= threshold
        found.append(np.mean(np.where(truth == 0, tied, ~tied & (gaps * truth > 0))))
    return max(found)


def compared(collection, **more):
    return Comparison.from_dict(comparison(collection, **more)["content"])


def test_every_value_is_what_plain_loops_find(collection):
    found = compared(collection)
    assert [column.name for column in found.metrics.columns] == [
        "both: Pairs of systems",
        *(f"{name}: {what}" for name in NUMBERS for what in ("System r", "Segment r", "acc-eq")),
    ]
    rows = {row.name: row for row in found.metrics.rows}
    assert set(rows) == {"good", "fair", "poor"}
    for metric, row in rows.items():
        values = [cell.value for cell in row.cells]
        expected = expected_columns(metric)
        assert values == pytest.approx(expected, abs=1e-12)
        mapped = [2 * expected[0]]
        for place in (1, 4):
            system, segment, ties = expected[place : place + 3]
            mapped += [(system + 1) / 2, (segment + 1) / 2, ties]
        assert row.average.value == pytest.approx(sum(mapped) / 8, abs=1e-12)


def test_each_number_says_what_it_rests_on(collection):
    found = compared(collection)
    row = next(row for row in found.metrics.rows if row.name == "fair")
    pooled, system, segment, ties = row.cells[:4]
    assert (pooled.n, pooled.pairs, pooled.unit) == (12, 30, "systems")
    assert pooled.details["agree"] == sum(agreeing("one", "fair") + agreeing("two", "fair"))
    assert (system.n, system.details["system_value"]) == (6, "mean")
    assert (segment.n, segment.details["outputs"]) == (9, 54)
    assert ties.details["pairs_of_outputs"] == 9 * 15
    assert "human-ties:exact" in ties.signature
    for cell in (*row.cells, row.average):
        assert cell.interval.low <= cell.value <= cell.interval.high
    good = next(row for row in found.metrics.rows if row.name == "good")
    assert good.cells[1].details["system_value"] == "released"
    assert good.cells[1].details["read"] == "reference"
    assert segment.details["read"] == "source"


def test_systems_are_ranked_by_people_over_standardised_scores(collection):
    found = compared(collection).systems
    rows = {row.name: row for row in found.rows}
    standardised = []
    for place, name in enumerate(NUMBERS):
        human, _ = rated(name)
        for system, mean in zip(SYSTEMS, human.mean(axis=0), strict=False):
            assert rows[system].cells[place].value == pytest.approx(mean)
        standardised.append((human.mean(axis=0) - human.mean()) / human.std())
    expected = np.mean(standardised, axis=0)
    for system, value in zip(SYSTEMS, expected, strict=False):
        assert rows[system].average.value == pytest.approx(value)
    assert "refB" not in rows


def test_systems_are_ranked_by_a_metric_too(collection):
    stored = comparison(collection, "poor")
    board = Leaderboard.from_dict(stored["content"])
    _, rows = rated("one")
    cells = {row.name: row.cells[0].value for row in board.systems.rows}
    means = scores("one", "poor")[rows].mean(axis=0)
    assert [cells[system] for system in SYSTEMS[:6]] == pytest.approx(means.tolist())
    with pytest.raises(QuestionError, match="by=nothing: the collection has good, fair, poor"):
        comparison(collection, "nothing")


@pytest.mark.parametrize(
    ("statistic", "compute"),
    [
        ("system-spearman", scipy.stats.spearmanr),
        ("system-kendall", scipy.stats.kendalltau),
        ("grouped-pearson", scipy.stats.pearsonr),
        ("grouped-kendall", scipy.stats.kendalltau),
    ],
)
def test_other_statistics_are_scipys(studies, statistic, compute):
    question = {"candidates": "all", "humans": "in"}
    task = CollectionTask(
        study=studies[1], statistic=statistic, standard_reference="refB", question=question
    )
    found = compared(create_collection("other", "Other", [task], None, draws=100)).metrics
    human, rows = rated("two")
    for row in at_least_one(found.rows):
        x = scores("two", row.name)[rows]
        if statistic.startswith("system"):
            expected = compute(of_systems("two", row.name), human.mean(axis=0))[0]
        else:
            expected = np.nanmean([compute(a, b)[0] for a, b in zip(x, human, strict=True)])
        assert row.cells[0].value == pytest.approx(expected, abs=1e-12)


def test_a_comparison_is_stored_until_a_study_or_a_task_changes(collection, studies, tmp_path):
    first = comparison(collection)
    assert comparison(collection) == first
    assert CollectionResult.objects.count() == 1
    change_collection(collection, None, seed=7)
    collection.refresh_from_db()
    second = comparison(collection)
    assert second["signature"] != first["signature"]
    rows = [["segment", "system", "metric", "compared_to", "score"]]
    rows += [[f"s{n}", system, "mine", "src", n] for n in range(12) for system in SYSTEMS]
    import_path(write_files(tmp_path / "more", {"scores.csv": rows}), slug="one")
    Metric.objects.filter(name="mine").update(orientation="higher")
    third = comparison(collection)
    assert third["signature"] != second["signature"]
    names = [row.name for row in Comparison.from_dict(third["content"]).metrics.rows]
    assert "mine" in names
