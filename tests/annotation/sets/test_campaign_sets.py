"""Campaigns that belong together: one sample, the same people, one link, one progress."""

import re
import uuid

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.campaigns.service import CampaignError, change_state, prepare
from annotation.launch.starting import start
from annotation.models import Annotator, Assignment, Campaign, CampaignSet, Participant, Submission
from annotation.people.invitations import new_links, revoke
from annotation.selection.pool import build_pool
from annotation.sets.service import draw_sample
from corpus.models import Output, Segment
from tests.fixtures.campaigns import answers_for, make_study
from tests.fixtures.rating_pages import fields

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return User.objects.create_user("ada")


def make_set(owner, people=2, segments=None, study=None, **fields) -> CampaignSet:
    """A set that asks three things of the same texts, plain, and is not started yet."""
    study = study or make_study(4, 2)
    [first, *_] = prepare(study, "preset:relative-masked-2019", "Pilot", "pilot", owner)
    together = first.set
    for campaign in together.tasks:
        campaign.config |= {"masked": False} if campaign.can_mask else {}
        campaign.ratings_per_item = people
        campaign.selection = {"annotators": people, "segments": segments}
        for name, value in fields.items():
            setattr(campaign, name, value)
        campaign.save()
    draw_sample(together, campaign)
    together.save()
    return together


def entered(person: Participant) -> tuple[Client, str]:
    """A browser that has opened somebody's link, and where that led."""
    client = Client()
    answer = client.get(f"/join/{new_links([person])[person.pk]}/")
    assert answer.status_code == 302
    return client, answer["Location"]


def read_guidelines(client: Client, address: str) -> None:
    assert client.get(address)["Location"].endswith("/guidelines/")
    client.post(f"{address}guidelines/read/")


def answer_one(client: Client, address: str) -> str:
    """Answer the open screen as the page's script does; return what comes next."""
    page = client.get(address).content.decode()
    form = fields(page)
    lead = Assignment.objects.select_related("annotator__campaign").get(
        public_id=form["assignment"]
    )
    given = {
        f"answer-0-{aspect}": value
        for aspect, value in answers_for(lead.annotator.campaign, 3).items()
    }
    reply = client.post(f"{address}submit/", form | given, headers={"X-Requested-With": "fetch"})
    assert reply.status_code == 200
    return reply.content.decode()


def test_all_campaigns_of_a_set_rate_one_sample_with_both_directions(owner):
    study = make_study(20, 2)
    for segment in Segment.objects.filter(ordinal__gte=10):
        segment.source_style, segment.target_style = "formal", "informal"
        segment.save()
    together = make_set(owner, segments=6, study=study)
    assert len(together.sample) == 6
    directions = Segment.objects.filter(pk__in=together.sample).values_list("target_style")
    assert (
        sorted(directions.values_list("target_style", flat=True))
        == ["formal"] * 3 + ["informal"] * 3
    )
    for campaign in together.tasks:
        assert {s.segment for s in build_pool(campaign).screens} == set(together.sample)
    start(together, owner)
    for campaign in together.tasks:
        segments = campaign.items.values_list("first__segment", flat=True)
        assert set(segments) == set(together.sample)


def test_texts_that_are_imported_later_do_not_change_a_sample_that_was_drawn(owner):
    together = make_set(owner, segments=2)
    before = list(together.sample)
    study = together.study
    for place in range(4, 8):
        segment = Segment.objects.create(study=study, ordinal=place, key=f"s{place}")
        for number, system in enumerate(study.systems.all()):
            Output.objects.create(
                study=study, ordinal=100 + 10 * place + number, segment=segment, system=system,
                text="later", sha256="0" * 64,
            )  # fmt: skip
    alone = Campaign(study=study, protocol="likert", seed=together.seed, selection={})
    assert len({s.segment for s in build_pool(alone).screens}) == 8
    assert {s.segment for s in build_pool(together.tasks[0]).screens} == set(before)


def test_a_start_makes_the_same_people_in_every_campaign(owner):
    together = make_set(owner, people=3)
    start(together, owner)
    campaigns = together.tasks
    assert {each.state for each in campaigns} == {"open"}
    people = list(together.participants.all())
    assert [each.pseudonym for each in people] == ["annotator 1", "annotator 2", "annotator 3"]
    for person in people:
        annotators = list(person.annotators.order_by("campaign__position"))
        assert [each.campaign_id for each in annotators] == [each.pk for each in campaigns]
        assert {each.pseudonym for each in annotators} == {person.pseudonym}
        assert {each.completion_code for each in annotators} == {person.completion_code}
        assert person.completion_code
    with pytest.raises(CampaignError, match="already"):
        start(together, owner)


def test_a_campaign_of_a_set_does_not_start_alone(owner):
    together = make_set(owner)
    with pytest.raises(CampaignError, match="together with the other campaigns"):
        start(together.tasks[1], owner)


