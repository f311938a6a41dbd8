"""Which screen an annotator gets next: from a list made beforehand, or from the shared queue."""

from annotation.models import Annotator, Assignment, Campaign
from annotation.queue.shared_queue import lease_end, take_next
from annotation.queue.statements import hold_queue
from annotation.selection.screen_places import screen_of
from annotation.statements import next_lead
from corpus.write_turn import in_write_turn


@in_write_turn
def arrive(annotator: Annotator) -> list[Assignment]:
    """Return the screen of somebody who comes: the one they have, or else the next."""
    hold_if_queue(annotator.campaign)
    return next_assignments(annotator)


def hold_if_queue(campaign: Campaign) -> None:
    """Hold the shared queue, if a campaign has one, until the transaction ends."""
    if campaign.design == Campaign.Design.QUEUE:
        hold_queue(campaign.pk)


def next_assignments(annotator: Annotator) -> list[Assignment]:
    """Return the next screen, the lead first; nothing where all is done or the campaign rests.

    Who did not qualify gets nothing.

    The caller holds a write transaction and the shared queue, of which a place may be taken.

    Parameters
    ----------
    annotator
        With its campaign loaded.
    """
    campaign = annotator.campaign
    if campaign.state != Campaign.State.OPEN or annotator.qualified is False:
        return []
    lead = next_lead(annotator)
    if lead is None and campaign.design == Campaign.Design.QUEUE and take_next(annotator):
        lead = next_lead(annotator)
    return screen_of(lead, campaign) if lead else []


def renew(assignment: Assignment, campaign: Campaign) -> None:
    """Let a leased place last from now on; a place in a list made beforehand needs no lease."""
    Assignment.objects.filter(pk=assignment.pk, lease_until__isnull=False).update(
        lease_until=lease_end(campaign)
    )
