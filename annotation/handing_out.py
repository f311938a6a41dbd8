"""Which screen an annotator gets next: from a list made beforehand, or from the shared queue."""

import datetime as dt

from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from annotation.designs import sides
from annotation.models import Annotator, Assignment, Campaign, Item
from annotation.statements import next_lead

SIDES = 5
_TRIES = 20
_SWEPT_AT_ONCE = 50


def next_assignments(annotator: Annotator) -> list[Assignment]:
    """Return the assignments of the next screen, the lead first; none where nothing is left.

    The caller holds a write transaction, because a place of the shared queue may be taken.

    Parameters
    ----------
    annotator
        With its campaign loaded.
    """
    campaign = annotator.campaign
    lead = next_lead(annotator)
    if lead is None and campaign.state == Campaign.State.OPEN:
        if campaign.design != Campaign.Design.QUEUE:
            return []
        lead = _take(annotator)
    return screen_of(lead, campaign) if lead else []


def screen_of(lead: Assignment, campaign: Campaign) -> list[Assignment]:
    """Return all assignments of a screen, by its lead."""
    if not _has_many(campaign):
        return [lead]
    others = (
        Assignment.objects.filter(
            annotator=lead.annotator_id, position=lead.position, item__screen=lead.item.screen
        )
        .exclude(pk=lead.pk)
        .select_related("item")
        .order_by("pk")
    )
    return [lead, *others]


def renew(assignment: Assignment, campaign: Campaign) -> None:
    """Let a leased place last from now on; a place in a list made beforehand needs no lease."""
    Assignment.objects.filter(pk=assignment.pk, lease_until__isnull=False).update(
        lease_until=_lease_end(campaign)
    )


def return_expired(campaign: Campaign) -> int:
    """Give back places whose lease has ended; return how many."""
    ended = Assignment.objects.filter(
        lease_until__lt=timezone.now(), lead=True, item__campaign=campaign
    ).select_related("item")
    returned = 0
    for lead in ended[:_SWEPT_AT_ONCE]:
        returned += give_back(lead, campaign)
    return returned


def give_back(lead: Assignment, campaign: Campaign) -> int:
    """Return the places of an open screen; answers that come later are still kept."""
    screen = [each.pk for each in screen_of(lead, campaign)]
    changed = Assignment.objects.filter(pk__in=screen, state=Assignment.State.OPEN).update(
        state=Assignment.State.EXPIRED, lease_until=None
    )
    if changed:
        Item.objects.filter(assignments__in=screen, taken__gt=0).update(taken=F("taken") - 1)
    return changed


def take_place(item_ids: list[int]) -> bool:
    """Take a place at each item of a screen, if all have one left."""
    free = Item.objects.filter(pk__in=item_ids, taken__lt=F("wanted"))
    if len(item_ids) > 1 and free.select_for_update().count() < len(item_ids):
        return False
    return free.update(taken=F("taken") + 1) == len(item_ids)


def _take(annotator: Annotator) -> Assignment | None:
    campaign = annotator.campaign
    return_expired(campaign)
    for _ in range(_TRIES):
        lead = _candidate(annotator)
        if lead is None:
            return None
        items = [lead]
        if _has_many(campaign):
            siblings = Item.objects.filter(
                campaign=campaign, screen=lead.screen, kind=Item.Kind.PLAIN, lead=False
            )
            items += list(siblings.order_by("pk"))
        if take_place([item.pk for item in items]):
            return _lease(annotator, items)
    return None


def _candidate(annotator: Annotator) -> Item | None:
    """Return the least-rated item that this annotator has not had."""
    had = Assignment.objects.filter(item=OuterRef("pk"), annotator=annotator).exclude(
        state=Assignment.State.EXPIRED
    )
    return (
        Item.objects.filter(campaign=annotator.campaign, lead=True, taken__lt=F("wanted"))
        .filter(~Exists(had))
        .order_by("taken", "position")
        .first()
    )


def _lease(annotator: Annotator, items: list[Item]) -> Assignment:
    """Give an annotator a screen whose places were taken; one they had before comes back."""
    position = annotator.assigned
    end = _lease_end(annotator.campaign)
    swapped = bool(
        sides(position + 1, [annotator.campaign.seed, SIDES, annotator.number])[position]
    )
    known = {
        each.item_id: each
        for each in Assignment.objects.filter(annotator=annotator, item__in=items)
    }
    leased = []
    for item in items:
        values = {
            "position": position,
            "lead": item.lead,
            "state": Assignment.State.OPEN,
            "lease_until": end,
        }
        if item.pk in known:
            Assignment.objects.filter(pk=known[item.pk].pk).update(**values)
            known[item.pk].position = position
            leased.append(known[item.pk])
        else:
            leased.append(
                Assignment.objects.create(
                    item=item,
                    annotator=annotator,
                    swapped=swapped and item.second_id is not None,
                    **values,
                )
            )
    Annotator.objects.filter(pk=annotator.pk).update(assigned=F("assigned") + 1)
    annotator.assigned = position + 1
    lead = leased[0]
    lead.item = items[0]
    lead.state = Assignment.State.OPEN
    return lead


def _lease_end(campaign: Campaign) -> dt.datetime:
    return timezone.now() + dt.timedelta(seconds=campaign.lease_seconds)


def _has_many(campaign: Campaign) -> bool:
    """Whether screens may have several items."""
    return campaign.rules.layout == "order" or bool(campaign.config.get("table"))
