"""The address for all: a few places per network, each for the browser that took it."""

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import Annotator, Campaign, CampaignSet, Participant
from annotation.people.invitations import new_links, revoke
from corpus.models import RateLimit
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import make_campaign, make_study

pytestmark = pytest.mark.django_db
CODE = "/join-by-code/KEEN-OTTER/"


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(make_study(), annotators=6, invite_code="KEEN-OTTER")[0]


@pytest.fixture
def together(campaign) -> CampaignSet:
    """A set whose only campaign this is, with the address for all."""
    made = CampaignSet.objects.create(study=campaign.study, slug="both", invite_code="SET-CODE")
    campaign.set, campaign.invite_code = made, ""
    campaign.save()
    for annotator in campaign.annotators.all():
        annotator.participant = Participant.objects.create(
            set=made, pseudonym=annotator.pseudonym, number=annotator.number
        )
        annotator.save()
    return made


@pytest.fixture(autouse=True)
def few(settings):
    settings.JOIN_AT_ONCE, settings.JOIN_PER_TEN_MINUTES = 3, 5


def taken(campaign: Campaign) -> int:
    return campaign.annotators.filter(last_seen_at__isnull=False).count()


def come_back(seconds: float) -> None:
    """Let time pass for every limit."""
    for limit in RateLimit.objects.all():
        limit.at -= dt.timedelta(seconds=seconds)
        limit.save()


def test_one_address_takes_a_few_places_at_once_and_then_one_every_two_minutes(campaign):
    replies = [Client().post(CODE) for _ in range(20)]
    assert [each.status_code for each in replies] == [302] * 3 + [429] * 17
    assert taken(campaign) == 3
    assert "take a place in 2 minutes" in replies[-1].text
    assert 60 < int(replies[-1]["Retry-After"]) <= 120
    come_back(121)
    assert [Client().post(CODE).status_code for _ in range(2)] == [302, 429]
    assert taken(campaign) == 4


def test_made_up_participants_and_forwarding_headers_are_no_way_around(campaign):
    for number in range(20):
        header = {"X-Forwarded-For": f"192.0.2.{number}"}
        Client(headers=header).get(f"{CODE}?PROLIFIC_PID=p{number}")
    assert taken(campaign) == 3


def test_an_address_of_version_6_counts_with_its_network(campaign):
    for number in range(20):
        Client(REMOTE_ADDR=f"2001:db8::{number:x}").post(CODE)
    assert taken(campaign) == 3
    assert Client(REMOTE_ADDR="2001:db8:0:1::1").post(CODE).status_code == 302


def test_other_addresses_and_who_has_a_place_are_not_held_up(campaign):
    mine = Client()
    where = mine.get(f"{CODE}?PROLIFIC_PID=p1").url
    for _ in range(5):
        Client().post(CODE)
    assert mine.get(f"{CODE}?PROLIFIC_PID=p1").url == where
    assert Client(REMOTE_ADDR="192.0.2.7").post(CODE).status_code == 302


def test_a_full_campaign_says_so_and_not_to_wait(campaign):
    Annotator.objects.update(last_seen_at=timezone.now())
    assert {Client().post(CODE).status_code for _ in range(5)} == {403}


@pytest.mark.parametrize("kind", ["campaign", "together"])
def test_the_id_of_a_platform_opens_a_place_only_in_the_browser_that_took_it(kind, request):
    code = request.getfixturevalue(kind).invite_code
    address = f"/join-by-code/{code}/?PROLIFIC_PID=p1"
    mine, other = Client(), Client()
    where = mine.get(address).url
    refused = other.get(address)
    assert refused.status_code == 403
    assert "in another browser" in refused.text
    assert other.get(where).status_code == 403
    assert mine.get(address).url == where
    assert mine.get(where).status_code == 302
    assert Annotator.objects.filter(platform__participant="p1").count() == 1


@pytest.mark.parametrize("kind", ["campaign", "together"])
def test_the_owner_sees_who_was_refused_and_lets_them_in_by_a_new_link(kind, request):
    thing = request.getfixturevalue(kind)
    owner = signed_in("owner", thing.study)
    part = "campaign-sets/both" if kind == "together" else f"campaigns/{thing.slug}/annotators"
    home = f"/studies/small/{part}/"
    address = f"/join-by-code/{thing.invite_code}/?PROLIFIC_PID=p1"
    first = Client()
    where = first.get(address).url
    assert "refused in another browser" not in owner.get(home).text
    again = Client()
    again.get(address)
    assert "refused in another browser" in owner.get(home).text
    holder = (Participant if kind == "together" else Annotator).objects.get(
        platform__participant="p1"
    )
    one = f"{home}people/{holder.pk}/" if kind == "together" else f"{home}{holder.pk}/"
    assert "another browser" in owner.get(one).text
    again.get(f"/join/{new_links([holder])[holder.pk]}/")
    assert again.get(where).status_code == 302
    assert again.get(address).url == where
    assert first.get(where).status_code == 403
    assert "refused in another browser" not in owner.get(home).text


def test_who_was_shut_out_stays_out(campaign):
    mine = Client()
    mine.get(f"{CODE}?PROLIFIC_PID=p1")
    revoke(campaign.annotators.get(platform__participant="p1"))
    assert mine.get(f"{CODE}?PROLIFIC_PID=p1").status_code == 403
    assert taken(campaign) == 1
