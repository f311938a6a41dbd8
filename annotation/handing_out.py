"""Which screen an annotator gets next: from a list made beforehand, or from the shared queue."""

import datetime as dt

from django.db.models import F
from django.utils import timezone

from annotation.designs import sides
from annotation.models import Annotator, Assignment, Campaign, Item
from annotation.statements import ended_leases, least_rated, next_lead, store_lease, take_one

SIDES = 5
_TRIES = 20


def next_assignments(annotator: Annotator) -> list[Assignment]:
    """Return the next screen, the lead first; nothing where all is done or the campaign rests.

    Who did not qualify gets nothing.

    The caller holds a write transaction, because a place of the shared queue may be taken.

    Parameters
    ----------
    annotator
        With its campaign loaded.
    """
    campaign = annotator.campaign
    if campaign.state != Campaign.State.OPEN or annotator.qualified is False:
        return []
    lead = next_lead(annotator)
    if lead is None and campaign.design == Campaign.Design.QUEUE:
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
    ended = ended_leases(campaign.pk, timezone.now())
    leads = Assignment.objects.filter(pk__in=ended).select_related("item") if ended else ()
    return sum(give_back(lead, campaign) for lead in leads)


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
    if len(item_ids) == 1:
        return take_one(item_ids[0])
    free = Item.objects.filter(pk__in=item_ids, taken__lt=F("wanted"))
    if free.select_for_update().count() < len(item_ids):
        return False
    return free.update(taken=F("taken") + 1) == len(item_ids)


def _take(annotator: Annotator) -> Assignment | None:
    campaign = annotator.campaign
    return_expired(campaign)
    for _ in range(_TRIES):
        lead = least_rated(campaign.pk, annotator.pk)
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


def _lease(annotator: Annotator, items: list[Item]) -> Assignment | None:
    """Give an annotator a screen whose places were taken; one they had before comes back."""
    campaign = annotator.campaign
    position = annotator.assigned
    swapped = bool(sides(position + 1, [campaign.seed, SIDES, annotator.number])[position])
    for item in items:
        store_lease(
            Assignment(
                item_id=item.pk,
                annotator_id=annotator.pk,
                swapped=swapped and item.second_id is not None,
                position=position,
                lead=item.lead,
                lease_until=_lease_end(campaign),
            )
        )
    annotator.assigned = position + 1
    return next_lead(annotator)


def _lease_end(campaign: Campaign) -> dt.datetime:
    return timezone.now() + dt.timedelta(seconds=campaign.lease_seconds)


def _has_many(campaign: Campaign) -> bool:
    """Whether screens may have several items."""
    return campaign.rules.layout == "order" or bool(campaign.config.get("table"))
