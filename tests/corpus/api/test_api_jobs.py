"""Jobs and exports through the API."""

import io
import zipfile

import pytest

from corpus.exports.run import export_path
from corpus.jobs.queue import ask_for_job
from corpus.jobs.worker import run_next
from corpus.models import Job, Study
from tests.fixtures.api_clients import API, client_of, is_error

pytestmark = pytest.mark.django_db
EXPORTS = f"{API}studies/small/exports/"


@pytest.fixture
def study(small_study, db):
    return Study.objects.get()


@pytest.fixture
def owner(study):
    return client_of("owner", study, "owner")


@pytest.fixture
def researcher(study):
    return client_of("researcher", study, "researcher")


@pytest.fixture
def job(study):
    return ask_for_job("export", "x", study=study, user=None, parameters={})


# Jobs


def test_a_job_is_seen_by_members_and_by_nobody_else(job, owner, researcher):
    address = f"{API}jobs/{job.pk}/"
    for client in (owner, researcher):
        assert client.get(address).json()["state"] == "queued"
    is_error(client_of("stranger").get(address), 404)
    is_error(owner.get(f"{API}jobs/{10**30}/"), 404)


def test_owners_cancel_and_resume_a_job_and_researchers_do_not(job, owner, researcher):
    address = f"{API}jobs/{job.pk}/"
    is_error(researcher.post(f"{address}cancel/"), 403)
    assert owner.post(f"{address}cancel/").json()["state"] == "cancelled"
    again = is_error(owner.post(f"{address}cancel/"), 409)
    assert again["detail"] == "This job had already ended: it is cancelled."
    is_error(researcher.post(f"{address}resume/"), 403)
    assert owner.post(f"{address}resume/").json()["state"] == "queued"
    is_error(owner.post(f"{address}resume/"), 409)


# Exports


def test_an_export_is_a_job_whose_zip_can_then_be_fetched(owner, study):
    answer = owner.post(EXPORTS)
    assert answer.status_code == 202
    job = answer.json()
    assert (answer["Location"], job["download"]) == (job["url"], None)
    is_error(owner.get(f"{EXPORTS}{job['id']}/download/"), 409)
    run_next()
    job = owner.get(job["url"]).json()
    assert job["result"]["tables"]["outputs.csv"] == {"rows": 8}
    assert job["download"] == f"http://testserver{EXPORTS}{job['id']}/download/"
    zipped = owner.get(job["download"], headers={"accept": "application/zip"})
    assert zipped["Content-Type"] == "application/zip"
    assert zipped["Content-Disposition"] == 'attachment; filename="small.zip"'
    content = b"".join(zipped.streaming_content)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert "ratings.csv" in archive.namelist()


def test_an_export_for_spreadsheets_is_another_zip(owner, study):
    assert owner.post(EXPORTS, {"for_spreadsheets": True}, format="json").status_code == 202
    assert owner.post(EXPORTS, format="json").status_code == 202
    is_error(owner.post(EXPORTS, format="json"), 409)
    run_next()
    with zipfile.ZipFile(export_path(Job.objects.get(parameters__for_spreadsheets=True))) as zipped:
        assert "study.json" not in zipped.namelist()
    is_error(owner.post(EXPORTS, {"for_spreadsheets": "perhaps"}, format="json"), 400)


def test_a_zip_of_another_study_or_one_that_is_gone_is_not_found(owner, study):
    other = Study.objects.create(slug="other")
    foreign = ask_for_job("export", "y", study=other, user=None, parameters={})
    foreign_import = Job.objects.get(kind="import")
    for pk in (foreign.pk, foreign_import.pk, 10**30):
        is_error(owner.get(f"{EXPORTS}{pk}/download/"), 404)
    run_next()
    job = owner.post(EXPORTS).json()
    run_next()
    export_path(Job.objects.get(pk=job["id"])).unlink()
    answer = owner.get(f"{EXPORTS}{job['id']}/download/", headers={"accept": "application/zip"})
    assert "export the study again" in is_error(answer, 404)["detail"]
