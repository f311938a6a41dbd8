"""Newcomers in the place of somebody who left: what was open, and what is to be judged again."""

from collections.abc import Mapping, Sequence

from django.contrib.auth.models import User
from django.db.models import F

from annotation.launch.launching import create_annotators
from annotation.models import Annotator, Assignment, Campaign, Invitee, Item, Submission
from annotation.people.adding import assign, release, with_originals
from annotation.queue.shared_queue import free_filled

_RUNNING = (Campaign.State.OPEN, Campaign.State.PAUSED)


def replace_person(person: Invitee, actor: User, *, anew: bool = False) -> int:
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
    left: dict[int, list[Assignment]] = {}
    states = [Assignment.State.EXPIRED, *([Assignment.State.SUBMITTED] if anew else [])]
    for annotator in person.tasks:
        release(annotator, actor)
        if anew:
            _free_judged(annotator)
        left[annotator.campaign_id] = _left_by(annotator, states)
    campaigns = list(Campaign.objects.filter(pk__in=left).order_by("pk"))
    running = {each.pk for each in campaigns if each.state in _RUNNING}
    if not any(left[each.pk] or _is_queue(each) for each in campaigns if each.pk in running):
        return 0
    taken = {pk: leads for pk, leads in left.items() if pk in running}
    _hand_on(campaigns, taken)
    return sum(map(len, taken.values()))


def succeed(annotators: Sequence[Annotator]) -> None:
    """Let one newcomer have the whole lists of somebody who is about to be deleted.

    Without one nobody could take their places any more: what is free is known by the lists of those
    who left. The shared queue has no lists; who joins it by a code needs a slot all the same. The
    places that they had are free already, and the caller holds a write turn and the campaigns.
    """
    states = list(Assignment.State)
    left = {each.campaign_id: _left_by(each, states) for each in annotators}
    campaigns = list(Campaign.objects.select_related("set").filter(pk__in=left).order_by("pk"))
    needed = [each for each in campaigns if not _is_queue(each) or _joined_by_code(each)]
    if any(left[each.pk] for each in needed):
        _hand_on(campaigns, left)


def _hand_on(campaigns: Sequence[Campaign], left: Mapping[int, list[Assignment]]) -> None:
    """Add one annotator to campaigns of the same people, with the free screens of each."""
    for campaign in campaigns:
        [newcomer] = create_annotators(campaign, 1)
        if left.get(campaign.pk) and not _is_queue(campaign):
            assign(campaign, newcomer, left[campaign.pk])


def _is_queue(campaign: Campaign) -> bool:
    return campaign.design == Campaign.Design.QUEUE


def _joined_by_code(campaign: Campaign) -> bool:
    return bool(campaign.set.invite_code if campaign.set else campaign.invite_code)


def _free_judged(annotator: Annotator) -> None:
    """Let others have the places that an annotator has filled; the answers stay as they are."""
    filled = annotator.assignments.filter(state=Assignment.State.SUBMITTED)
    filled = filled.filter(item__kind__in=_handed_on(annotator.campaign))
    surplus = Submission.objects.filter(annotator=annotator, surplus=True)
    kept = filled.exclude(item__in=surplus.values("item"))
    free_filled(annotator.campaign_id, kept.order_by("item").values_list("item", flat=True))


def _left_by(annotator: Annotator, states: Sequence[str]) -> list[Assignment]:
    """Return the free screens that an annotator had, in their order."""
    leads = annotator.assignments.filter(
        state__in=states,
        lead=True,
        item__kind__in=_handed_on(annotator.campaign),
        item__taken__lt=F("item__wanted"),
    )
    return with_originals(list(leads.select_related("item").order_by("position")))


def _handed_on(campaign: Campaign) -> list[str]:
    """Return the kinds of items that others may get: of the queue's controls nobody else."""
    if _is_queue(campaign):
        return [Item.Kind.PLAIN]
    return [kind for kind in Item.Kind if kind != Item.Kind.PRACTICE]
