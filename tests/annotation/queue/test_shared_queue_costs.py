"""The next item of the shared queue costs the same, however large and however worn the pool is."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Annotator, Assignment, Campaign, Item
from annotation.queue.handing_out import next_assignments
from tests.fixtures.campaigns import make_campaign, make_study, read_again, send

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
SMALL, LARGE = 60, 600


class Steps:
    """Counts what SQLite's machine does: every row that is looked at takes some steps."""

    def __enter__(self) -> "Steps":
        self.count = 0
        connection.ensure_connection()
        connection.connection.set_progress_handler(self._step, 1)
        return self

    def __exit__(self, *exception) -> None:
        connection.connection.set_progress_handler(None, 1)

    def _step(self) -> int:
        self.count += 1
        return 0


def queue(screens: int, k: int, annotators: int, slug: str) -> tuple[Campaign, list[Annotator]]:
    """A campaign of the shared queue with so many items of ten outputs."""
    study = make_study(1, 10, slug=slug)
    campaign, people = make_campaign(
        study, annotators=annotators, ratings_per_item=k, design="shared_queue"
    )
    outputs = list(study.outputs.filter(system__kind="system"))
    Item.objects.bulk_create(
        Item(
            campaign=campaign,
            first=outputs[number % 10],
            occasion=100 + number,
            screen=10 + number,
            position=campaign.queue_end + 1 + number,
            wanted=k,
        )
        for number in range(screens)
    )
    campaign.queue_end += screens
    campaign.save(update_fields=["queue_end"])
    return campaign, people


def wear(campaign: Campaign, people: list[Annotator], left: int, mine: list[Annotator]) -> None:
    """Let `people` have rated everything but the last items, which `mine` have rated too."""
    items = list(campaign.items.order_by("position"))
    done, open_ = items[: len(items) - left], items[len(items) - left :]
    rated = [(item, people) for item in done] + [(item, mine) for item in open_]
    Assignment.objects.bulk_create(
        Assignment(item=item, annotator=person, position=number, state="submitted")
        for item, who in rated
        for number, person in enumerate(who, start=100_000 + item.pk * 50)
    )
    for item, who in rated:
        item.taken = len(who)
    Item.objects.bulk_update(items, ["taken"], batch_size=500)


def steps_of_answer(person: Annotator) -> tuple[int, int]:
    """Steps and statements of an answer that is stored and gets the next item."""
    for _ in range(2):
        person = read_again(person)
        [lead] = next_assignments(person)
        with CaptureQueriesContext(connection) as queries, Steps() as steps:
            assert send(person, lead).following
    return steps.count, len(queries)


@pytest.mark.parametrize(
    ("k", "worn"),
    [
        (20, "fresh"),
        (3, "half done"),
        *(
            pytest.param(*each, marks=pytest.mark.nightly)
            for each in ((3, "fresh"), (20, "half done"), (3, "nearly done"), (20, "nearly done"))
        ),
    ],
)
def test_the_next_item_costs_the_same_in_a_large_pool(k, worn):
    costs = {}
    for size in (SMALL, LARGE):
        campaign, people = queue(size, k, 20, f"{worn[:4]}-{size}")
        left = {"fresh": size, "half done": size // 2, "nearly done": 40}[worn]
        if worn != "fresh":
            # What is left was rated once less than wanted: only one of them can finish it.
            wear(campaign, people[:k], left, people[: k - 1])
        costs[size] = steps_of_answer(people[19 if k < 20 else k - 1])
    assert costs[LARGE][1] == costs[SMALL][1]
    assert costs[LARGE][0] <= 1.5 * costs[SMALL][0]


def test_leases_of_the_living_cost_nothing():
    _, people = queue(LARGE, 3, 20, "leases")
    alone, _ = steps_of_answer(people[0])
    for person in people:
        assert next_assignments(person)
    among_others, _ = steps_of_answer(people[0])
    assert among_others <= 1.1 * alone
    ended = timezone.now() - dt.timedelta(hours=1)
    Assignment.objects.filter(annotator=people[5]).update(lease_until=ended)
    steps_of_answer(people[0])
    assert Assignment.objects.get(annotator=people[5]).state == "expired"
