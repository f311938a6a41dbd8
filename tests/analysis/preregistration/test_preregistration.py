"""Preregistrations: kept with a hash before the first rating, never changed, and compared."""

import csv
import hashlib
import json

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.urls import reverse

from analysis.data import matrices
from analysis.datasheets.datasheet import datasheet, methods
from analysis.filter.question import Question
from analysis.frozen.service import freeze, verify
from analysis.models import Preregistration
from analysis.preregistration.marks import mark_of
from analysis.preregistration.service import RegistrationError, checked, register, versions_of
from analysis.reports.service import report
from analysis.tables.flat_table import csv_text
from analysis.tables.of_reports import flat_tables
from corpus.models import AuditEntry, Membership
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import judge, make_campaign, make_study

ASKED = Question(campaign="campaign-1", aspect="fluency", resamples=100)
WORDS = {"question": "Is system-0 more fluent?", "exclusions": "", "notes": ""}


@pytest.fixture(autouse=True)
def _forget():
    matrices.forget()
    yield
    matrices.forget()


@pytest.fixture
def campaign(db):
    return make_campaign(make_study(6, 2), annotators=2)[0]


@pytest.fixture
def owner(db):
    return User.objects.create_superuser("owner")


def registered(campaign, actor=None, **values):
    asked = values.pop("asked", ASKED)
    return register(
        campaign, "system-comparison", asked, WORDS, public=values.pop("public", False), actor=actor
    )


def rate(campaign):
    for annotator in campaign.annotators.all():
        judge(annotator, 12, lambda item: 30 + item.pk % 50)
    matrices.forget()


