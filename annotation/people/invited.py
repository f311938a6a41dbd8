"""Annotators of a campaign, or people of a set, as owners see them, with links shown once."""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import segno
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Prefetch, Q, QuerySet
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from annotation.campaigns.service import record
from annotation.models import (
    Annotator,
    Assignment,
    Campaign,
    CampaignSet,
    Contact,
    Item,
    Participant,
    Withdrawal,
)
from annotation.people.invitations import Invitee, new_links, revoke
from corpus.access.invitations import token_sha256


@dataclass(frozen=True)
class Invited:
    """One annotator with what an owner may want to do next."""

    annotator: Annotator
    link: str
    open_screens: int
    withdrawal: Withdrawal | None
    contact: Contact | None

    @property
    def platform(self) -> str:
        """The participant of a crowd platform."""
        return str(self.annotator.platform.get("participant", ""))


@dataclass(frozen=True)
class Link:
    """A personal link while it can be seen."""

    pseudonym: str
    token: str
    address: str

    @property
    def qr_code(self) -> SafeString:
        """A picture of the address, made here."""
        drawn = segno.make(self.address, micro=False, error="m").svg_inline(
            border=4, light="white", omitsize=True, title=f"Link of {self.pseudonym}"
        )
        return mark_safe(drawn)  # noqa: S308  (segno escapes the title)


def invited(campaign: Campaign, only: int | None = None) -> list[Invited]:
    """Return all annotators of a campaign, or one, by as many queries for many as for few."""
    is_open = Q(assignments__state=Assignment.State.OPEN, assignments__lead=True)
    waiting = Count("assignments", filter=is_open, distinct=True)
    people = (
        campaign.annotators.annotate(waiting=waiting, **work())
        .select_related("contact")
        .prefetch_related(
            Prefetch("withdrawals", Withdrawal.objects.filter(until__isnull=True), to_attr="held")
        )
        .order_by("number", "pk")
    )
    if only is not None:
        people = people.filter(pk=only)
    return [
        Invited(
            annotator,
            state_of_link(annotator),
            annotator.waiting,
            next(iter(annotator.held), None),
            getattr(annotator, "contact", None),
        )
        for annotator in people
    ]


def work() -> dict[str, Count]:
    """Return what owners see of annotators: plain item pages that are `given`, and `saved`.

    Practice and control items are no work: their answers never count as ratings.
    """
    pages = Q(assignments__lead=True, assignments__item__kind=Item.Kind.PLAIN)
    submitted = Q(assignments__state=Assignment.State.SUBMITTED)
    is_given = ~Q(assignments__state=Assignment.State.EXPIRED)
    return {
        "given": Count("assignments", filter=pages & is_given, distinct=True),
        "saved": Count("assignments", filter=pages & submitted, distinct=True),
    }


def links_for(
    people: Sequence[Invitee],
    address: Callable[[str], str],
    note: Callable[[str, dict[str, Any]], None],
) -> list[Link]:
    """Make new links; those that these people had stop working.

    Parameters
    ----------
    people
    address
        Turns a token into an address.
    note
        Leaves an entry behind: about whom, and what was made.
    """
    with transaction.atomic():
        tokens = new_links(people)
        about = people[0].pseudonym if len(people) == 1 else ""
        note(about, {"links": len(tokens)})
    return [Link(each.pseudonym, tokens[each.pk], address(tokens[each.pk])) for each in people]


def links_given(
    everybody: QuerySet[Any], tokens: Iterable[str], address: Callable[[str], str]
) -> list[Link]:
    """Return links that somebody still has on their page, as far as they work."""
    wanted = {token_sha256(token): token for token in tokens}
    people = everybody.filter(token_sha256__in=wanted, revoked_at__isnull=True)
    return [
        Link(each.pseudonym, token, address(token))
        for each in people.order_by("number", "pk")
        if (token := wanted[each.token_sha256])
    ]


