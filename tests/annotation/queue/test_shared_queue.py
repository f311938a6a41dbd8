"""The shared queue: leases, surplus, and no item over-rated, with many at once."""

import datetime as dt
import threading

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Count, F, Min
from django.utils import timezone

from annotation.campaigns.service import change_state
from annotation.models import Annotator, Assignment, Campaign, Item, Submission
from annotation.queue.handing_out import arrive, next_assignments
from annotation.queue.shared_queue import return_expired
from tests.fixtures.by_night import by_night
from tests.fixtures.campaigns import make_campaign, make_study, read_again, send


def queue(annotators: int, k: int, segments: int = 4, systems: int = 3, **values):
    return make_campaign(
        make_study(segments, systems),
        annotators=annotators,
        ratings_per_item=k,
        design=Campaign.Design.QUEUE,
        **values,
    )


def end_leases() -> None:
    past = timezone.now() - dt.timedelta(seconds=1)
    Assignment.objects.filter(lease_until__isnull=False).update(lease_until=past)


@pytest.mark.dialect
@pytest.mark.django_db
def test_an_item_is_leased_to_one_annotator_at_a_time():
    _, [first, second] = queue(2, 1)
    [one], [other] = next_assignments(first), next_assignments(second)
    assert one.item_id != other.item_id
    assert next_assignments(first)[0].pk == one.pk


@pytest.mark.django_db
def test_the_least_rated_item_comes_next():
    _, [first, second] = queue(2, 2)
    [one] = next_assignments(first)
    send(first, one)
    [other] = next_assignments(second)
    assert other.item_id != one.item_id


@pytest.mark.dialect
@pytest.mark.django_db
def test_a_lease_that_ends_returns_the_item():
    _campaign, [first, second] = queue(2, 1, segments=1, systems=1)
    [one] = next_assignments(first)
    assert next_assignments(second) == []
    end_leases()
    [other] = next_assignments(second)
    assert other.item_id == one.item_id
    assert Item.objects.get().taken == 1


@pytest.mark.django_db
def test_a_late_submit_counts_if_its_place_is_still_free():
    campaign, [first, _] = queue(2, 1, segments=1, systems=1)
    [one] = next_assignments(first)
    end_leases()
    return_expired(campaign)
    assert Item.objects.get().taken == 0
    assert not send(first, one).surplus
    assert Item.objects.get().taken == 1


@pytest.mark.django_db
def test_a_late_submit_whose_place_is_taken_is_kept_as_surplus():
    _campaign, [first, second] = queue(2, 1, segments=1, systems=1)
    [one] = next_assignments(first)
    end_leases()
    [other] = next_assignments(second)
    assert send(first, one).surplus
    assert not send(second, other).surplus
    assert Submission.objects.filter(surplus=True).count() == 1
    assert Item.objects.get().taken == 1


@pytest.mark.django_db
def test_who_comes_back_after_the_lease_ended_gets_the_item_again():
    campaign, [first] = queue(1, 1, segments=1, systems=1)
    [one] = next_assignments(first)
    end_leases()
    return_expired(campaign)
    [again] = next_assignments(first)
    assert again.public_id == one.public_id
    assert not send(first, again).surplus


@pytest.mark.django_db
def test_a_paused_campaign_hands_out_nothing_new_but_takes_what_was_shown():
    _campaign, [first] = queue(1, 1)
    [one] = next_assignments(first)
    Campaign.objects.update(state=Campaign.State.PAUSED)
    first = read_again(first)
    outcome = send(first, one)
    assert outcome.stored
    assert outcome.following == []


@pytest.mark.dialect
@pytest.mark.slow
@pytest.mark.parametrize("k", [pytest.param(1, marks=pytest.mark.nightly), 3])
@pytest.mark.django_db(transaction=True)
def test_twenty_annotators_at_once_over_rate_nothing_to_the_last_item(k):
    _campaign, people = queue(20, k, segments=10, systems=3)
    failures: list[BaseException] = []

    def work(pk: int) -> None:
        try:
            while True:
                annotator = Annotator.objects.select_related("campaign").get(pk=pk)
                screen = arrive(annotator)
                if not screen:
                    return
                while screen:
                    screen = send(annotator, screen[0]).following
        except BaseException as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(person.pk,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    for item in Item.objects.prefetch_related("submissions"):
        raters = [submission.annotator_id for submission in item.submissions.all()]
        assert len(raters) == len(set(raters)) == k
        assert item.taken == k
    assert not Submission.objects.filter(surplus=True).exists()


@pytest.mark.dialect
@pytest.mark.parametrize("seed", by_night(range(3), 0))
@pytest.mark.django_db
def test_everybody_gets_the_least_rated_of_what_they_have_not_had_whatever_happens(seed):
    random = np.random.default_rng(seed)
    campaign, people = queue(5, 3, segments=4, systems=3)
    for _ in range(90):
        person = Annotator.objects.select_related("campaign").get(pk=random.choice(people).pk)
        had = Assignment.objects.filter(annotator=person).exclude(state="expired")
        waiting = had.filter(state="open").exists()
        theirs = Item.objects.exclude(pk__in=had.values("item")).filter(taken__lt=F("wanted"))
        least = theirs.aggregate(least=Min("taken"))["least"]
        screen = next_assignments(person)
        if not screen:
            assert not waiting
            assert least is None
            continue
        if not waiting:
            assert screen[0].item.taken - 1 == least
        what = random.choice(["answer", "answer", "answer", "leave", "expire"])
        if what == "answer":
            send(person, screen[0])
        elif what == "expire":
            end_leases()
            return_expired(campaign)
        held = Assignment.objects.exclude(state="expired").values("item").annotate(n=Count("*"))
        counts = {row["item"]: row["n"] for row in held}
        assert all(item.taken == counts.get(item.pk, 0) for item in Item.objects.all())
    for item in Item.objects.prefetch_related("submissions"):
        raters = [each.annotator_id for each in item.submissions.all() if not each.surplus]
        assert len(raters) == len(set(raters)) <= 3


@pytest.mark.django_db
def test_closing_gives_back_what_is_on_screens_and_late_answers_still_count():
    campaign, [first, _] = queue(2, 1)
    [lead] = next_assignments(first)
    owner = User.objects.create_user("owner")
    change_state(campaign, "close", owner)
    assert not Assignment.objects.filter(lease_until__isnull=False).exists()
    first = read_again(first)
    assert not send(first, lead).surplus
    assert Item.objects.get(pk=lead.item_id).taken == 1
