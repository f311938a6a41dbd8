"""A campaign that is paused or closed takes no corrections, and says so; nothing is changed."""

import pytest
from django.contrib.auth.models import User

from annotation.campaigns.service import change_state
from annotation.models import Assignment, Draft, Item, Rating, Submission
from annotation.people.invitations import revoke
from tests.annotation.rating.test_rating_blindness import practice
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.rating_pages import FULL, entered, fields, open_screen, submit

pytestmark = pytest.mark.django_db
CHANGED = {"style": "90", "content": "90", "fluency": "90"}
NO_CORRECTIONS = "paused or closed and takes no corrections"


@pytest.fixture
def campaign():
    study = make_study()
    practised = practice(study, "direct_assessment")
    return make_campaign(study, annotators=1, selection=practised)[0]


@pytest.fixture
def rater(campaign):
    return campaign.annotators.get()


def answered(client, rater, kind):
    """Answer up to the first item of a kind; return the address and form of its correction."""
    while True:
        form = open_screen(client, rater)
        submit(client, rater, form, **FULL)
        lead = Assignment.objects.select_related("item").get(public_id=form["assignment"])
        if lead.item.kind == kind:
            address = f"/rate/{rater.public_id}/item/{lead.public_id}/"
            return address, fields(client.get(address).text)


@pytest.mark.parametrize("fetched", [True, False])
@pytest.mark.parametrize("kind", [Item.Kind.PLAIN, Item.Kind.PRACTICE])
@pytest.mark.parametrize("change", ["pause", "close"])
def test_no_correction_is_stored_and_whoever_sent_it_reads_why(
    campaign, rater, change, kind, fetched
):
    client = entered(rater)
    address, form = answered(client, rater, kind)
    change_state(campaign, change, User.objects.create())
    before = list(Rating.objects.values_list("pk", "value"))
    for more in ({}, {"comment": "Changed."}, {"action": "cannot", "reason": "Garbled."}):
        reply = submit(client, rater, form | more, fetched=fetched, **CHANGED)
        assert reply.status_code == 409
        assert NO_CORRECTIONS in reply.text
        assert 'value="90"' in reply.text or more.get("action")
    drafted = client.post(f"/rate/{rater.public_id}/draft/", form | {"answer-0-style": "90"})
    assert drafted.status_code == 409
    assert NO_CORRECTIONS in drafted.json()["detail"]
    assert list(Rating.objects.values_list("pk", "value")) == before
    assert not Draft.objects.exists()
    shown = client.get(address).text
    assert NO_CORRECTIONS in shown
    assert 'name="action"' not in shown


def test_it_is_taken_again_when_the_campaign_is_open_again(campaign, rater):
    client, owner = entered(rater), User.objects.create()
    _, form = answered(client, rater, Item.Kind.PLAIN)
    for change in ("close", "reopen"):
        change_state(campaign, change, owner)
    assert submit(client, rater, form, **CHANGED).status_code == 200
    assert Submission.objects.filter(revision=2).count() == 1


def test_the_same_answer_that_arrives_again_after_closing_is_known(campaign, rater):
    client = entered(rater)
    form = open_screen(client, rater)
    assert submit(client, rater, form, **FULL).status_code == 200
    change_state(campaign, "close", User.objects.create())
    assert submit(client, rater, form, **FULL).status_code == 200
    assert Submission.objects.count() == 1


def test_a_link_that_was_ended_takes_neither_corrections_nor_drafts(rater):
    client = entered(rater)
    _, form = answered(client, rater, Item.Kind.PLAIN)
    revoke(rater)
    assert submit(client, rater, form, **CHANGED).status_code == 403
    assert client.post(f"/rate/{rater.public_id}/draft/", form).status_code == 403
    assert not Submission.objects.filter(revision=2).exists()
