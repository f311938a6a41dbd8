"""Owners check and publish on a page, and open a page of the publication for anybody."""

import zipfile
from io import BytesIO, StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.data import matrices
from analysis.models import Publication
from analysis.publishing.public_page import zip_path
from corpus.jobs.worker import run_next
from corpus.models import Job, Study
from corpus.studies.deletion import delete_study
from tests.fixtures.api_clients import API, client_of
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.publications import declare_details, published
from tests.fixtures.report_pages import open_page, tables

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo")]
PAGE = "/studies/formality-demo/publish/"


@pytest.fixture
def study(settings, tmp_path) -> Study:
    settings.MEDIA_ROOT = tmp_path / "media"
    matrices.forget()
    return Study.objects.get(slug="formality-demo")


@pytest.fixture
def owner(study) -> Client:
    return signed_in("grace", study)


def test_the_page_says_what_is_in_the_way_and_refuses_until_it_is_corrected(study, owner):
    page = open_page(owner, PAGE)
    checks = tables(page)["Checks"]
    assert (
        "must be corrected" in checks.cell("Verdict", "The publication has a licencelicence").text
    )
    reply = owner.post(PAGE, {"publish": "1"})
    assert reply.status_code == 400
    assert not Job.objects.filter(kind="publish").exists()


def test_an_owner_states_details_confirms_and_publishes(study, owner):
    sent = {
        "licence": "CC-BY-4.0",
        "text_licence": "CC0-1.0",
        "authors": "King, Ada; 0000-0002-1825-0097; Analytical Society\nHopper, Grace",
        "keywords": "style, transfer",
        "ratings_source": "Simulated.",
    }
    reply = owner.post(f"{PAGE}details/", sent)
    assert reply.url == PAGE
    study.refresh_from_db()
    stored = study.declarations["publication"]
    assert stored["authors"][1] == {"name": "Hopper, Grace"}
    assert stored["keywords"] == ["style", "transfer"]
    form = open_page(owner, f"{PAGE}details/")
    (area,) = [a for a in form.iter("textarea") if a.get("name") == "authors"]
    assert "King, Ada; 0000-0002-1825-0097; Analytical Society" in "".join(area.itertext())
    reply = owner.post(PAGE, {"publish": "1", "smallest": "2", "accept": ["reports"]})
    job = Job.objects.get(kind="publish")
    assert reply.url == f"/jobs/{job.pk}/"
    assert run_next().state == "done"
    made = Publication.objects.get()
    assert made.options["smallest"] == 2
    assert made.record["accepted"] == ["reports"]
    assert f"/studies/formality-demo/publications/{made.pk}/" in str(
        owner.get(f"/jobs/{job.pk}/").content
    )
    reply = owner.get(f"/studies/formality-demo/publications/{made.pk}/zip/")
    with zipfile.ZipFile(BytesIO(b"".join(reply.streaming_content))) as archive:
        assert "formality-demo/croissant.json" in archive.namelist()


def test_a_publication_is_deleted_with_its_zip_and_so_it_is_with_its_study(study, owner, tmp_path):
    published(declare_details(study), tmp_path)
    made = Publication.objects.get()
    path = zip_path(made)
    owner.post(f"/studies/formality-demo/publications/{made.pk}/delete/")
    assert not path.exists()
    assert not Publication.objects.exists()
    published(study, tmp_path / "again")
    path = zip_path(Publication.objects.get())
    delete_study(study)
    assert not path.exists()
    assert not Publication.objects.exists()


def test_the_api_checks_publishes_and_sends_the_zip(study):
    declare_details(study)
    client = client_of("grace", study, "owner")
    base = f"{API}studies/formality-demo/publications/"
    reply = client.post(f"{base}check/", {}, content_type="application/json")
    assert reply.status_code == 200
    verdicts = {each["name"]: each["verdict"] for each in reply.json()}
    assert (verdicts["licence"], verdicts["reports"]) == ("passed", "warning")
    body = {"accept": ["reports"], "seed": "s", "date": "2026-05-01"}
    reply = client.post(base, body, content_type="application/json")
    assert reply.status_code == 202
    assert run_next().state == "done"
    (job,) = client.get(base).json()["results"]
    number = job["result"]["publication"]
    assert "seed" not in str(job)
    sent = client.get(f"{base}{number}/download/")
    assert b"".join(sent.streaming_content) == zip_path(Publication.objects.get()).read_bytes()
    assert client.get(f"{base}{number + 1}/download/").status_code == 404
    reply = client.post(base, {"reports": [99]}, content_type="application/json")
    assert reply.status_code == 202
    failed = run_next()
    assert (failed.state, "no frozen report 99" in failed.error) == ("failed", True)


def test_the_command_shows_checks_and_writes(study, tmp_path):
    out = StringIO()
    with pytest.raises(CommandError, match=r"licence \(must be corrected"):
        call_command("publish_study", "formality-demo", output=tmp_path / "out", stdout=out)
    assert "licence: must be corrected" in out.getvalue()
    assert not (tmp_path / "out").exists()
    declare_details(study)
    options = {"accept": ["reports"], "seed": "s", "date": "2026-05-01", "packed": tmp_path / "z"}
    call_command("publish_study", "formality-demo", output=tmp_path / "out", stdout=out, **options)
    assert (tmp_path / "out" / "README.md").is_file()
    assert zipfile.is_zipfile(tmp_path / "z")
    with pytest.raises(CommandError, match="is not empty"):
        call_command("publish_study", "formality-demo", output=tmp_path / "out", **options)
    with pytest.raises(CommandError, match="no study 'nothing'"):
        call_command("publish_study", "nothing", check=True)
    with pytest.raises(CommandError, match="name the folder"):
        call_command("publish_study", "formality-demo")
