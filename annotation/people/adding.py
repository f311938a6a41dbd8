"""Annotators who come later, and the places of those who leave."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeVar

import numpy as np
from django.contrib.auth.models import User
from django.db.models import F, Max

from annotation.campaigns.service import CampaignError, record
from annotation.designs.order import SIDES, sides
from annotation.launch.launching import create_annotators
from annotation.launch.writing import ROWS_AT_ONCE
from annotation.models import (
    Annotator,
    Assignment,
    Campaign,
    Invitee,
    Item,
    Place,
)
from annotation.queue.statements import new_place
from annotation.selection.screen_places import has_many
from corpus.storage.write_turn import in_write_turn

Row = TypeVar("Row")


def release_places(person: Invitee, actor: User) -> int:
    """Give back the screens that somebody who leaves has not judged in any task.

    Answers that come later all the same are kept, and count while the place is free.

    Returns
    -------
    int
        How many screens.
    """
    return sum(in_write_turn(release)(annotator, actor) for annotator in person.tasks)


def release(annotator: Annotator, actor: User) -> int:
    """Do so for one task, within a write turn that the caller holds."""
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=annotator.campaign_id)
    mine = annotator.assignments.filter(state=Assignment.State.OPEN)
    mine = mine.exclude(item__kind=Item.Kind.PRACTICE)
    if campaign.design == Campaign.Design.QUEUE:
        # Controls in the queue are made for one annotator; nobody else waits for them.
        mine = mine.filter(item__kind=Item.Kind.PLAIN)
    # Held, so that what is answered at this moment is not given up too.
    held = mine.select_for_update(of=("self",), no_key=True).order_by("pk")
    given_up = [(each.pk, each.item_id, each.lead) for each in held]
    place = new_place(campaign.pk)
    for part in _parts(given_up):
        Assignment.objects.filter(pk__in=[pk for pk, _, _ in part]).update(
            state=Assignment.State.EXPIRED, lease_until=None
        )
        items = Item.objects.filter(pk__in=[item for _, item, _ in part], taken__gt=0)
        items.update(taken=F("taken") - 1, position=place)
    screens = sum(lead for _, _, lead in given_up)
    if campaign.design != Campaign.Design.QUEUE:
        # In the shared queue this number is the annotator's next position, never used twice.
        Annotator.objects.filter(pk=annotator.pk).update(assigned=F("assigned") - screens)
    record(campaign, actor, "release places", annotator.pseudonym, after={"screens": screens})
    return screens


def free_places(place: Place) -> int:
    """Return how many screens of lists made beforehand wait for somebody to take them."""
    return sum(len(rows) for campaign in place.tasks for rows in _lists_left(campaign))


@in_write_turn
def add_annotators(place: Place, count: int, actor: User) -> None:
    """Let more people rate, in a set in all of its tasks.

    In the shared queue they take what is there. Elsewhere they take over the lists of those who
    left, whole where there are not more newcomers than leavers, so that what a list was made for
    (each source once, a whole batch) still holds. In a task where nothing is free they have
    nothing to do.

    Raises
    ------
    CampaignError
        If no campaign is running, nobody left anything to do, or its people are those of a set.
    """
    if isinstance(place, Campaign) and place.set_id:
        raise CampaignError("add annotators on the page of the set, for all tasks at once")
    tasks = Campaign.objects.filter(pk__in=[each.pk for each in place.tasks])
    campaigns = list(tasks.select_for_update(no_key=True).order_by("pk"))
    states = {campaign.state for campaign in campaigns}
    running = {Campaign.State.OPEN, Campaign.State.PAUSED}
    if Campaign.State.DRAFT in states or not states & running:
        whole = "the campaign is" if isinstance(place, Campaign) else "the campaigns are"
        raise CampaignError(f"annotators can be added while {whole} open or paused")
    left = [
        _lists_left(campaign)
        if campaign.state in running and campaign.design != Campaign.Design.QUEUE
        else []
        for campaign in campaigns
    ]
    free = sum(len(leads) for lists in left for leads in lists)
    if campaigns[0].design != Campaign.Design.QUEUE and free < count:
        raise CampaignError(
            f"{free} slots are free, so {count} more annotators would have nothing to do; first "
            "release the open items of an annotator who left"
        )
    for campaign, lists in zip(campaigns, left, strict=True):
        people = create_annotators(campaign, count)
        for annotator, leads in zip(people, _dealt(lists, count), strict=True):
            if leads:
                assign(campaign, annotator, leads)
    record(place, actor, "add annotators", after={"annotators": count})


def _lists_left(campaign: Campaign) -> list[list[Assignment]]:
    """Return the free screens by who left them, in their order; each free place once."""
    left = (
        Assignment.objects.filter(
            item__campaign=campaign, state=Assignment.State.EXPIRED, lead=True,
            item__taken__lt=F("item__wanted"),
        )
        .select_related("item")
        .order_by("annotator_id", "position")
    )  # fmt: skip
    free: dict[int, int] = {}
    lists: dict[int, list[Assignment]] = {}
    for lead in left:
        places = free.setdefault(lead.item_id, lead.item.wanted - lead.item.taken)
        if places:
            free[lead.item_id] = places - 1
            lists.setdefault(lead.annotator_id, []).append(lead)
    # A repeat or degraded text without its original tells nothing: whoever comes needs both. A
    # reference is compared with any output of its source.
    return [kept for rows in lists.values() if (kept := with_originals(rows))]


def with_originals(leads: Sequence[Assignment]) -> list[Assignment]:
    """Leave out controls whose original is not among the screens."""
    here = {lead.item.screen for lead in leads if lead.item.kind == Item.Kind.PLAIN}
    return [
        lead
        for lead in leads
        if lead.item.kind in (Item.Kind.PLAIN, Item.Kind.REFERENCE) or lead.item.screen in here
    ]


def _dealt(lists: Sequence[list[Assignment]], count: int) -> list[list[Assignment]]:
    """Deal lists out to newcomers, whoever has least first; nobody gets an item twice."""
    hands: list[list[Assignment]] = [[] for _ in range(count)]
    cuts = -(-count // len(lists)) if lists else 1
    parts = [leads[a:b] for leads in lists for a, b in _bounds(len(leads), cuts)]
    for part in sorted(parts, key=len, reverse=True):
        hand = min(hands, key=len)
        known = {lead.item_id for lead in hand}
        hand += [lead for lead in part if lead.item_id not in known]
    return [with_originals(hand) for hand in hands]


def _bounds(length: int, cuts: int) -> Iterable[tuple[int, int]]:
    edges = np.linspace(0, length, cuts + 1).astype(int).tolist()
    return pairwise(edges)


def assign(campaign: Campaign, annotator: Annotator, leads: Sequence[Assignment]) -> None:
    """Take the places of some screens and make them an annotator's list."""
    screens = _screens(campaign, leads)
    swapped = sides(len(leads), [campaign.seed, SIDES, annotator.number])
    # Practice comes before.
    last = annotator.assignments.aggregate(last=Max("position", default=-1))["last"]
    assignments = [
        Assignment(
            item=item,
            annotator=annotator,
            position=last + 1 + position,
            lead=place == 0,
            swapped=bool(swapped[position]) and item.second_id is not None,
        )
        for position, lead in enumerate(leads)
        for place, item in enumerate(screens[lead.pk])
    ]
    for part in _parts([assignment.item_id for assignment in assignments]):
        places = Item.objects.filter(pk__in=part, taken__lt=F("wanted"))
        places.update(taken=F("taken") + 1)
    Assignment.objects.bulk_create(assignments, batch_size=ROWS_AT_ONCE)
    Annotator.objects.filter(pk=annotator.pk).update(assigned=annotator.assigned + len(leads))


def _screens(campaign: Campaign, leads: Sequence[Assignment]) -> dict[int, list[Item]]:
    """Return all items of each screen, the lead first."""
    if not has_many(campaign):
        return {lead.pk: [lead.item] for lead in leads}
    others: dict[tuple[str, int], list[Item]] = {}
    for item in Item.objects.filter(campaign=campaign, lead=False).order_by("pk"):
        others.setdefault((item.kind, item.screen), []).append(item)
    return {
        lead.pk: [lead.item, *others.get((lead.item.kind, lead.item.screen), [])] for lead in leads
    }


def _parts(rows: Sequence[Row]) -> Iterable[Sequence[Row]]:
    """Cut rows so that a database takes their keys in one statement."""
    return (rows[start : start + ROWS_AT_ONCE] for start in range(0, len(rows), ROWS_AT_ONCE))
