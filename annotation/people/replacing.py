"""Newcomers in the place of somebody who left: what was open, and what is to be judged again."""

from django.contrib.auth.models import User
from django.db.models import F

from annotation.launch.launching import create_annotators
from annotation.models import Annotator, Assignment, Campaign, Item, Participant, Submission
from annotation.people.adding import assign, release, with_originals
from annotation.queue.shared_queue import free_filled

_RUNNING = (Campaign.State.OPEN, Campaign.State.PAUSED)


def replace_person(
    person: Annotator | Participant, actor: User | None, *, anew: bool = False
) -> int:
    """Give what somebody leaves behind to one newcomer; return how many screens that are.

    Nobody comes for nothing, or while nothing runs. In the shared queue the newcomer takes what
    is there. The caller holds a write turn and the campaigns.

    Parameters
    ----------
    person
    actor
    anew
        Whether the newcomer judges again what they have judged, because it counts no more.
    """
    tasks = [person] if isinstance(person, Annotator) else person.annotators.order_by("campaign")
    left: dict[int, list[Assignment]] = {}
    for annotator in tasks:
        release(annotator, actor)
        if anew:
            _free_judged(annotator)
        left[annotator.campaign_id] = _left_by(annotator, anew)
    campaigns = list(Campaign.objects.filter(pk__in=left).order_by("pk"))
    running = {each.pk for each in campaigns if each.state in _RUNNING}
    queues = {each.pk for each in campaigns if each.design == Campaign.Design.QUEUE}
    if not any(left[pk] or pk in queues for pk in running):
        return 0
    for campaign in campaigns:
        [newcomer] = create_annotators(campaign, 1)
        if campaign.pk in running - queues and left[campaign.pk]:
            assign(campaign, newcomer, left[campaign.pk])
    return sum(len(left[pk]) for pk in running)


def _free_judged(annotator: Annotator) -> None:
    """Let others have the places that an annotator has filled; the answers stay as they are."""
    filled = annotator.assignments.filter(state=Assignment.State.SUBMITTED)
    filled = filled.filter(item__kind__in=_handed_on(annotator.campaign))
    surplus = Submission.objects.filter(annotator=annotator, surplus=True)
    kept = filled.exclude(item__in=surplus.values("item"))
    free_filled(annotator.campaign_id, kept.order_by("item").values_list("item", flat=True))


def _left_by(annotator: Annotator, anew: bool) -> list[Assignment]:
    """Return the free screens that an annotator had, in their order."""
    states = [Assignment.State.EXPIRED, *([Assignment.State.SUBMITTED] if anew else [])]
    leads = annotator.assignments.filter(
        state__in=states,
        lead=True,
        item__kind__in=_handed_on(annotator.campaign),
        item__taken__lt=F("item__wanted"),
    )
    return with_originals(list(leads.select_related("item").order_by("position")))


def _handed_on(campaign: Campaign) -> list[str]:
    """Return the kinds of items that others may get: of the queue's controls nobody else."""
    if campaign.design == Campaign.Design.QUEUE:
        return [Item.Kind.PLAIN]
    return [kind for kind in Item.Kind if kind != Item.Kind.PRACTICE]
