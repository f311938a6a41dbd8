"""An annotator's data on request: anonymous, so that ratings stay, or deleted with ratings."""

import pytest
from django.test import Client

from annotation.models import (
    Annotator,
    Campaign,
    CampaignSet,
    Contact,
    Item,
    Participant,
    Rating,
    Submission,
)
from annotation.people.invitations import new_links
from annotation.queue.handing_out import next_assignments
from corpus.models import AuditEntry, Study
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import make_campaign, send

pytestmark = [pytest.mark.dialect, pytest.mark.django_db]
NAME = "Grace Hopper"


@pytest.fixture
def ada(study):
    return signed_in("ada", study)


def known(annotator: Annotator) -> str:
    """Give an annotator all that can be known of one; return the token of their link."""
    Contact.objects.create(annotator=annotator, name=NAME, email="grace@example.org")
    annotator.platform = {"participant": "5f1aSECRET"}
    annotator.about = {"First language": "SECRET"}
    annotator.completion_code = "SECRET"
    annotator.save()
    [token] = new_links([annotator]).values()
    return token


def answered(annotator: Annotator, **values) -> None:
    annotator = Annotator.objects.select_related("campaign__study").get(pk=annotator.pk)
    send(annotator, next_assignments(annotator)[0], comment="SECRET of Grace", **values)


def page_of(annotator: Annotator) -> str:
    campaign = annotator.campaign
    return f"/studies/small/campaigns/{campaign.slug}/annotators/{annotator.pk}/"


def test_made_anonymous_nothing_leads_to_the_person_and_the_ratings_stay(ada, study):
    _, [annotator, other] = make_campaign(study)
    token = known(annotator)
    browser = Client()
    place = browser.get(f"/join/{token}/", follow=True).redirect_chain[-1][0]
    answered(annotator)
    answered(other)
    values = list(Rating.objects.order_by("pk").values_list("value", flat=True))
    page = f"{page_of(annotator)}forget/"
    assert "When they ask to be forgotten" in ada.get(page_of(annotator)).text
    ada.post(page, {"what": "anonymise"})
    assert Contact.objects.exists()
    answer = ada.post(page, {"what": "anonymise", "confirmed": "yes", "comments": "yes"})
    assert answer.status_code == 302
    after = Annotator.objects.get(pk=annotator.pk)
    assert after.pseudonym != annotator.pseudonym
    assert (after.platform, after.about, after.completion_code) == ({}, {}, "")
    assert (after.token_sha256, after.last_seen_at, after.consented_at) == ("", None, None)
    assert not Contact.objects.exists()
    assert list(Rating.objects.order_by("pk").values_list("value", flat=True)) == values
    assert Submission.objects.get(annotator=annotator).comment == ""
    assert Submission.objects.get(annotator=other).comment == "SECRET of Grace"
    assert browser.get(place).status_code == 403
    assert Client().get(f"/join/{token}/").status_code == 403
    entry = AuditEntry.objects.get(action="anonymise annotator")
    assert after.pseudonym not in f"{entry.object}{entry.before}{entry.after}"
    assert annotator.pseudonym not in f"{entry.object}{entry.before}{entry.after}"


def test_deleted_with_ratings_no_row_of_them_is_left_and_their_places_are_free(ada, study):
    campaign, [annotator, other] = make_campaign(
        study, annotators=2, design=Campaign.Design.QUEUE, ratings_per_item=1
    )
    known(annotator)
    answered(annotator)
    answered(other)
    taken = Item.objects.filter(taken=1).count()
    revision = Study.objects.get().revision
    answer = ada.post(f"{page_of(annotator)}forget/", {"what": "delete", "confirmed": "yes"})
    assert answer["Location"] == f"/studies/small/campaigns/{campaign.slug}/annotators/"
    assert list(Annotator.objects.all()) == [other]
    assert {each.annotator for each in Submission.objects.all()} == {other}
    assert not Contact.objects.exists()
    assert Item.objects.filter(taken=1).count() < taken
    assert Study.objects.get().revision > revision
    entry = AuditEntry.objects.get(action="delete annotator")
    assert entry.after == {"answers": 1}


def test_who_rates_in_a_set_is_forgotten_in_all_of_its_tasks(ada, study):
    together = CampaignSet.objects.create(study=study, slug="set", title="Set")
    person = Participant.objects.create(set=together, pseudonym="annotator 1", number=0)
    Contact.objects.create(participant=person, name=NAME)
    for position in range(2):
        campaign, [annotator] = make_campaign(study, annotators=1, slug=f"task-{position}")
        Campaign.objects.filter(pk=campaign.pk).update(set=together, position=position)
        Annotator.objects.filter(pk=annotator.pk).update(participant=person)
        answered(annotator)
    page = f"/studies/small/campaign-sets/set/people/{person.pk}/forget/"
    assert ada.post(page, {"what": "anonymise", "confirmed": "yes"}).status_code == 302
    person.refresh_from_db()
    assert {each.pseudonym for each in Annotator.objects.all()} == {person.pseudonym}
    assert person.pseudonym != "annotator 1"
    assert not Contact.objects.exists()
    assert ada.post(page, {"what": "delete", "confirmed": "yes"}).status_code == 302
    assert not Submission.objects.exists()
    # A newcomer has their lists, in all tasks.
    newcomer = Participant.objects.get()
    assert newcomer.pk != person.pk
    assert {(each.participant, each.assigned) for each in Annotator.objects.all()} == {
        (newcomer, 18)
    }
