"""Who may open which page of a campaign: every address by every role."""

from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import NoReverseMatch, get_resolver, reverse

from annotation.models import Campaign, CampaignSet, Participant
from corpus.models import Study
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import make_campaign, make_study

pytestmark = pytest.mark.django_db
FOR_READERS = {
    *("study-campaigns", "campaign", "campaign-preview", "campaign-try", "campaign-history"),
    *(
        "campaign-datasheet",
        "campaign-datasheet-file",
        "campaign-ethics-file",
        "campaign-raters",
        "campaign-set",
    ),
    "campaign-preregistration",
}
"""What researchers may open; all else is for owners."""


def names() -> list[str]:
    """Every page below a study's campaigns."""
    found = get_resolver().reverse_dict.keys()
    return sorted(
        name
        for name in found
        if isinstance(name, str) and (name.startswith("campaign") or name == "study-campaigns")
    )


@pytest.fixture
def campaign() -> Campaign:
    campaign, _ = make_campaign(make_study())
    other, people = make_campaign(campaign.study)
    other.set = CampaignSet.objects.create(study=campaign.study, slug="together")
    other.save()
    for annotator in people:
        annotator.participant = Participant.objects.create(
            set=other.set, pseudonym=annotator.pseudonym, number=annotator.number
        )
        annotator.save()
    return campaign


def address(name: str, campaign: Campaign, study: str = "small") -> str:
    person: Any = campaign.annotators.first()
    if name.startswith("campaign-set"):
        together = CampaignSet.objects.get()
        person = together.participants.first()
        return (
            reverse(name, args=[study, together.slug])
            if takes(name, 2)
            else reverse(name, args=[study, together.slug, person.pk])
        )
    for given in ([study], [study, campaign.slug], [study, campaign.slug, person.pk]):
        try:
            return reverse(name, args=given)
        except NoReverseMatch:
            continue
    raise AssertionError(f"{name} takes other arguments")


def takes(name: str, count: int) -> bool:
    """Whether an address has so many arguments."""
    try:
        reverse(name, args=["small", "together", 1][:count])
    except NoReverseMatch:
        return False
    return True


def statuses(client: Client, page: str, data: dict[str, str] | None = None) -> tuple[int, int]:
    """How a page answers to GET and POST; what the latter changed is undone."""
    before = transaction.savepoint()
    try:
        return client.get(page).status_code, client.post(page, data or {}).status_code
    finally:
        transaction.savepoint_rollback(before)


def test_each_page_opens_to_its_roles_only(campaign):
    owner = signed_in("ada", campaign.study)
    reader = signed_in("ben", campaign.study, "researcher")
    stranger = signed_in("eve", Study.objects.create(slug="elsewhere"))
    assert len(names()) >= 20
    for name in names():
        page = address(name, campaign)
        assert {*statuses(stranger, page)} <= {404, 405}, name
        for method in ("get", "post"):
            answer = getattr(Client(), method)(page)
            assert answer.status_code == 405 or answer["Location"].startswith("/sign-in/"), name
        expected = {200, 302, 400, 405} if name in FOR_READERS else {403, 405}
        assert {*statuses(reader, page)} <= expected, name
        data = {"change": "pause"} if name.endswith("-state") else {}
        assert {*statuses(owner, page, data)} & {200, 302, 400}, name


def test_a_campaign_is_reached_through_its_own_study_only(campaign):
    owner = signed_in("ada", Study.objects.create(slug="other"))
    for name in sorted({*names()} - {"study-campaigns", "campaign-new"}):
        page = address(name, campaign, "other")
        assert {*statuses(owner, page)} <= {404, 405}, name


def test_nobody_acts_on_an_annotator_of_another_campaign(campaign):
    _, [stranger, _] = make_campaign(campaign.study)
    owner = signed_in("ada", campaign.study)
    home = f"/studies/small/campaigns/{campaign.slug}/annotators/{stranger.pk}/"
    assert owner.get(home).status_code == 404
    for action in ("link", "revoke", "release", "contact", "withdraw", "count-again", "qualify"):
        assert owner.post(f"{home}{action}/", {"reason": "x"}).status_code == 404


def test_the_ratings_of_an_imported_campaign_have_no_pages_here(campaign):
    Campaign.objects.update(origin="imported")
    owner = signed_in("ada", campaign.study)
    assert owner.get(f"/studies/small/campaigns/{campaign.slug}/").status_code == 404
