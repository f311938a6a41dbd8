"""Frozen reports: kept as they were, shared by a link, computed again to the bit."""

import json
import re
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.data import matrices
from analysis.filter.fields_of_kinds import restricted
from analysis.filter.question import Question
from analysis.frozen.inputs import pack, unpack
from analysis.frozen.service import canonical_json, differences, freeze, share, stop_sharing, verify
from analysis.models import FrozenReport
from analysis.reports.catalogue import KINDS
from analysis.reports.service import report
from corpus.models import AuditEntry, Membership, Output
from tests.fixtures.report_pages import numbers, open_page, reader, tables, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo")]
STUDY = "/studies/formality-demo"
ASKED = Question(aspect="content", resamples=100)
BY_NIGHT = [
    pytest.param(kind, marks=[] if kind == "correlation" else pytest.mark.nightly) for kind in KINDS
]
"""In every run the kind with most parts, by night all."""


@pytest.fixture
def owner(study) -> User:
    person = User.objects.create_user("grace")
    Membership.objects.create(study=study, user=person, role="owner")
    return person


@pytest.fixture
def client(owner) -> Client:
    browser = Client()
    browser.force_login(owner)
    return browser


@pytest.fixture
def frozen(study, owner) -> FrozenReport:
    return freeze(study, "correlation", ASKED, owner, "Content, May")


@pytest.mark.parametrize("kind", BY_NIGHT)
def test_a_frozen_report_holds_the_numbers_of_the_page_and_comes_out_again(kind, study):
    question = restricted(kind, Question(aspect="content", scores="z", resamples=100))
    kept = freeze(study, kind, question, None)
    live = report(study, kind, question)
    stored = json.loads(json.dumps(live["content"]))
    # The page's sums may be spread over threads: the last bit may differ.
    assert all(each.is_within for each in differences(stored, kept.content["content"]))
    assert kept.content["signature"] == live["signature"]
    found = verify(kept)
    assert found.is_equal
    assert found.versions == {}


@pytest.mark.parametrize("kind", BY_NIGHT)
def test_the_file_of_a_frozen_report_needs_nothing_else(kind, study, client):
    question = restricted(kind, Question(aspect="content", resamples=100))
    kept = freeze(study, kind, question, None)
    text = client.get(f"{STUDY}/frozen/{kept.pk}/files/report.html").content.decode()
    addresses = re.findall(r'(?:src|srcset|href)="([^"]*)"', text)
    assert all(a.startswith(("data:", "#")) for a in addresses), addresses[:5]
    assert "<script" not in text
    assert "url(" not in text
    assert kept.sha256 in text


@pytest.mark.dialect
def test_inputs_hold_no_text_and_come_back_as_they_were(study):
    data = matrices.load(study)
    packed = pack(data)
    for text in Output.objects.exclude(text="").values_list("text", flat=True)[:200]:
        if len(text) > 20:
            assert text.encode() not in packed
    again, published = unpack(packed)
    assert published == []
    assert pack(again) == packed
    assert again.judgements.packed() == data.judgements.packed()


def test_a_frozen_report_outlives_a_change_of_its_study(study, client, frozen):
    before = open_page(client, f"{STUDY}/frozen/{frozen.pk}/")
    system = next(s for s in study.systems.filter(kind="system") if not s.is_human)
    system.attributes = {"human": True}
    system.save()
    study.revision += 1
    study.save()
    matrices.forget()
    after = open_page(client, f"{STUDY}/frozen/{frozen.pk}/")
    assert [n.facts for n in numbers(after)] == [n.facts for n in numbers(before)]
    live = open_page(client, f"{STUDY}/correlation/?aspect=content&resamples=100")
    assert [n.shown for n in numbers(live)] != [n.shown for n in numbers(after)]
    assert verify(frozen).is_equal


def test_a_changed_number_is_named_and_damage_is_told(frozen):
    place = ("content", "rows", 0, "results", "asked", "value")
    content = json.loads(json.dumps(frozen.content))
    inner = content
    for part in place[:-1]:
        inner = inner[part]
    inner["value"] *= 1 + 1e-13
    assert [d.place for d in differences(frozen.content, content)] == ["/".join(map(str, place))]
    assert all(d.is_within for d in differences(frozen.content, content))
    inner["value"] += 0.001
    assert not any(d.is_within for d in differences(frozen.content, content))
    frozen.content_json = canonical_json(content)
    assert verify(frozen).is_damaged


def test_the_command_verifies_by_number_and_from_a_saved_zip(client, frozen, tmp_path):
    out = StringIO()
    call_command("verify_report", str(frozen.pk), stdout=out)
    assert "equal to the bit" in out.getvalue()
    saved = tmp_path / "saved.zip"
    saved.write_bytes(client.get(f"{STUDY}/frozen/{frozen.pk}/files/report.zip").content)
    FrozenReport.objects.all().delete()
    out = StringIO()
    call_command("verify_report", str(saved), stdout=out)
    assert "equal to the bit" in out.getvalue()
    saved.write_bytes(b"no zip")
    with pytest.raises(CommandError, match="no saved report"):
        call_command("verify_report", str(saved))
    with pytest.raises(CommandError, match="no frozen report 12345"):
        call_command("verify_report", "12345")


def test_an_owner_freezes_from_the_page_and_finds_it_in_the_list(client):
    page = open_page(client, f"{STUDY}/correlation/?aspect=content")
    forms = [f for f in page.iter("form") if "/frozen/new/" in f.get("action", "")]
    assert len(forms) == 1
    hidden = {i.get("name"): i.get("value") for i in forms[0].iter("input")}
    reply = client.post(
        forms[0].get("action"), {"query": hidden["query"], "title": "For the paper"}
    )
    frozen = FrozenReport.objects.get()
    assert reply.url == f"{STUDY}/frozen/{frozen.pk}/"
    assert frozen.question == {"aspect": ["content"]}
    listed = tables(open_page(client, f"{STUDY}/frozen/"))["Frozen reports"]
    assert listed.rows[0][1][0].text == "For the paper"
    assert AuditEntry.objects.filter(action="freeze report").count() == 1


def test_a_shared_report_needs_no_sign_in_and_names_nobody(client, frozen, owner):
    share(frozen, owner)
    frozen.refresh_from_db()
    visitor = Client()
    page = open_page(visitor, f"/shared/{frozen.token}/")
    assert "Content, May" in words(page)
    for link in page.iter("a"):
        assert not link.get("href", "").startswith(STUDY)
    for image in page.iter("img"):
        assert visitor.get(image.get("src")).status_code == 200
    for ending in ("html", "json", "zip"):
        assert visitor.get(f"/shared/{frozen.token}/files/report.{ending}").status_code == 200
    stop_sharing(frozen, owner)
    assert visitor.get(f"/shared/{frozen.token}/").status_code == 404
    assert visitor.get(f"/shared/{frozen.token}/files/report.json").status_code == 404


def test_only_owners_freeze_and_share(frozen):
    browser = reader("ada", "formality-demo")
    assert browser.post(f"{STUDY}/frozen/new/ranking/", {"query": ""}).status_code == 403
    assert browser.post(f"{STUDY}/frozen/{frozen.pk}/share/").status_code == 403
    assert browser.get(f"{STUDY}/frozen/{frozen.pk}/").status_code == 200
    assert "Freeze" not in words(open_page(browser, f"{STUDY}/ranking/"))
