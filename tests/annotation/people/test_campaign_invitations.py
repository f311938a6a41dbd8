"""Inviting: links shown once, files, pictures, one address for all, contacts."""

import csv
import io
import re

import pytest
from django.test import Client

from annotation.models import Annotator, Contact, Submission
from corpus.models import AuditEntry
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import make_campaign, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(study):
    return make_campaign(study, annotators=3)[0]


@pytest.fixture
def home(campaign):
    return f"/studies/small/campaigns/{campaign.slug}/annotators/"


def links_in(html: str) -> list[str]:
    return re.findall(r'data-copy="http://testserver(/join/[^"]+)"', html)


def test_every_annotator_gets_a_link_that_works_and_is_shown_once(owner, home, campaign):
    page = owner.post(f"{home}links/")
    links = links_in(page.content.decode())
    assert len(links) == len(set(links)) == 3
    assert page.headers["Cache-Control"].startswith("max-age=0, no-cache, no-store")
    for link in links:
        assert Client().get(link).status_code == 302
        assert link not in owner.get(home).content.decode()
    again = owner.post(f"{home}links/", follow=True)
    assert b"Every annotator already has a link" in again.content
    assert all(Client().get(link).status_code == 302 for link in links)


def test_links_come_as_a_file_only_to_who_has_them(owner, home, campaign):
    page = owner.post(f"{home}links/").content.decode()
    tokens = [link.split("/")[2] for link in links_in(page)]
    answer = owner.post(f"{home}links.csv", {"token": [*tokens, "guessed"]})
    rows = list(csv.reader(io.StringIO(answer.content.decode())))
    assert rows[0] == ["annotator", "link"]
    assert [row[0] for row in rows[1:]] == ["annotator 1", "annotator 2", "annotator 3"]
    assert [row[1] for row in rows[1:]] == [f"http://testserver/join/{token}/" for token in tokens]
    assert answer.headers["Content-Disposition"].startswith("attachment")
    answer = owner.post(f"{home}links.csv", {"token": "guessed"}, follow=True)
    assert b"These links no longer work" in answer.content


def test_a_new_link_ends_the_old_one_and_revoking_ends_both(owner, home, campaign):
    [first, *_] = links_in(owner.post(f"{home}links/").content.decode())
    annotator = campaign.annotators.order_by("number").first()
    [second] = links_in(owner.post(f"{home}{annotator.pk}/link/").content.decode())
    assert Client().get(first).status_code == 403
    browser = Client()
    assert browser.get(second).status_code == 302
    owner.post(f"{home}{annotator.pk}/revoke/")
    assert Client().get(second).status_code == 403
    assert browser.get(f"/rate/{annotator.public_id}/").status_code == 403
    assert b"revoked" in owner.get(home).content


def test_a_contact_is_noted_seen_by_owners_only_and_deleted_without_touching_ratings(
    owner, home, campaign, study
):
    annotator = campaign.annotators.select_related("campaign").order_by("number").first()
    send(annotator, annotator.assignments.order_by("position").first())
    address = f"{home}{annotator.pk}/"
    answer = owner.post(f"{address}contact/", {"name": "", "email": "no address"})
    assert answer.status_code == 400
    assert "Enter a valid email address" in answer.content.decode()
    owner.post(f"{address}contact/", {"name": "Grace Hopper", "email": "grace@example.org"})
    assert b"Grace Hopper" in owner.get(home).content
    reader = signed_in("ben", study, "researcher")
    assert reader.get(home).status_code == 403
    for page in ("", "preview/", "answers.csv"):
        answer = reader.get(f"/studies/small/campaigns/{campaign.slug}/{page}")
        assert answer.status_code == 200
        assert b"Hopper" not in answer.getvalue()
    owner.post(f"{address}contact/", {"forget": "yes"})
    assert not Contact.objects.exists()
    assert Submission.objects.count() == 1
    entries = AuditEntry.objects.filter(action__contains="contact")
    assert [entry.action for entry in entries.order_by("pk")] == ["note contact", "forget contact"]
    assert "Hopper" not in str([vars(entry) for entry in entries])


def test_the_list_costs_the_same_for_many_annotators(owner, home, campaign, study):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            assert owner.get(home).status_code == 200
        return len(found)

    few = queries()
    for number in range(10, 40):
        annotator = Annotator.objects.create(campaign=campaign, pseudonym=str(number))
        Contact.objects.create(annotator=annotator, name=f"person {number}")
    assert queries() == few