def links_table(links: Iterable[Link]) -> Iterable[tuple[str, str]]:
    """Return links as rows for a file."""
    yield "annotator", "link"
    for link in links:
        yield link.pseudonym, link.address


def without_link(everybody: QuerySet[Any]) -> list[Any]:
    """Return who has no link yet and did not come by the address for all."""
    people = everybody.filter(token_sha256="", last_seen_at__isnull=True, revoked_at__isnull=True)
    return list(people.order_by("number", "pk"))


def shut_out(person: Invitee, actor: User) -> None:
    """End somebody's link and every page they have open; what was answered stays."""
    with transaction.atomic():
        revoke(person)
        _record(person, actor, "revoke link")


def note_contact(person: Invitee, values: Mapping[str, str], actor: User) -> None:
    """Keep who somebody is outside, or forget it where nothing is given."""
    with transaction.atomic():
        if values["name"] or values["email"]:
            Contact.objects.update_or_create(**whose(person), defaults=dict(values))
            _record(person, actor, "note contact")
        else:
            forget_contact(person, actor)


def forget_contact(person: Invitee, actor: User) -> None:
    """Delete who somebody is outside; no rating changes."""
    with transaction.atomic():
        Contact.objects.filter(**whose(person)).delete()
        _record(person, actor, "forget contact")


def state_of_link(person: Invitee) -> str:
    """Say in a word whether somebody's link works."""
    if person.revoked_at:
        return "revoked"
    if person.link_expires_at is None:
        return "joined by code" if person.last_seen_at else "none"
    return "expired" if person.link_expires_at < timezone.now() else "valid"


def whose(person: Invitee) -> dict[str, Any]:
    """Return the condition on contacts that are somebody's."""
    return {"participant" if isinstance(person, Participant) else "annotator": person}


def _record(person: Invitee, actor: User, action: str) -> None:
    where = person.set if isinstance(person, Participant) else person.campaign
    record(where, actor, action, person.pseudonym)


@dataclass(frozen=True)
class Person:
    """Somebody who rates in all campaigns of a set.

    `tasks` are their annotators, in the order of the campaigns.
    """

    participant: Participant
    link: str
    contact: Contact | None
    tasks: list[Annotator]

    @property
    def submitted(self) -> int:
        """How many plain item pages they answered, in all tasks."""
        return sum(task.saved for task in self.tasks)  # type: ignore[attr-defined]

    @property
    def assigned(self) -> int | None:
        """How many plain item pages they have; of a shared queue nobody knows."""
        if any(task.campaign.design == Campaign.Design.QUEUE for task in self.tasks):
            return None
        return sum(task.given for task in self.tasks)  # type: ignore[attr-defined]

    @property
    def percent(self) -> int | None:
        """How much of it they have done."""
        return None if self.assigned is None else 100 * self.submitted // max(self.assigned, 1)

    @property
    def last_seen_at(self) -> dt.datetime | None:
        """When they answered last in any task."""
        return max((each.last_seen_at for each in self.tasks if each.last_seen_at), default=None)

    @property
    def platform(self) -> str:
        """The participant of a crowd platform."""
        return str(self.participant.platform.get("participant", ""))


def people_of(together: CampaignSet, only: int | None = None) -> list[Person]:
    """Return everybody of a set, or one, by as many queries for many as for few."""
    participants = together.participants.select_related("contact").order_by("number")
    annotators = Annotator.objects.filter(participant__set=together).annotate(**work())
    annotators = annotators.select_related("campaign")
    if only is not None:
        participants = participants.filter(pk=only)
        annotators = annotators.filter(participant=only)
    tasks: dict[int | None, list[Annotator]] = {}
    for annotator in annotators.order_by("campaign__position"):
        tasks.setdefault(annotator.participant_id, []).append(annotator)
    return [
        Person(
            participant,
            state_of_link(participant),
            getattr(participant, "contact", None),
            tasks.get(participant.pk, []),
        )
        for participant in participants
    ]