def test_one_link_leads_through_all_tasks_with_one_progress(owner):
    together = make_set(owner)
    start(together, owner)
    client, address = entered(together.participants.first())
    total = 3 * 8
    done = 0
    for number, campaign in enumerate(together.tasks, start=1):
        annotator = campaign.annotators.get(number=0)
        assert address == f"/rate/{annotator.public_id}/"
        read_guidelines(client, address)
        for _ in range(8):
            page = client.get(address).content.decode()
            assert f"Task {number} of 3: {done} done, {total - done} left" in page
            assert f'aria-valuenow="{100 * done // total}"' in page
            reply = answer_one(client, address)
            done += 1
        if number < 3:
            assert f"Task {number} of 3 is done" in reply
            [address] = re.findall(r'data-focus href="([^"]+)"', reply)
    assert "Thank you, that was all" in reply
    assert "You answered 24 items" in reply
    assert together.participants.first().completion_code in reply
    assert Submission.objects.count() == 24


def test_a_task_that_is_paused_is_passed_over_and_comes_again(owner):
    together = make_set(owner)
    start(together, owner)
    person = together.participants.first()
    first, second, third = person.annotators.order_by("campaign__position")
    Campaign.objects.filter(pk=first.campaign_id).update(state="paused")
    client, address = entered(person)
    assert address == f"/rate/{second.public_id}/"
    for each in (second, third):
        each.assignments.update(state="submitted")
    Annotator.objects.update(guidelines_read_at="2026-01-01T00:00Z")
    page = client.get(f"/rate/{third.public_id}/").content.decode()
    assert "There is nothing to rate right now" in page
    Campaign.objects.filter(pk=first.campaign_id).update(state="open")
    page = client.get(f"/rate/{third.public_id}/").content.decode()
    assert f"/rate/{first.public_id}/" in page


def test_consent_in_the_same_words_is_asked_once(owner):
    together = make_set(owner, consent="Freely.", questions=["First language"])
    last = together.tasks[2]
    last.consent = "Freely, and recorded."
    last.save()
    start(together, owner)
    person = together.participants.first()
    client, address = entered(person)
    assert client.get(address)["Location"].endswith("/consent/")
    client.post(f"{address}consent/", {"consent": "yes", "about-0": "Dutch"})
    _, second, third = person.annotators.order_by("campaign__position")
    assert second.consented_at
    assert second.about == {"First language": "Dutch"}
    assert third.consented_at is None


def test_whoever_is_shut_out_is_so_from_every_task_until_a_new_link(owner):
    together = make_set(owner)
    start(together, owner)
    person = together.participants.first()
    client, address = entered(person)
    revoke(person)
    assert client.get(address).status_code == 403
    assert not person.annotators.filter(revoked_at__isnull=True).exists()
    client, address = entered(person)
    assert client.get(address).status_code == 302


def test_one_address_for_all_gives_one_place_in_every_task(owner):
    together = make_set(owner)
    CampaignSet.objects.update(invite_code="a-code")
    assert Client().get("/join-by-code/a-code/?participant=w1").status_code == 403
    start(together, owner)
    browser = Client()
    where = [
        browser.get(f"/join-by-code/a-code/?participant={who}")["Location"]
        for who in ("w1", "w2", "w1")
    ]
    assert where[0] == where[2] != where[1]
    assert Client().get("/join-by-code/a-code/?participant=w3").status_code == 403
    assert Annotator.objects.filter(platform__participant="w2").count() == 3


def test_all_campaigns_are_paused_resumed_and_closed_at_once(owner):
    together = make_set(owner)
    start(together, owner)
    for change, state in [("pause", "paused"), ("resume", "open"), ("close", "closed")]:
        assert change_state(together, change, owner) == 3
        assert {each.state for each in together.tasks} == {state}
    with pytest.raises(CampaignError, match="no campaign of this set"):
        change_state(together, "resume", owner)


def test_an_answer_costs_as_many_statements_as_in_a_single_campaign(owner):
    together = make_set(owner)
    start(together, owner)
    [alone] = prepare(together.study, "protocol:style_transfer_intensity", "Alone", "alone", owner)
    alone.selection = {"annotators": 3}
    start(alone, owner)
    counts = []
    person = together.participants.first()
    for annotator, invitee in [
        (person.annotators.get(campaign__position=0), person),
        (alone.annotators.first(), alone.annotators.first()),
    ]:
        client = Client()
        client.get(f"/join/{new_links([invitee])[invitee.pk]}/")
        address = f"/rate/{annotator.public_id}/"
        read_guidelines(client, address)
        answer_one(client, address)
        page = client.get(address).content.decode()
        form = fields(page) | {f"answer-0-{aspect}": "3" for aspect in answers_for(alone)}
        with CaptureQueriesContext(connection) as queries:
            client.post(f"{address}submit/", form, headers={"X-Requested-With": "fetch"})
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_shared_queue_leads_to_the_next_task_when_nothing_is_left(owner):
    together = make_set(owner, people=1, design="shared_queue")
    start(together, owner)
    person = together.participants.first()
    client, address = entered(person)
    read_guidelines(client, address)
    for _ in range(8):
        reply = answer_one(client, address)
    second = person.annotators.get(campaign__position=1)
    assert f"/rate/{second.public_id}/" in reply
    _, address = entered(person)
    assert address == f"/rate/{second.public_id}/"


def test_somebody_else_has_no_way_into_a_task(owner):
    together = make_set(owner)
    start(together, owner)
    one, two = together.participants.all()
    client, _ = entered(one)
    for task in two.annotators.all():
        assert client.get(f"/rate/{task.public_id}/").status_code == 403
    assert client.get(f"/rate/{uuid.uuid4()}/").status_code == 403
