"""Owners check and publish on a page, and open a page of the publication for anybody."""

import hashlib
import json
import zipfile
from io import BytesIO, StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.data import matrices
from analysis.models import Publication
from analysis.publishing.public_page import DOWNLOADS
from analysis.publishing.zips import zip_path
from corpus.deletion import delete_study
from corpus.jobs.worker import run_next
from corpus.models import AuditEntry, Job, Membership, Study
from tests.fixtures.api_clients import API, client_of
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.publications import declare_details, freeze_some, published
from tests.fixtures.report_pages import open_page, reader, tables, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo")]
PAGE = "/studies/formality-demo/publish/"


@pytest.fixture
def study(settings, tmp_path) -> Study:
    settings.MEDIA_ROOT = tmp_path / "media"
    matrices.forget()
    return Study.objects.get(slug="formality-demo")


@pytest.fixture
def owner(study) -> Client:
    person = User.objects.create_user("grace")
    Membership.objects.create(study=study, user=person, role="owner")
    browser = Client()
    browser.force_login(person)
    return browser


@pytest.fixture
def made(study, tmp_path) -> Publication:
    declare_details(study)
    freeze_some(study)
    published(study, tmp_path)
    return Publication.objects.get()


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


def test_wrong_details_are_marked_and_not_stored(study, owner):
    reply = owner.post(f"{PAGE}details/", {"authors": "King, Ada; 0000-0002-1825-0098"})
    assert reply.status_code == 400
    assert "an ORCID such as" in reply.text
    study.refresh_from_db()
    assert "publication" not in study.declarations


@pytest.mark.parametrize(
    "sent", [{"smallest": "9" * 5000}, {"reports": "9" * 30}, {"smallest": "x"}]
)
def test_numbers_that_are_none_are_no_error_of_the_page(owner, sent):
    assert owner.post(PAGE, sent | {"publish": "1"}).status_code in (302, 400)
    assert not Job.objects.filter(kind="publish").exists()


def test_only_owners_see_the_page(study, made):
    researcher = reader("ada", "formality-demo")
    base = f"/studies/formality-demo/publications/{made.pk}/"
    for address in (PAGE, f"{PAGE}details/", base, f"{base}zip/"):
        assert researcher.get(address).status_code == 403
    assert researcher.post(f"{base}page/").status_code == 403
    assert researcher.post(f"{base}delete/").status_code == 403


def open_public(owner, made, **sent):
    owner.post(f"/studies/formality-demo/publications/{made.pk}/page/", sent)
    made.refresh_from_db()
    return f"/published/{made.address}/"


def test_without_a_page_nothing_is_reached(made):
    visitor = Client()
    for address in ("None", "null", str(made.pk), made.sha256):
        for rest in ("", "zip/", "files/README.md", "files/data/outputs.parquet"):
            assert visitor.get(f"/published/{address}/{rest}").status_code == 404


def test_a_public_page_shows_the_card_and_leads_nowhere_else(study, owner, made):
    address = open_public(owner, made)
    assert len(made.address) >= 24
    visitor = Client()
    reply = visitor.get(address)
    assert (reply["X-Robots-Tag"], reply["Referrer-Policy"]) == ("noindex", "no-referrer")
    page = open_page(visitor, address)
    assert "Ada King" in words(page)
    assert "Metrics and content" in words(page)
    for link in at_least_one([a.get("href") for a in page.iter("a")]):
        assert link.startswith((f"{address}files/", "https://", "#")), link
    # Of the numbers, those of the frozen report.
    frozen = study.frozen_reports.get(kind="correlation").content["content"]["rows"][0]
    assert f"{frozen['results']['asked']['value']:.3f}" in words(page)


def test_without_texts_no_text_is_reached(study, owner, made):
    address = open_public(owner, made)
    visitor = Client()
    sums = made.record["sums"]
    texts = {"data/segments.parquet", "data/outputs.parquet"}
    # The segments have attributes, and inputs of reports hold them.
    texts |= {name for name in sums if name.startswith("reports/")}
    assert "Download the report with its inputs" not in visitor.get(address).text
    for name in at_least_one(sums):
        reply = visitor.get(f"{address}files/{name}")
        assert reply.status_code == (404 if name in texts else 200), name
        if reply.streaming:
            content = b"".join(reply.streaming_content)
            assert hashlib.sha256(content).hexdigest() == sums[name]
    assert visitor.get(f"{address}zip/").status_code == 404
    for name in ("../media", "/etc/passwd", "nothing", "data/"):
        assert visitor.get(f"{address}files/{name}").status_code == 404


def test_with_texts_everything_is_offered_and_search_engines_may_come(owner, made):
    address = open_public(
        owner, made, address="formality-2026", with_texts="on", may_be_indexed="on"
    )
    assert address == "/published/formality-2026/"
    visitor = Client()
    reply = visitor.get(address)
    assert "X-Robots-Tag" not in reply
    assert "noindex" not in reply.text
    sent = b"".join(visitor.get(f"{address}zip/").streaming_content)
    assert sent == zip_path(made).read_bytes()
    content = b"".join(visitor.get(f"{address}files/croissant.json").streaming_content)
    assert json.loads(content)["@type"] == "sc:Dataset"


def test_the_page_is_taken_away_at_once_and_with_the_study(study, owner, made):
    address = open_public(owner, made)
    visitor = Client()
    assert visitor.get(address).status_code == 200
    open_public(owner, made, stop="1")
    assert visitor.get(address).status_code == 404
    again = open_public(owner, made)
    assert again != address
    owner.post("/studies/formality-demo/data/", {})
    Study.objects.filter(pk=study.pk).update(deletion_asked_at="2026-01-01T00:00Z")
    assert visitor.get(again).status_code == 404
    actions = AuditEntry.objects.filter(study=study).values_list("action", flat=True)
    assert list(actions).count("open page of publication") == 2
    assert list(actions).count("close page of publication") == 1


def test_an_address_belongs_to_one_publication(study, owner, made, tmp_path):
    open_public(owner, made, address="formality-2026")
    published(study, tmp_path / "again")
    other = Publication.objects.exclude(pk=made.pk).get()
    place = f"/studies/formality-demo/publications/{other.pk}/page/"
    for address in ("formality-2026", "short", "with/slash"):
        reply = owner.post(place, {"address": address})
        assert reply.status_code == 400, address
    other.refresh_from_db()
    assert other.address is None


def test_one_client_cannot_download_without_end(owner, made):
    address = open_public(owner, made)
    visitor = Client()
    for _ in range(DOWNLOADS.at_once):
        assert b"".join(visitor.get(f"{address}files/README.md").streaming_content)
    reply = visitor.get(f"{address}files/README.md")
    assert reply.status_code == 429
    assert int(reply["Retry-After"]) > 0
    assert visitor.get(address).status_code == 200


def test_a_publication_is_deleted_with_its_zip_and_so_it_is_with_its_study(
    study, owner, made, tmp_path
):
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