def test_what_is_registered_has_the_hash_of_its_canonical_json(campaign, owner):
    kept = registered(campaign, owner)
    again = json.dumps(
        json.loads(kept.content_json), sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    assert kept.sha256 == hashlib.sha256(again.encode()).hexdigest()
    content = kept.content
    assert content["primary"] == {
        "kind": "system-comparison",
        "question": {"aspect": ["fluency"], "campaign": ["campaign-1"], "resamples": ["100"]},
    }
    assert content["design"]["systems"] == ["system-0", "system-1"]
    assert content["design"]["ratings_per_item"] == 2
    entry = AuditEntry.objects.get(action="preregister campaign")
    assert entry.after == {"version": 1, "sha256": kept.sha256}


def test_a_change_before_the_first_rating_is_a_new_version_and_after_it_refused(campaign):
    first, second = registered(campaign), registered(campaign)
    assert [each.version for each in versions_of(campaign)] == [1, 2]
    assert first.content_json != second.content_json
    rate(campaign)
    with pytest.raises(RegistrationError, match="its first rating is stored"):
        registered(campaign)
    assert checked(second, campaign).is_before_ratings


def test_the_database_refuses_to_change_or_delete_what_was_registered(campaign):
    kept = registered(campaign)
    for change in (
        lambda: Preregistration.objects.update(sha256="0" * 64),
        lambda: Preregistration.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            change()
    assert Preregistration.objects.get() == kept


def test_a_design_that_changes_afterwards_is_said(campaign):
    kept = registered(campaign)
    assert checked(kept, campaign).deviations == ()
    campaign.ratings_per_item = 5
    found = checked(kept, campaign)
    assert found.deviations == ("ratings per item: registered 2, now 5",)
    assert "The design deviates from it: ratings per item: registered 2, now 5." in methods(
        campaign
    )


def test_reports_are_confirmatory_only_if_all_that_is_asked_was_registered(campaign):
    study = campaign.study
    assert mark_of(study, "system-comparison", ASKED) is None
    kept = registered(campaign)
    mark = mark_of(study, "system-comparison", ASKED)
    assert (mark["standing"], mark["sha256"]) == ("confirmatory", kept.sha256)
    for kind, asked in (
        ("agreement", ASKED),
        ("system-comparison", ASKED.but(aspect="content_preservation")),
        ("system-comparison", ASKED.but(resamples=200)),
        ("system-comparison", ASKED.but(campaign="")),
    ):
        assert mark_of(study, kind, asked)["standing"] == "exploratory"
    assert mark_of(study, "system-comparison", ASKED.but(campaign="another")) is None


def test_page_files_and_frozen_report_say_how_a_report_stands(campaign, owner, client):
    kept = registered(campaign, owner)
    rate(campaign)
    study = campaign.study
    made = report(study, "system-comparison", ASKED)
    assert made["registration"]["standing"] == "confirmatory"
    lines = flat_tables(made)[0].sources
    assert any(
        line.startswith("registration: confirmatory") and kept.sha256 in line for line in lines
    )
    for asked, standing in ((ASKED, "confirmatory"), (ASKED.but(seed=7), "exploratory")):
        header, *rows = csv.reader(
            csv_text(flat_tables(report(study, "system-comparison", asked))[0]).splitlines()
        )
        assert rows
        assert {row[header.index("registration")] for row in rows} == {standing}
    frozen = freeze(study, "system-comparison", ASKED, owner)
    assert frozen.content["registration"]["sha256"] == kept.sha256
    assert verify(frozen).is_reproduced
    client.force_login(owner)
    where = [study.slug]
    page = client.get(
        reverse("study-system-comparison", args=where), ASKED.to_query()
    ).content.decode()
    assert "This is the primary analysis of" in page
    page = client.get(reverse("study-system-comparison", args=where)).content.decode()
    assert "This is not the primary analysis of" in page
    page = client.get(reverse("study-frozen-report", args=[*where, frozen.pk])).content.decode()
    assert "This is the primary analysis of" in page
    sentence = f"(version 1, SHA-256 {kept.sha256})."
    assert sentence in methods(campaign)
    assert sentence in datasheet(campaign)


def test_the_api_lists_versions_to_those_who_may_open_the_page(campaign, owner, client):
    first, second = registered(campaign), registered(campaign, public=True)
    address = f"/api/v1/studies/{campaign.study.slug}/preregistrations/"
    assert client.get(address).status_code in (401, 403)
    client.force_login(User.objects.create_user("stranger"))
    assert client.get(address).status_code == 404
    reader = User.objects.create_user("reader")
    Membership.objects.create(study=campaign.study, user=reader, role=Membership.Role.RESEARCHER)
    client.force_login(reader)
    found = client.get(address).json()
    assert [(each["version"], each["sha256"]) for each in found] == [
        (1, first.sha256),
        (2, second.sha256),
    ]
    for each in found:
        text = json.dumps(
            each["content"], sort_keys=True, ensure_ascii=False, separators=(",", ":")
        )
        assert hashlib.sha256(text.encode()).hexdigest() == each["sha256"]
        assert each["is_intact"]
        assert each["content"]["registered_at"] == each["registered_at"].replace("Z", "+00:00")
    assert [each["public"] for each in found] == [False, True]
    assert client.post(address).status_code in (403, 405)


def test_an_owner_writes_a_plan_on_its_page_and_anybody_reads_a_public_one(campaign, owner, client):
    client.force_login(owner)
    where = [campaign.study.slug, campaign.slug]
    address = reverse("campaign-preregistration", args=where)
    page = client.get(address).content.decode()
    assert "campaign=campaign-1&amp;aspect=" in page
    given = {
        "question": "Which is better?",
        "kind": "system-comparison",
        "filter": "https://example.org/studies/small/system-comparison/?campaign=campaign-1&nonsense=1",
        "public": "on",
    }
    refused = client.post(address, given)
    assert refused.status_code == 400
    assert "no such filter" in refused.content.decode()
    assert not Preregistration.objects.exists()
    given["filter"] = "?campaign=campaign-1&aspect=fluency"
    assert "Version 1 is registered." in client.post(address, given, follow=True).content.decode()
    kept = Preregistration.objects.get()
    page = client.get(address).content.decode()
    assert "computed again just now: the same" in page
    assert "Register version 2" in page
    member = reverse("preregistration-file", args=[*where, 1, "json"])
    assert client.get(member).content == kept.content_json.encode()
    assert signed_in("stranger").get(member).status_code == 404
    reader = signed_in("reader", campaign.study, "researcher")
    assert reader.get(member).status_code == 200
    assert "only owners may" in reader.post(address, given, follow=True).content.decode()
    assert Preregistration.objects.count() == 1
    client.logout()
    text = client.get(reverse("public-preregistration", args=[kept.sha256, "txt"]))
    assert "Which is better?" in text.content.decode()
    assert kept.sha256 in text.content.decode()
    sent = client.get(reverse("public-preregistration", args=[kept.sha256, "json"])).content
    assert hashlib.sha256(sent).hexdigest() == kept.sha256
    assert client.get(member)["Location"].startswith("/sign-in/")
