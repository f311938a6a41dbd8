"""Which screen an annotator gets next: from a list made beforehand, or from the shared queue."""

from django.db import connection

from annotation.models import Annotator, Assignment, Campaign
from annotation.queue.shared_queue import lease_end, take_next
from annotation.queue.statements import hold_queue
from annotation.selection.screen_places import screen_of
from annotation.statements import next_lead
from corpus.storage.write_turn import in_write_turn


@in_write_turn
def arrive(annotator: Annotator, *, has_submitted: bool = False) -> list[Assignment]:
    """Return the screen of somebody who comes: the one they have, or else the next."""
    if waits_for_queue(annotator.campaign):
        hold_queue(annotator.campaign_id)
    return next_assignments(annotator, has_submitted=has_submitted)


def waits_for_queue(campaign: Campaign) -> bool:
    """Return whether a place is taken from a shared queue that only one at a time may hold.

    SQLite lets one writer in at a time anyway.
    """
    is_queue = campaign.design == Campaign.Design.QUEUE
    return is_queue and connection.features.has_select_for_no_key_update


def next_assignments(annotator: Annotator, *, has_submitted: bool = False) -> list[Assignment]:
    """Return the next screen, the lead first; nothing where all is done or the campaign rests.

    Who did not qualify gets nothing.

    The caller holds a write transaction and the shared queue, of which a place may be taken.

    Parameters
    ----------
    annotator
        With its campaign loaded.
    has_submitted
        Whether they have just answered a screen: then they hardly have another one of a queue.
    """
    campaign = annotator.campaign
    if campaign.state != Campaign.State.OPEN or annotator.qualified is False:
        return []
    is_queue = campaign.design == Campaign.Design.QUEUE
    lead = None if is_queue and has_submitted else next_lead(annotator)
    if lead is None and is_queue:
        lead = take_next(annotator)
    return screen_of(lead, campaign) if lead else []


def renew(assignment: Assignment, campaign: Campaign) -> None:
    """Let a leased place last from now on; a place in a list made beforehand needs no lease."""
    Assignment.objects.filter(pk=assignment.pk, lease_until__isnull=False).update(
        lease_until=lease_end(campaign)
    )
