"""Preregistrations in a study's archive: the same bytes, and nothing that lost its hash."""

import csv
import io
import zipfile

import pytest
from django.utils import timezone

from analysis.models import Preregistration
from analysis.preregistration.service import FORMAT, canonical
from corpus.exports.bundle import write_bundle
from corpus.models import Study
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = pytest.mark.django_db


def plan(study, version=1, seed=1):
    at = timezone.now().replace(microsecond=0)
    content = {
        "format": FORMAT,
        "study": study.slug,
        "campaign": "main",
        "version": version,
        "registered_at": at.isoformat(),
        "question": "Wird „x“ besser?\nJa, um 5 %.",
        "primary": {"kind": "ranking", "question": {}},
        "design": {"seed": seed},
    }
    text = canonical(content)
    return Preregistration.objects.create(
        study=study,
        campaign="main",
        version=version,
        content_json=text,
        sha256=Preregistration.hash_of(text),
        public=version == 1,
        registered_at=at,
    )


@pytest.fixture
def study(tmp_path):
    assert import_path(write_files(tmp_path / "files", TABLES)).state == "done"
    return Study.objects.get(slug="small")


def test_plans_travel_with_their_study_to_the_byte(study, tmp_path):
    kept = [plan(study), plan(study, 2)]
    write_bundle(study, tmp_path / "first.zip")
    Study.objects.filter(slug="small").update(slug="elsewhere")
    job = import_path(tmp_path / "first.zip")
    assert job.state == "done", job.error
    there = Study.objects.get(slug="small")
    write_bundle(there, tmp_path / "second.zip")
    assert (tmp_path / "second.zip").read_bytes() == (tmp_path / "first.zip").read_bytes()
    columns = ("version", "content_json", "sha256", "public", "registered_at")
    found = Preregistration.objects.filter(study=there).values_list(*columns)
    assert list(found) == [tuple(getattr(each, name) for name in columns) for each in kept]
    assert import_path(tmp_path / "first.zip").state == "done"
    assert Preregistration.objects.filter(study=there).count() == 2


def test_a_plan_that_was_changed_outside_is_refused(study, tmp_path):
    plan(study)
    write_bundle(study, tmp_path / "first.zip")
    with zipfile.ZipFile(tmp_path / "first.zip") as archive:
        rows = csv.DictReader(io.StringIO(archive.read("preregistrations.csv").decode()))
        [row] = list(rows)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(row))
    writer.writeheader()
    writer.writerow(row | {"plan": row["plan"].replace("besser", "gleich")})
    files = {**TABLES, "preregistrations.csv": out.getvalue()}
    job = import_path(write_files(tmp_path / "again", files), slug="another")
    assert job.state == "failed"
    assert "registered" in job.error + str(job.result)
    assert not Preregistration.objects.filter(study__slug="another").exists()
