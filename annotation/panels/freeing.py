"""Places of people who returned, timed out or were rejected go to somebody else."""

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils import timezone

from annotation.campaigns.service import CampaignError, record
from annotation.models import Annotator, Campaign, Panel, PanelEntry, Submission
from annotation.panels.statuses import FREEING, KNOWN, Event, Stated, plain_status
from annotation.people.invitations import Invitee, revoke
from annotation.people.replacing import replace_person
from annotation.people.withdrawing import withdraw
from corpus.storage.write_turn import in_write_turn

EVENTS_KEPT = 50


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
            take_status(entry.pk, stated.status, timezone.now(), actor)
    return done


def take_event(panel: Panel, event: Event) -> str:
    """Keep what an event says and free a place; return in a few words what became of it."""
    entry = panel.entries.filter(identifier=event.participant).first()
    if entry is None:
        return "nobody of this campaign"
    if entry.session and entry.session != event.submission:
        return "of another submission"
    status = plain_status(event.status)
    if status not in KNOWN:
        return "a status that is not known"
    when = dt.datetime.fromtimestamp(event.sent_at, dt.UTC)
    return take_status(entry.pk, status, when, None, event.identifier)


@in_write_turn
def take_status(
    entry: int, status: str, when: dt.datetime, actor: User | None, event: str = ""
) -> str:
    """Keep the status of one person and free their place if it says so.

    Parameters
    ----------
    entry
        Of whom, by primary key.
    status
    when
        An older status than the one that is kept changes nothing.
    actor
        None for an event.
    event
        The identifier of an event, which is taken once.

    Returns
    -------
    str
        What became of it, in a few words.
    """
    panel = Panel.objects.select_related("campaign", "set").get(entries=entry)
    held = [campaign.pk for campaign in panel.campaigns]
    list(Campaign.objects.select_for_update(no_key=True).filter(pk__in=held).order_by("pk"))
    found = PanelEntry.objects.select_for_update(no_key=True).get(pk=entry)
    if event and event in found.events:
        return "known already"
    if event:
        found.events = [*found.events, event][-EVENTS_KEPT:]
    older = found.status_at is not None and when < found.status_at
    frees = _frees(found, status)
    if not older:
        found.status, found.status_at = status, when
    if frees:
        found.freed_at = timezone.now()
    found.save(update_fields=["events", "status", "status_at", "freed_at"])
    if not frees:
        return "older than what is known" if older else "noted"
    _free(panel, found.person, status, actor)
    return "slot freed"


def _free(panel: Panel, person: Invitee, status: str, actor: User | None) -> None:
    """Shut somebody out and let somebody else come in their place."""
    anew = panel.work_of_freed == Panel.Work.WITHDRAWN
    revoke(person)
    if anew:
        tasks = [person] if isinstance(person, Annotator) else person.annotators.all()
        for annotator in tasks:
            if Submission.objects.filter(annotator=annotator).exists():
                _withdraw(annotator, f"{status.lower()} at the panel", actor)
    screens = replace_person(person, actor, anew=anew)
    after = {"status": status, "screens": screens, "work": panel.work_of_freed}
    record(panel.place, actor, "free place", person.pseudonym, after=after)


def _withdraw(annotator: Annotator, reason: str, actor: User | None) -> None:
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
