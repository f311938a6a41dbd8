"""Places of people who returned, timed out or were rejected go to somebody else."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils import timezone

from annotation.campaigns.service import CampaignError, record
from annotation.models import Annotator, Campaign, Invitee, Panel, PanelEntry, Submission
from annotation.panels.statuses import FREEING, Stated
from annotation.people.invitations import revoke
from annotation.people.replacing import replace_person
from annotation.people.withdrawing import withdraw
from corpus.storage.write_turn import in_write_turn


@dataclass(frozen=True)
class Planned:
    """What a list would do, or did.

    Parameters
    ----------
    statuses
        How many people of this panel have which status by the list.
    freed
        How many places it frees.
    changed
        Of how many people the status is new.
    unknown
        How many people never came here.
    elsewhere
        How many are listed with another submission than the one they came with.
    """

    statuses: dict[str, int]
    freed: int
    changed: int
    unknown: int
    elsewhere: int


def planned(panel: Panel, people: Sequence[Stated]) -> Planned:
    """Say what a list would do; nothing is changed."""
    fitting, unknown, elsewhere = _fitting(panel, people)
    return Planned(
        statuses=dict(Counter(stated.status for _, stated in fitting)),
        freed=sum(_frees(entry, stated.status) for entry, stated in fitting),
        changed=sum(entry.status != stated.status for entry, stated in fitting),
        unknown=unknown,
        elsewhere=elsewhere,
    )


def take_list(panel: Panel, people: Sequence[Stated], actor: User) -> Planned:
    """Keep what a list says and free places; who is known already costs nothing more."""
    done = planned(panel, people)
    for entry, stated in _fitting(panel, people)[0]:
        if entry.status != stated.status or _frees(entry, stated.status):
            _take_status(entry.pk, stated.status, actor)
    return done


@in_write_turn
def _take_status(pk: int, status: str, actor: User) -> None:
    """Keep the status of one person and free their place if it says so."""
    panel = Panel.objects.select_related("campaign", "set").get(entries=pk)
    held = [campaign.pk for campaign in panel.campaigns]
    list(Campaign.objects.select_for_update(no_key=True).filter(pk__in=held).order_by("pk"))
    entry = PanelEntry.objects.select_for_update(no_key=True).get(pk=pk)
    frees = _frees(entry, status)
    entry.status = status
    if frees:
        entry.freed_at = timezone.now()
    entry.save(update_fields=["status", "freed_at"])
    if frees:
        _free(panel, entry.person, status, actor)


def _free(panel: Panel, person: Invitee, status: str, actor: User) -> None:
    """Shut somebody out and let somebody else come in their place."""
    anew = panel.work_of_freed == Panel.Work.WITHDRAWN
    revoke(person)
    if anew:
        for annotator in person.tasks:
            if Submission.objects.filter(annotator=annotator).exists():
                _withdraw(annotator, f"{status.lower()} at the panel", actor)
    screens = replace_person(person, actor, anew=anew)
    after = {"status": status, "screens": screens, "work": panel.work_of_freed}
    record(panel.place, actor, "free place", person.pseudonym, after=after)


def _withdraw(annotator: Annotator, reason: str, actor: User) -> None:
    try:
        withdraw(annotator, reason, actor)
    except CampaignError:
        return  # The owner has withdrawn it already.


def _fitting(
    panel: Panel, people: Sequence[Stated]
) -> tuple[list[tuple[PanelEntry, Stated]], int, int]:
    """Return who of a list came here, how many did not, and how many by another submission."""
    entries = {each.identifier: each for each in panel.entries.exclude(identifier="")}
    known = [
        (entries[stated.identifier], stated) for stated in people if stated.identifier in entries
    ]
    fitting = [
        (entry, stated)
        for entry, stated in known
        if not (entry.session and stated.session) or entry.session == stated.session
    ]
    return fitting, len(people) - len(known), len(known) - len(fitting)


def _frees(entry: PanelEntry, status: str) -> bool:
    has_place = entry.annotator_id is not None or entry.participant_id is not None
    return status in FREEING and entry.freed_at is None and has_place
