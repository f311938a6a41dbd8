"""What an import says that it added or found stored already: rows of its files, each once."""

import csv
import io
import json
import zipfile

import pytest

from corpus.exports.bundle import write_bundle
from corpus.models import Membership, Study
from metrics.runs.asking import ask_for_runs
from metrics.runs.requests import RunRequest
from tests.fixtures.study_files import OUTPUTS, SEGMENTS, TABLES, import_path, write_files

pytestmark = pytest.mark.django_db


def counts(job):
    assert job.state == "done", job.error
    return {name: (t["added"], t["unchanged"]) for name, t in job.result["tables"].items()}


def exported_rows(path):
    """Rows of each table of a bundle, but for study.json."""
    with zipfile.ZipFile(path) as archive:
        members = json.loads(archive.read("manifest.json"))["members"]
        return {
            name.removesuffix(".csv"): facts["rows"]
            for name, facts in members.items()
            if name.endswith(".csv")
        }


def exported(slug, path):
    write_bundle(Study.objects.get(slug=slug), path)
    return path


@pytest.fixture
def bundle(tmp_path, own):
    """A study with imported and computed scores of several numbers, some missing, exported."""
    from corpus.jobs.worker import run_next

    scores = [*TABLES["metric_scores.csv"], ["s1", "T5", "ppl", "", ""]]
    columns = {"segment": "segment_id"} | {name: name for name in scores[0][1:]}
    mapping = {"table": "metric_scores", "columns": columns, "missing": [""]}
    distributions = [
        ["segment", "system", "classifier", "p_formal", "p_informal"],
        ["s1", "BART", "svm", "0.25", "0.75"],
        ["s2", "BART", "svm", "0.5", "0.5"],
    ]
    files = TABLES | {"metric_scores.csv": scores, "style_distributions.csv": distributions}
    folder = write_files(tmp_path / "small", files)
    job = import_path(folder, mappings={"metric_scores.csv": [mapping]})
    assert counts(job)["metric_scores"] == (len(scores) - 1, 0)
    assert counts(job)["style_distributions"] == (2, 0)
    ask_for_runs(
        job.study, [RunRequest("pair"), RunRequest("counting", against="reference.2")], None
    )
    assert run_next().state == "done"
    return exported("small", tmp_path / "bundle.zip")


def test_every_row_of_an_export_is_new_in_a_new_study(bundle):
    job = import_path(bundle, slug="copy")
    assert counts(job) == {name: (rows, 0) for name, rows in exported_rows(bundle).items()}


def test_every_row_of_an_export_is_already_there_in_its_own_study(bundle):
    job = import_path(bundle)
    assert counts(job) == {name: (0, rows) for name, rows in exported_rows(bundle).items()}


def test_half_of_the_rows_of_an_export_are_already_there_if_half_was_imported(bundle, tmp_path):
    with zipfile.ZipFile(bundle) as archive:
        members = {name: archive.read(name).decode() for name in archive.namelist()}
    del members["manifest.json"]
    whole = list(csv.reader(io.StringIO(members["metric_scores.csv"], newline="")))
    half = [whole[0], *whole[1::2]]
    first = write_files(tmp_path / "half", members | {"metric_scores.csv": half})
    assert counts(import_path(first, slug="copy"))["metric_scores"] == (len(half) - 1, 0)
    again = counts(import_path(bundle, slug="copy"))["metric_scores"]
    assert again == (len(whole) - len(half), len(half) - 1)


def test_the_published_tables_of_a_study_count_as_many_rows_as_their_files(studies, tmp_path):
    counted = counts(import_path(studies / "mir2019", slug="mir"))
    path = exported("mir", tmp_path / "mir.zip")
    rows = exported_rows(path)
    assert counts(import_path(path, slug="copy")) == {name: (n, 0) for name, n in rows.items()}
    assert counts(import_path(path, slug="mir")) == {name: (0, n) for name, n in rows.items()}
    assert counted["ratings"] == (rows["ratings"], 0)


def test_a_run_that_is_described_twice_under_two_names_is_refused(bundle, tmp_path):
    with zipfile.ZipFile(bundle) as archive:
        members = {name: archive.read(name).decode() for name in archive.namelist()}
    del members["manifest.json"]
    runs = list(csv.reader(io.StringIO(members["metric_runs.csv"], newline="")))
    runs.append(["another-name", *runs[1][1:]])
    job = import_path(
        write_files(tmp_path / "twice", members | {"metric_runs.csv": runs}), slug="c"
    )
    [problem] = job.result["problems"]
    assert (problem["file"], problem["line"], problem["column"]) == (
        "metric_runs.csv",
        4,
        "signature",
    )
    assert problem["code"] == "duplicate"


def test_a_table_of_systems_counts_what_it_brings(tmp_path):
    files = {"segments.csv": SEGMENTS, "outputs.csv": OUTPUTS}
    files["systems.csv"] = [["system", "group"], ["BART", "a"], ["T5", "b"], ["GPT", ""]]
    folder = write_files(tmp_path / "1", files)
    assert counts(import_path(folder))["systems"] == (3, 0)
    assert counts(import_path(folder))["systems"] == (0, 3)


def test_an_import_that_is_done_does_not_say_that_it_is_reading(owner, client, tmp_path):
    job = import_path(write_files(tmp_path / "small", TABLES))
    Membership.objects.create(study=job.study, user=owner, role="owner")
    assert job.progress == {}
    page = client.get(f"/jobs/{job.pk}/").text
    assert "reading" not in page
    assert "Finished." in page
