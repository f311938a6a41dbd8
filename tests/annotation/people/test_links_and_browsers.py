"""A browser rates only as long as the link that it was opened with works."""

import datetime as dt
import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Annotator, CampaignSet, Participant, Submission
from annotation.people.invitations import Invitee, new_links, revoke
from annotation.views.guard import MOST_KEPT
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.rating_pages import FULL, fields, open_screen, submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def annotator() -> Annotator:
    _, [first, _] = make_campaign(make_study())
    Annotator.objects.update(guidelines_read_at=timezone.now())
    return first


@pytest.fixture
def participant(annotator) -> Participant:
    """The annotator as somebody of a set, who has the link for all tasks."""
    together = CampaignSet.objects.create(study=annotator.campaign.study, slug="together")
    person = Participant.objects.create(set=together, pseudonym=annotator.pseudonym, number=0)
    together.campaigns.add(annotator.campaign)
    Annotator.objects.filter(pk=annotator.pk).update(participant=person)
    return person


def opened(person: Invitee) -> Client:
    """A browser that was opened with a new link."""
    client = Client()
    assert client.get(f"/join/{new_links([person])[person.pk]}/").status_code == 302
    return client


def page(client: Client, annotator: Annotator) -> int:
    return client.get(f"/rate/{annotator.public_id}/").status_code


@pytest.mark.parametrize("who", ["annotator", "participant"])
@pytest.mark.parametrize("change", ["replaced", "expired", "revoked", "revoked and replaced"])
def test_a_browser_is_out_as_soon_as_its_link_ended(annotator, who, change, request):
    person = request.getfixturevalue(who)
    client = opened(person)
    form = open_screen(client, annotator)
    if change == "expired":
        type(person).objects.update(link_expires_at=timezone.now() - dt.timedelta(seconds=1))
    if "revoked" in change:
        revoke(person)
    if "replaced" in change:
        new_links([person])
    assert page(client, annotator) == 403
    assert submit(client, annotator, form, **FULL).status_code == 403
    assert not Submission.objects.exists()


@pytest.mark.parametrize("who", ["annotator", "participant"])
def test_the_new_link_goes_on_where_the_old_one_ended(annotator, who, request):
    person = request.getfixturevalue(who)
    client = opened(person)
    submit(client, annotator, open_screen(client, annotator), **FULL)
    ahead = open_screen(client, annotator)["assignment"]
    again = opened(person)
    assert open_screen(again, annotator)["assignment"] == ahead
    assert page(client, annotator) == 403


def test_one_link_may_be_open_in_two_browsers(annotator):
    token = new_links([annotator])[annotator.pk]
    for client in (Client(), Client()):
        client.get(f"/join/{token}/")
        assert page(client, annotator) == 200


def test_a_cookie_of_other_places_or_made_up_opens_nothing(annotator):
    other = annotator.campaign.annotators.exclude(pk=annotator.pk).get()
    client = opened(other)
    assert page(client, annotator) == 403
    [cookie] = client.cookies.values()
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    for forged in (cookie.value[:-1] + "x", "", "x", "a:b:c"):
        client.cookies[cookie.key] = forged
        assert page(client, other) == 403


def test_rating_reads_and_writes_no_session(annotator):
    client = opened(annotator)
    form = fields(client.get(f"/rate/{annotator.public_id}/").content.decode())
    with CaptureQueriesContext(connection) as queries:
        assert submit(client, annotator, form, **FULL).status_code == 200
    assert not [each["sql"] for each in queries if "session" in each["sql"].lower()]
    assert "sessionid" not in client.cookies


def test_a_browser_keeps_the_latest_of_many_places_in_a_cookie_that_browsers_take(annotator):
    client = opened(annotator)
    study = annotator.campaign.study
    for number in range(MOST_KEPT):
        campaign = annotator.campaign
        campaign.pk, campaign.slug = None, f"more-{number}"
        campaign.save()
        person = Annotator.objects.create(
            campaign=campaign, pseudonym="x", public_id=uuid.uuid4(), number=0
        )
        client.get(f"/join/{new_links([person])[person.pk]}/")
    [cookie] = client.cookies.values()
    assert len(cookie.OutputString()) < 4000
    assert study.campaigns.count() == 1 + MOST_KEPT
    assert page(client, annotator) == 403
    assert client.get(f"/rate/{person.public_id}/").status_code == 302
