"""The shared queue: places at items are taken for a while, and given back where nobody answers."""

import datetime as dt
from collections.abc import Iterable

from django.db.models import F
from django.utils import timezone

from annotation.controls.in_queue import due_control
from annotation.designs.order import SIDES, sides
from annotation.models import Annotator, Assignment, Campaign, Item
from annotation.queue.statements import (
    Found,
    begin_search,
    ended_leases,
    leasing,
    new_place,
    next_item,
    noting,
    taking,
)
from annotation.selection.screen_places import items_of_screen, screen_of
from annotation.statements import Statement, as_stored, next_lead, run_together

BEFORE_ALL = -1


def take_next(annotator: Annotator) -> Assignment | None:
    """Give an annotator a control item that is due, or a place at the least-rated item.

    In a queue of rounds the most-rated item comes first, so that early segments are soon complete.

    Returns
    -------
    Assignment or None
        The lead of the screen, or of one that they have already; None where nothing is left. What
        they had before and gave back counts as left.
    """
    campaign = annotator.campaign
    # From here on nobody else changes the queue of this campaign until the transaction ends.
    place, is_open, has_ended = begin_search(campaign.pk, annotator.pk, timezone.now())
    if is_open:
        return next_lead(annotator)
    if has_ended:
        return_expired(campaign)
        place = new_place(campaign.pk)
    passed = _passed(annotator)
    items = due_control(annotator, annotator.assigned)
    taken: list[Statement] = []
    # Nobody else waits for a control, so that it needs no lease.
    until = None
    if not items:
        in_rounds = bool(campaign.stopping)
        found = next_item(campaign.pk, annotator.pk, passed, most_rated=in_rounds)
        if found is None and in_rounds and _open_next(campaign):
            found = next_item(campaign.pk, annotator.pk, passed, most_rated=in_rounds)
        # Where the search has gone by, everything in the queue was theirs already.
        for level in _gone_by(found, len(passed), most_rated=in_rounds):
            passed[level] = place
        if found is None:
            run_together(noting(annotator.pk, 0, passed))
            return None
        passed[found.taken] = found.place
        items, until = items_of_screen(found.item, campaign), lease_end(campaign)
        taken = [taking(item.pk, place) for item in items]
    screen = _leases(annotator, items, until)
    written = run_together(*taken, *map(leasing, screen), noting(annotator.pk, 1, passed))
    if not all(written[: len(taken)]):
        raise RuntimeError("the items of one screen have different numbers of places left")
    annotator.assigned += 1
    annotator.passed = passed
    # One that comes back may have a draft.
    key = written[len(taken)]
    return as_stored(screen[0], key) if screen[0].lead and key > 0 else next_lead(annotator)


def take_place(item_ids: list[int], place: int) -> bool:
    """Take a rating's place at each item of a screen, if all have one left.

    The caller holds the campaign, so that no place goes in between.
    """
    free = Item.objects.filter(pk__in=item_ids, taken__lt=F("wanted"))
    if free.count() < len(item_ids):
        return False
    return free.update(taken=F("taken") + 1, position=place) == len(item_ids)


def return_expired(campaign: Campaign) -> int:
    """Give back places whose lease has ended; return how many."""
    ended = ended_leases(campaign.pk, timezone.now())
    leads = Assignment.objects.filter(pk__in=ended).select_related("item") if ended else ()
    return sum(give_back(lead, campaign) for lead in sorted(leads, key=lambda each: each.pk))


def return_all(campaign: Campaign) -> int:
    """Give back every leased place, whether its lease has ended or not; return how many."""
    leased = Assignment.objects.filter(
        item__campaign=campaign, lead=True, lease_until__isnull=False
    )
    return sum(give_back(each, campaign) for each in leased.select_related("item").order_by("pk"))


def give_back(lead: Assignment, campaign: Campaign) -> int:
    """Return the places of an open screen; answers that come later are still kept.

    The caller holds the campaign.
    """
    screen = [each.pk for each in screen_of(lead, campaign)]
    changed = Assignment.objects.filter(pk__in=screen, state=Assignment.State.OPEN).update(
        state=Assignment.State.EXPIRED, lease_until=None
    )
    if changed:
        Item.objects.filter(assignments__in=screen, taken__gt=0).update(
            taken=F("taken") - 1, position=new_place(campaign.pk)
        )
    return changed


def free_filled(campaign: int, items: Iterable[int]) -> None:
    """Take back a rating's place at each item, whose answers count no more or are gone.

    Each item gets a place of its own: a search that stops at one of several with the same place
    would never see the others. The caller holds the campaign.
    """
    for item in items:
        free = Item.objects.filter(pk=item, taken__gt=0)
        free.update(taken=F("taken") - 1, position=new_place(campaign))


def lease_end(campaign: Campaign) -> dt.datetime:
    """Return until when a place that is taken or renewed now is kept."""
    return timezone.now() + dt.timedelta(seconds=campaign.lease_seconds)


def _open_next(campaign: Campaign) -> bool:
    # Few campaigns have rounds: the pages of all others do not load them.
    from annotation.queue.rounds import open_next

    return open_next(campaign)


def _gone_by(found: Found | None, levels: int, *, most_rated: bool) -> range:
    """Return the numbers of ratings of which a search found nothing."""
    if found is None:
        return range(levels)
    return range(found.taken + 1, levels) if most_rated else range(found.taken)


def _passed(annotator: Annotator) -> list[int]:
    """Return for each number of ratings up to where the annotator has searched."""
    levels = annotator.campaign.ratings_per_item
    known = list(annotator.passed)[:levels]
    return known + [BEFORE_ALL] * (levels - len(known))


def _swapped(annotator: Annotator, item: Item) -> bool:
    """Say whether the first text stands on side B: items and controls are balanced each apart."""
    campaign, place = annotator.campaign, annotator.assigned
    seed = [campaign.seed, SIDES, annotator.number]
    if campaign.queue_controls:
        given = Item.objects.filter(
            assignments__annotator=annotator.pk, original__isnull=False
        ).count()
        is_control = item.original_id is not None
        place, seed = (given, [*seed, 1]) if is_control else (place - given, seed)
    return bool(sides(place + 1, seed)[place])


def _leases(annotator: Annotator, items: list[Item], until: dt.datetime | None) -> list[Assignment]:
    """Put a screen behind everything that the annotator got."""
    position = annotator.assigned
    swapped = any(item.second_id for item in items) and _swapped(annotator, items[0])
    return [
        Assignment(
            item=item,
            annotator_id=annotator.pk,
            swapped=swapped and item.second_id is not None,
            position=position,
            lead=item.lead,
            lease_until=until,
        )
        for item in items
    ]
