"""Rounds of the shared queue: segments come in random order, ten at a time, as was decided."""

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.campaigns.progress import campaigns_listed, progress
from annotation.designs.assignment import shared_queue
from annotation.designs.segments import SEGMENTS, laid_out, rounds_of, segments_in_order
from annotation.designs.stopping import StoppingRule
from annotation.models import Campaign, Item
from annotation.queue.rounds import LOOK, Decision, decide
from corpus.models import AuditEntry, Job
from tests.fixtures.campaigns import following, make_campaign, make_study, send


def with_rule(
    segments=25, systems=3, annotators=1, k=1, protocol="direct_assessment", slug="small", **rule
):
    stated = StoppingRule("pairs", "fluency", **rule).stored()
    return make_campaign(
        make_study(segments, systems, slug),
        protocol,
        annotators=annotators,
        ratings_per_item=k,
        design=Campaign.Design.QUEUE,
        selection={"annotators": annotators, "stopping": stated},
    )


def rate_all(annotator, most=1000):
    """Rate what is handed out; return the items in their order."""
    rated = []
    while len(rated) < most:
        annotator, screen = following(annotator)
        if not screen:
            break
        rated.append(screen[0].item)
        send(annotator, screen[0])
    return rated


def system_pks(campaign):
    return list(campaign.study.systems.filter(kind="system").values_list("pk", flat=True))


def test_every_round_has_the_next_segments_of_one_random_order():
    segments, systems = np.repeat(np.arange(40, 77), 3), np.tile([1, 2, 3], 37)
    ordered = segments_in_order(segments, seed=5)
    numbers = rounds_of(segments, seed=5)
    for number in range(4):
        own = set(segments[numbers == number].tolist())
        assert own == set(ordered[SEGMENTS * number : SEGMENTS * (number + 1)].tolist())
    assert (segments_in_order(segments, seed=6) != ordered).any()
    queue = shared_queue(segments, systems, 2, 1, 5, in_rounds=True).queue
    assert (np.diff(numbers[queue]) >= 0).all()
    assert (np.diff(segments[queue]) != 0).all()
    rounds = laid_out(segments, queue, 5)
    assert (rounds.width, rounds.count) == (30, 4)
    assert ((rounds.places - 1) // rounds.width == numbers).all()
    assert (np.argsort(rounds.places) == queue).all()


@pytest.mark.dialect
@pytest.mark.django_db
def test_the_first_segments_are_complete_before_others_are_begun():
    campaign, [first, second] = with_rule(annotators=2, k=2)
    segments = list(campaign.items.values_list("first__segment", flat=True))
    order = segments_in_order(segments, campaign.seed).tolist()
    # The first goes ahead into the second round; the second completes the first round before that.
    ahead = [item.first.segment_id for item in rate_all(first, 40)]
    assert set(ahead[:30]) == set(order[:10])
    behind = [item.first.segment_id for item in rate_all(second, 30)]
    assert set(behind) == set(order[:10])
    rate_all(first)
    rate_all(second)
    assert set(Item.objects.values_list("wanted", "taken")) == {(2, 2)}


@pytest.mark.django_db
def test_progress_counts_later_rounds_too():
    campaign, [annotator] = with_rule()
    rate_all(annotator, 30)
    assert (progress(campaign).done, progress(campaign).wanted) == (30, 75)
    [listed] = campaigns_listed(campaign.study)
    assert (listed.done, listed.wanted) == (30, 75)


@pytest.mark.dialect
@pytest.mark.django_db
def test_later_rounds_ask_only_for_systems_that_still_need_ratings():
    campaign, [annotator] = with_rule()
    one, two, three = system_pks(campaign)
    rate_all(annotator, 29)
    decide(campaign, Decision(met=False, segments=9, pairs=((one, two),)))
    rated = rate_all(annotator, 20)
    assert {item.first.system_id for item in rated[1:]} == {one, two}
    decide(campaign, Decision(met=False, segments=19, pairs=((one, three), (two, three))))
    assert len(rate_all(annotator)) == 1 + 15


@pytest.mark.django_db
def test_pairs_that_are_settled_are_compared_no_more():
    campaign, [annotator] = with_rule(protocol="output_against_output")
    one, _two, three = system_pks(campaign)
    rate_all(annotator, 29)
    decide(campaign, Decision(met=False, segments=9, pairs=((three, one),)))
    rated = rate_all(annotator)[1:]
    compared = {(item.first.system_id, item.second.system_id) for item in rated}
    assert compared == {(one, three)}


@pytest.mark.django_db
def test_without_leave_to_adapt_every_system_is_rated_to_the_end():
    campaign, [annotator] = with_rule(adaptive=False)
    one, two, _ = system_pks(campaign)
    rate_all(annotator, 29)
    decide(campaign, Decision(met=False, segments=9, pairs=((one, two),)))
    assert len(rate_all(annotator)) == 46


@pytest.mark.django_db
@pytest.mark.parametrize(("automatic", "left"), [(True, 1), (False, 46)])
def test_a_rule_that_is_met_ends_the_queue_only_where_its_owner_said_so(automatic, left):
    campaign, [annotator] = with_rule(automatic=automatic, adaptive=False)
    rate_all(annotator, 29)
    decide(campaign, Decision(met=True, segments=9))
    # Once met, it stays met, whatever a later look says.
    decide(campaign, Decision(met=False, segments=9))
    assert len(rate_all(annotator)) == left
    assert Campaign.objects.get().stopping["met"]["segments"] == 9
    [entry] = AuditEntry.objects.filter(action="stopping rule met")
    assert entry.after == {"segments": 9}


@pytest.mark.django_db
def test_opening_a_round_costs_the_same_however_many_rounds_there_are():
    counts = []
    for segments in (20, 50):
        _, [annotator] = with_rule(segments=segments, systems=2, slug=f"of-{segments}")
        rate_all(annotator, 19)
        annotator, [last] = following(annotator)
        with CaptureQueriesContext(connection) as opening:
            send(annotator, last)
        assert any("item_of_later_round" in plan_of(each["sql"]) for each in opening) or (
            connection.vendor != "sqlite"
        )
        counts.append(len(opening))
    assert counts[0] == counts[1]


def plan_of(statement):
    """Return SQLite's plan of a query of items that wait; empty for any other statement."""
    if connection.vendor != "sqlite" or '"wanted" = 0' not in statement:
        return ""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {statement}")
        return str(cursor.fetchall())


@pytest.mark.django_db
def test_each_round_asks_for_one_look(django_capture_on_commit_callbacks):
    campaign, [annotator] = with_rule()
    with django_capture_on_commit_callbacks(execute=True):
        rate_all(annotator, 29)
    assert not Job.objects.filter(kind=LOOK).exists()
    with django_capture_on_commit_callbacks(execute=True):
        rate_all(annotator)
    [job] = Job.objects.filter(kind=LOOK)
    assert job.parameters == {"campaign": campaign.slug}
