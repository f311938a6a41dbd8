"""Computed scores travel with their study: signature, fields, reasons; and are found there."""

import csv
import io
import zipfile

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from analysis.filter.question import Question
from analysis.publishing.gathering import content_of
from analysis.publishing.metadata import croissant
from analysis.publishing.options import Options
from analysis.reports.service import report
from analysis.tables.of_reports import flat_tables
from corpus.exports.bundle import write_bundle
from corpus.jobs.worker import run_next
from corpus.models import Output, Study
from metrics.models import Undefined
from metrics.runs.asking import ask_for_runs, prepare_runs
from metrics.runs.listing import run_summary
from metrics.runs.packed_scores import load_scores
from metrics.runs.requests import RunRequest
from tests.fixtures.study_files import TABLES, import_path, write_zip

pytestmark = pytest.mark.django_db
SAID = "imported, stated by the file"


SCORES = [*TABLES["metric_scores.csv"], ["s1", "T5", "counting", "source", "0.5"]]
FILES = TABLES | {"metric_scores.csv": SCORES}


@pytest.fixture(autouse=True)
def _scored(study, own):
    """Compute a metric of the name of an imported one, and one of two numbers."""
    requests = [
        RunRequest("pair"),
        RunRequest("counting", against="reference.2"),
        RunRequest("counting", {"plus": 1}, "source"),
    ]
    ask_for_runs(study, requests, None)
    assert run_next().state == "done"


def exported(slug, path):
    write_bundle(Study.objects.get(slug=slug), path)
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture
def travelled(study, tmp_path):
    """The bundle, and the copy of the study that was made from it."""
    first = exported("small", tmp_path / "first.zip")
    Study.objects.filter(slug="small").update(slug="elsewhere")
    job = import_path(tmp_path / "first.zip")
    assert job.state == "done", job.error
    return first, job.study


def table(content):
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def test_a_copy_has_the_same_bytes_runs_reasons_and_statistics(travelled, own, tmp_path):
    first, copy = travelled
    assert exported("small", tmp_path / "second.zip") == first
    assert (tmp_path / "second.zip").read_bytes() == (tmp_path / "first.zip").read_bytes()
    runs = {row["run"]: row for row in table(first["metric_runs.csv"])}
    assert [row["metric"] for row in runs.values()] == ["pair"] + ["counting (computed)"] * 2
    scores = table(first["metric_scores.csv"])
    missing = [row for row in scores if row["missing_because"]]
    assert {row["missing_because"] for row in missing} == {"this segment has no reference 2"}
    assert {runs[row["metric_run"]]["compared_to"] for row in missing} == {"reference.2"}
    assert {row["metric_field"] for row in scores if row["metric"] == "pair"} == {"c", "w"}
    assert {row["metric_run"] for row in scores if row["metric"] in ("bleu", "counting")} == {""}
    original = Study.objects.get(slug="elsewhere")
    for run in original.runs.filter(origin="computed"):
        twin = copy.runs.get(signature=run.signature)
        facts = ("fields", "request", "versions", "aspect", "compared_to", "origin")
        assert [getattr(twin, name) for name in facts] == [getattr(run, name) for name in facts]
        scores = [
            load_scores(each.pk, outputs=Output.objects.filter(study=each.study).count(), fields=2)
            for each in (run, twin)
            if len(each.fields) == 2
        ]
        if scores:
            np.testing.assert_array_equal(np.sort(scores[0], 0), np.sort(scores[1], 0))
        reasons = [
            sorted(Undefined.objects.filter(run=each).values_list("output__segment__key", "reason"))
            for each in (run, twin)
        ]
        assert reasons[0] == reasons[1]
    own.Counting.asked.clear()
    asked = prepare_runs(copy, [RunRequest("counting", {"plus": 1}, "source")])
    assert len(asked.found) == 1
    assert own.Counting.asked == []
    names = {row["metric_field"] for row in table(first["metric_scores.csv"])}
    assert {"statistic:characters", "statistic:texts"} <= names
    for run in original.runs.filter(origin="computed"):
        twin = copy.runs.get(signature=run.signature)
        corpus = [
            {(row.system.name, row.number): row.corpus for row in run_summary(each)}
            for each in (run, twin)
        ]
        assert corpus[0] == corpus[1]
        if run.statistics:
            assert corpus[0]["BART", run.name] == len("BART writes 1")


def test_a_run_that_a_file_states_says_so_wherever_it_is_shown(travelled, client):
    _, copy = travelled
    home = Study.objects.get(slug="elsewhere")
    options = Options(seed="seed", date="2026-05-01")
    client.force_login(User.objects.create_superuser("owner"))
    for study, mark in ((copy, SAID), (home, "finished")):
        stated = study is copy
        computed = study.runs.filter(origin="computed")
        assert computed.count() == 3
        for run in computed:
            page = client.get(reverse("study-run", args=[study.slug, run.pk])).text
            assert ("This server did not see them computed" in page) == stated
            assert (">Requested<" in page) != stated
        assert client.get(reverse("study-metrics", args=[study.slug])).text.count(mark) == 3
        listed = client.get(f"/api/v1/studies/{study.slug}/runs/").json()["results"]
        came = {each["name"]: bool(each["imported_at"]) for each in listed}
        assert came == {run.name: stated or run.origin == "imported" for run in study.runs.all()}
        counts = report(study, "correlation", Question())["counts"]
        assert counts.get("stated_runs", 0) == (3 if stated else 0)
        [table, *_] = flat_tables(report(study, "correlation", Question()))
        assert any(SAID in line for line in table.sources) == stated
        page = client.get(reverse("study-correlation", args=[study.slug])).text
        assert (SAID in page) == stated
        content = content_of(study, options, (), (), ())
        machine = croissant(content).get("rai:machineAnnotationTools")
        assert machine == (None if stated else ["Touchstone"])


def test_a_run_of_here_that_an_import_adds_scores_to_is_not_from_here_alone(study, tmp_path):
    write_bundle(study, tmp_path / "first.zip")
    assert import_path(tmp_path / "first.zip").state == "done"
    assert study.runs.computed_here().count() == 3
    pair = study.runs.get(metric__name="pair")
    pair.blocks.all().delete()
    assert import_path(tmp_path / "first.zip").state == "done"
    pair.refresh_from_db()
    assert (pair.is_stated, study.runs.computed_here().count()) == (True, 2)


def without_manifest(first):
    return {name: content for name, content in first.items() if name != "manifest.json"}


def test_scores_of_a_run_that_is_not_described_are_refused(travelled, tmp_path):
    files = without_manifest(travelled[0])
    del files["metric_runs.csv"]
    job = import_path(write_zip(tmp_path / "third.zip", files), slug="third")
    assert job.state == "failed"
    assert "Give the table of metric runs" in job.error


def test_other_scores_under_a_stored_signature_are_refused(travelled, tmp_path):
    files = without_manifest(travelled[0])
    rows = table(files["metric_scores.csv"])
    changed = next(row for row in rows if row["metric_run"] and row["score"])
    changed["score"] = "123.25"
    lines = [list(rows[0]), *(list(row.values()) for row in rows)]
    files["metric_scores.csv"] = lines
    job = import_path(write_zip(tmp_path / "third.zip", files))
    assert job.state == "failed"
    assert "stored scores do not change" in job.error
