"""Released scores of systems are kept beside those of outputs, and leave with them."""

import pytest

from corpus.exports.bundle import write_bundle
from corpus.models import Study
from metrics.models import MetricRun, SystemScore
from tests.fixtures.study_files import TABLES, import_path, stored_content, write_files

pytestmark = pytest.mark.django_db
HEADER = ["system", "metric", "compared_to", "score"]
RELEASED = [
    HEADER,
    ["BART", "bleu", "reference", "31.25"],
    ["T5", "bleu", "reference", "29.5"],
    ["BART", "of-systems", "", "0.5"],
    ["T5", "of-systems", "", "-0.25"],
]


def stored():
    return set(
        SystemScore.objects.values_list(
            "run__metric__name", "run__compared_to", "system__name", "value"
        )
    )


@pytest.fixture
def released(tmp_path):
    job = import_path(write_files(tmp_path / "a", {**TABLES, "system_scores.csv": RELEASED}))
    assert job.state == "done", job.result
    return job


def test_a_table_without_segments_is_read_as_scores_of_systems(released):
    assert stored() == {
        ("bleu", "reference", "BART", 31.25),
        ("bleu", "reference", "T5", 29.5),
        ("of-systems", "", "BART", 0.5),
        ("of-systems", "", "T5", -0.25),
    }
    assert released.result["tables"]["system_scores"] == {"added": 4, "unchanged": 0}
    runs = {run.metric.name: run for run in MetricRun.objects.all()}
    assert runs["bleu"].fields == ["score"]  # one run has both
    assert runs["of-systems"].fields == []
    assert MetricRun.objects.count() == 3


def test_a_study_archive_carries_them_unchanged(released, tmp_path):
    study = Study.objects.get(slug="small")
    write_bundle(study, tmp_path / "small.zip")
    job = import_path(tmp_path / "small.zip", "again")
    assert job.state == "done", job.result
    assert stored_content("again") == stored_content("small")
    assert "system_scores.csv" in stored_content("again")


@pytest.mark.dialect
def test_the_same_again_adds_nothing_and_another_value_is_refused(released, tmp_path):
    again = import_path(write_files(tmp_path / "b", {"system_scores.csv": RELEASED}))
    assert again.result["tables"]["system_scores"] == {"added": 0, "unchanged": 4}
    other = [HEADER, ["BART", "bleu", "reference", "31.26"]]
    refused = import_path(write_files(tmp_path / "c", {"system_scores.csv": other}))
    [problem] = refused.result["problems"]
    assert (problem["code"], problem["line"], problem["found"]) == ("differs", 2, "31.26")
    assert "31.25" in problem["expected"]


def test_unknown_systems_and_repeated_rows_have_their_places(tmp_path):
    rows = [*RELEASED, ["BARD", "bleu", "reference", "1"], RELEASED[1]]
    job = import_path(write_files(tmp_path / "a", {**TABLES, "system_scores.csv": rows}))
    found = {(each["code"], each["line"], each["column"]) for each in job.result["problems"]}
    assert found == {("unknown-system", 6, "system"), ("duplicate", 7, "system")}
    assert not SystemScore.objects.exists()
