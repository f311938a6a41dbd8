"""The places of somebody who is deleted are open again, in every design: all can still be rated."""

from collections import Counter

import pytest
from django.contrib.auth.models import User
from django.db.models import F

from annotation.campaigns.progress import progress
from annotation.campaigns.service import change_state
from annotation.designs.assignment import DESIGNS
from annotation.launch.starting import start
from annotation.models import Annotator, Assignment, Campaign, Item, Rating, Submission
from annotation.people.adding import add_annotators, free_places, release_places
from annotation.people.invitations import holder_by_code
from annotation.people.withdrawing import erase
from tests.annotation.rating.test_rating_blindness import practice
from tests.annotation.sets.test_campaign_sets import make_set
from tests.fixtures.by_night import by_night
from tests.fixtures.campaigns import following, judge, make_campaign, make_study, send

pytestmark = pytest.mark.django_db
PEOPLE = {"latin_square": 6}
WANTED = 2 * 18


def campaign_of(design, **values):
    study = make_study()
    practised = practice(study, "direct_assessment")["practice"]
    selection = {"controls": {"repeats": 1, "degraded": 1}, "practice": practised}
    people = values.pop("annotators", PEOPLE.get(design, 4))
    fields = {"design": design, "ratings_per_item": 2, "selection": selection}
    return make_campaign(study, annotators=people, **(fields | values))


@pytest.fixture
def owner():
    return User.objects.create_user("owner")


def finish(campaign):
    """Let everybody rate whatever is left for them."""
    for person in campaign.annotators.order_by("pk"):
        while (found := following(person))[1]:
            send(found[0], found[1][0])


def is_complete(campaign):
    """Every item has as many ratings as it should, each by somebody else; no place is lost."""
    done = progress(campaign)
    plain = campaign.items.filter(kind=Item.Kind.PLAIN)
    rated = Counter(Submission.objects.filter(item__in=plain).values_list("item", flat=True))
    return (done.done, done.wanted, set(rated.values())) == (WANTED, WANTED, {2})


RATED = dict(zip(DESIGNS, (0, 3, 100, 3), strict=True))
"""How many items somebody has rated, in every run for each design; by night all for all."""


@pytest.mark.parametrize(
    ("design", "rated"),
    [
        pytest.param(design, rated, marks=[] if rated == RATED[design] else pytest.mark.nightly)
        for design in DESIGNS
        for rated in (0, 3, 100)
    ],
)
def test_whoever_comes_rates_everything_that_the_deleted_were_to_rate(owner, design, rated):
    campaign, [first, second, *_] = campaign_of(design)
    names = set(campaign.annotators.values_list("pseudonym", flat=True))
    judge(first, rated) if rated < 100 else finish(campaign)
    before = Rating.objects.count()
    mine = Rating.objects.filter(submission__annotator=first).count()
    for person in (first, second):
        erase(Annotator.objects.get(pk=person.pk), owner)
    assert Rating.objects.count() <= before - mine
    if design == "shared_queue":
        add_annotators(campaign, 2, owner)
    # No pseudonym comes a second time.
    newcomers = campaign.annotators.order_by("-number")[:2]
    assert names.isdisjoint(each.pseudonym for each in newcomers)
    finish(campaign)
    assert is_complete(campaign)


@pytest.mark.parametrize(
    "design", by_night([each for each in DESIGNS if each != "shared_queue"], "balanced_overlap")
)
def test_what_somebody_released_before_they_were_deleted_is_handed_on_once(owner, design):
    campaign, [first, *_] = campaign_of(design)
    judge(first, 4)
    release_places(first, owner)
    free = free_places(campaign)
    assert free
    erase(first, owner)
    assert free_places(campaign) == 0
    finish(campaign)
    assert is_complete(campaign)


def test_a_list_that_is_handed_on_is_whole(owner):
    campaign, [first, *_] = campaign_of("latin_square")
    lead = Assignment.objects.filter(annotator=first, lead=True).exclude(item__kind="practice")
    screens = list(lead.order_by("position").values_list("item", flat=True))
    erase(first, owner)
    newcomer = campaign.annotators.order_by("number").last()
    taken = newcomer.assignments.exclude(item__kind="practice").order_by("position")
    assert list(taken.values_list("item", flat=True)) == screens
    assert following(newcomer)[1][0].item.kind == Item.Kind.PRACTICE


@pytest.mark.parametrize("design", by_night(DESIGNS, "shared_queue"))
def test_who_joins_by_the_code_gets_the_place_of_the_deleted(owner, design):
    campaign, people = campaign_of(design, invite_code="COME-IN")
    for number, person in enumerate(people):
        Annotator.objects.filter(pk=person.pk).update(token_sha256=str(number))
    judge(people[0], 3)
    assert holder_by_code("COME-IN", {"participant": "new"}) is None
    erase(Annotator.objects.get(pk=people[0].pk), owner)
    joined = holder_by_code("COME-IN", {"participant": "new"})
    assert joined is not None
    finish(campaign)
    assert is_complete(campaign)


def test_in_a_set_one_newcomer_has_the_lists_of_every_task(owner):
    together = make_set(owner, people=3)
    start(together, owner)
    person, other = together.participants.order_by("number")[:2]
    lists = {
        (item.campaign_id, item.pk)
        for item in Item.objects.filter(assignments__annotator__participant=person)
    }
    for each in person.annotators.all():
        judge(each, 1, lambda _: 3)
    erase(person, owner)
    newcomer = together.participants.order_by("number").last()
    assert newcomer.number == 3
    handed_on = Item.objects.filter(assignments__annotator__participant=newcomer)
    assert {(item.campaign_id, item.pk) for item in handed_on} == lists
    assert not Item.objects.filter(kind=Item.Kind.PLAIN, taken__lt=F("wanted")).exists()
    erase(other, owner)
    assert together.participants.order_by("number").last().number == 4


def test_a_closed_campaign_can_be_opened_again_and_finished(owner):
    campaign, [first, *_] = campaign_of("balanced_overlap")
    finish(campaign)
    change_state(campaign, "close", owner)
    erase(first, owner)
    assert progress(campaign).done < WANTED
    change_state(Campaign.objects.get(), "reopen", owner)
    finish(campaign)
    assert is_complete(campaign)
