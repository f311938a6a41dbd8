"""The public page of a publication: who reaches it, and what it offers."""

import hashlib
import json
from types import SimpleNamespace

import pytest
from django.test import Client
from django.utils import timezone

from analysis.models import Publication
from analysis.publishing.public_page import DOWNLOADS, files_offered, zip_path
from corpus.access import rate_limits
from corpus.models import AuditEntry, Study
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import open_page, reader, words

PAGE = "/studies/formality-demo/publish/"


@pytest.fixture
def study(folder) -> Study:
    return Study.objects.get(slug="formality-demo")


@pytest.fixture
def made(folder) -> Publication:
    return Publication.objects.get()


@pytest.fixture
def owner(study) -> Client:
    return signed_in("grace", study)


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


def test_one_client_cannot_download_without_end(owner, made, monkeypatch):
    now = timezone.now()  # On a busy machine downloads may take as long as is waited for one.
    monkeypatch.setattr(rate_limits.timezone, "now", lambda: now)
    address = open_public(owner, made)
    visitor = Client()
    for _ in range(DOWNLOADS.at_once):
        assert b"".join(visitor.get(f"{address}files/README.md").streaming_content)
    reply = visitor.get(f"{address}files/README.md")
    assert reply.status_code == 429
    assert int(reply["Retry-After"]) > 0
    assert visitor.get(address).status_code == 200


def publication(*columns):
    described = [{"name": name} for name in columns]
    files = [
        {"path": "data/segments.parquet", "table": "segments", "has_texts": True},
        {"path": "data/ratings.parquet", "table": "ratings", "has_texts": False},
    ]
    data = [file | {"columns": described if file["has_texts"] else []} for file in files]
    names = [file["path"] for file in files] + ["reports/agreement-1.zip", "guidelines/a.md"]
    return SimpleNamespace(
        record={"sums": dict.fromkeys(names, "0"), "content": {"data": data}},
        sha256="0",
        with_texts=False,
    )


@pytest.mark.parametrize(
    ("column", "reports"), [("reference_1", {"reports/agreement-1.zip"}), ("context", set())]
)
def test_without_texts_inputs_of_reports_are_held_back_if_segments_have_attributes(column, reports):
    offered = files_offered(publication("segment", "source", column))
    assert set(offered) == {"data/ratings.parquet", "SHA256SUMS"} | reports
