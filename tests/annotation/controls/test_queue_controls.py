"""Controls in the shared queue: everybody gets their own, of what they rated before."""

import numpy as np
import pytest

from annotation.controls.results import control_results
from annotation.models import Assignment, Item, Rating
from annotation.queue.handing_out import next_assignments
from annotation.queue.shared_queue import return_expired
from tests.annotation.queue.test_shared_queue import end_leases
from tests.fixtures.campaigns import answers_for, make_campaign, make_study, read_again, send
from tests.fixtures.nonempty import at_least_one

pytestmark = pytest.mark.django_db
COUNTS = {"repeats": 2, "degraded": 3, "references": 2}


def queue(protocol="direct_assessment", annotators=3, segments=12, systems=3, k=2, **values):
    values.setdefault("selection", {"controls": COUNTS})
    return make_campaign(
        make_study(segments, systems),
        protocol,
        annotators=annotators,
        ratings_per_item=k,
        design="shared_queue",
        **values,
    )


def take_turns(people, answer=lambda annotator, lead: None, most=10_000):
    """Let everybody answer in turn until nothing is left; return what each got, in order."""
    got = {person.pk: [] for person in people}
    busy = True
    while busy and most:
        busy = False
        for person in people:
            annotator = read_again(person)
            screen = next_assignments(annotator)
            if screen:
                busy, most = True, most - 1
                got[person.pk].append(screen[0].item)
                send(annotator, screen[0], answer(annotator, screen[0]) or answers_for(
                    annotator.campaign
                ))  # fmt: skip
    return got


def test_everybody_gets_every_kind_far_behind_what_they_rated():
    campaign, people = queue()
    got = take_turns(people)
    assert Item.objects.filter(kind="plain", taken=2).count() == 36
    places = set()
    for items in got.values():
        kinds = [item.kind for item in items]
        assert kinds.count("repeat") == 2
        assert kinds.count("degraded") == 3
        assert kinds.count("reference") == 2
        assert 23 <= kinds.count("plain") <= 25
        rated = [item.pk for item in items]
        assert len(set(rated)) == len(rated)
        for place, item in enumerate(items):
            if item.kind in ("repeat", "degraded"):
                assert place - rated.index(item.original_id) >= 6
        references = [item.first.segment_id for item in items if item.kind == "reference"]
        assert len(set(references)) == 2
        places.add(tuple(np.flatnonzero([kind != "plain" for kind in kinds])))
        assert min(min(each) for each in places) > 8
    counted = Rating.objects.counted(campaign.study)
    assert counted.count() == 72 * 3
    results = control_results(campaign)
    assert [row.repeats for row in results] == [6, 6, 6]
    assert [row.degraded.pairs for row in results] == [3, 3, 3]
    assert [row.references.pairs for row in results] == [2, 2, 2]


def test_who_rates_more_than_their_share_goes_on_getting_controls():
    _, people = queue(annotators=6, k=1, segments=20, systems=3, selection={
        "controls": {"repeats": 2}
    })  # fmt: skip
    [items] = take_turns(people[:1]).values()
    kinds = [item.kind for item in items]
    assert kinds.count("plain") == 60
    # A share is ten items, of which nine are counted on: two controls in each eleven places.
    assert kinds.count("repeat") == 13
    assert [kinds[start : start + 11].count("repeat") for start in range(0, 66, 11)] == [2] * 6


@pytest.mark.dialect
def test_a_control_needs_no_lease_waits_for_its_annotator_and_goes_to_nobody_else():
    campaign, people = queue(annotators=2)
    first = people[0]
    while True:
        annotator = read_again(first)
        [lead] = next_assignments(annotator)
        if lead.item.kind != "plain":
            break
        send(annotator, lead)
    assert lead.lease_until is None
    end_leases()
    return_expired(campaign)
    assert next_assignments(annotator) == [lead]
    got = take_turns(people[1:])
    control = Assignment.objects.get(pk=lead.pk).item_id
    assert control not in {item.pk for items in got.values() for item in items}


def test_what_was_not_rated_is_not_repeated():
    _, people = queue(annotators=2, selection={"controls": {"repeats": 4}})
    person, given_up = people[0], set()
    rated, repeated = [], []
    for number in range(80):
        annotator = read_again(person)
        screen = next_assignments(annotator)
        if not screen:
            break
        [lead] = screen
        if lead.item.kind == "plain" and number % 3 == 0 and len(given_up) < 6:
            given_up.add(lead.item_id)
            end_leases()
            return_expired(annotator.campaign)
            # Somebody else takes it, so that it does not come back at once.
            other = read_again(people[1])
            send(other, next_assignments(other)[0])
            continue
        send(annotator, lead)
        (repeated if lead.item.kind == "repeat" else rated).append(lead.item)
    assert len(repeated) >= 3
    assert {item.original_id for item in repeated} <= {item.pk for item in rated}


@pytest.mark.parametrize(
    ("protocol", "counts"),
    [
        ("output_against_output", {"repeats": 1, "degraded": 2, "references": 2}),
        pytest.param(
            "relative_naturalness", {"repeats": 2, "degraded": 3}, marks=pytest.mark.nightly
        ),
    ],
)
def test_the_queue_of_every_protocol_has_controls(protocol, counts):
    campaign, people = queue(protocol, annotators=2, selection={"controls": counts})
    got = take_turns(people)
    singular = {"repeats": "repeat", "degraded": "degraded", "references": "reference"}
    for items in got.values():
        kinds = [item.kind for item in items]
        for name, count in counts.items():
            assert kinds.count(singular[name]) == count
    assert control_results(campaign)


@pytest.mark.parametrize("design", ["shared_queue", "balanced_overlap"])
def test_sides_are_balanced_among_what_counts(design):
    _, people = make_campaign(
        make_study(10, 3), "relative_naturalness", annotators=3, design=design, ratings_per_item=2,
        selection={"controls": {"repeats": 3, "degraded": 4}},
    )  # fmt: skip
    take_turns(people)
    for person in at_least_one(people):
        counted = Assignment.objects.filter(annotator=person, item__kind="plain")
        swapped = counted.filter(swapped=True).count()
        assert abs(2 * swapped - counted.count()) <= 1
