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
    Invitee,
    Item,
    Place,
    Withdrawal,
)
from annotation.people.invitations import new_links, revoke
from corpus.access.invitations import token_sha256


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
            owner: dict[str, Any] = {person.relation: person}
            Contact.objects.update_or_create(**owner, defaults=values)
            _record(person, actor, "note contact")
        else:
            forget_contact(person, actor)


def forget_contact(person: Invitee, actor: User) -> None:
    """Delete who somebody is outside; no rating changes."""
    with transaction.atomic():
        Contact.objects.filter(**{person.relation: person}).delete()
        _record(person, actor, "forget contact")


def state_of_link(person: Invitee) -> str:
    """Say in a word whether somebody's link works."""
    if person.revoked_at:
        return "revoked"
    if person.link_expires_at is None:
        return "joined by code" if person.last_seen_at else "none"
    return "expired" if person.link_expires_at < timezone.now() else "valid"


def _record(person: Invitee, actor: User, action: str) -> None:
    record(person.place, actor, action, person.pseudonym)


@dataclass(frozen=True)
class Person:
    """An annotator of a campaign, or somebody who rates in all campaigns of a set.

    Parameters
    ----------
    invitee
        Who has the link.
    link
        Whether it works, in a word.
    contact
        Who they are outside, where an owner has noted it.
    tasks
        The annotator that they are in each campaign, with the counts of `work`, `waiting` item
        pages and `held` withdrawals.
    """

    invitee: Invitee
    link: str
    contact: Contact | None
    tasks: list[Any]

    @property
    def saved(self) -> int:
        """How many plain item pages they answered, in all tasks."""
        return sum(task.saved for task in self.tasks)

    @property
    def given(self) -> int | None:
        """How many plain item pages they have; of a shared queue nobody knows."""
        if any(task.campaign.design == Campaign.Design.QUEUE for task in self.tasks):
            return None
        return sum(int(task.given) for task in self.tasks)

    @property
    def percent(self) -> int | None:
        """How much of it they have done."""
        return None if self.given is None else 100 * self.saved // max(self.given, 1)

    @property
    def waiting(self) -> int:
        """How many item pages of any kind are open."""
        return sum(task.waiting for task in self.tasks)

    @property
    def withdrawal(self) -> Withdrawal | None:
        """The withdrawal of their work in the first task that holds now."""
        return next(iter(self.tasks[0].held), None)

    @property
    def last_seen_at(self) -> dt.datetime | None:
        """When they answered last in any task."""
        return max((each.last_seen_at for each in self.tasks if each.last_seen_at), default=None)

    @property
    def platform(self) -> str:
        """The participant of a crowd platform."""
        return str(self.invitee.platform.get("participant", ""))


def people_of(place: Place, only: int | None = None) -> list[Person]:
    """Return everybody of a campaign or set, or one, by as many queries for many as for few."""
    invitees: QuerySet[Any] = place.people.select_related("contact").order_by("number", "pk")
    by_person = "participant" if isinstance(place, CampaignSet) else "pk"
    annotators = Annotator.objects.filter(campaign__in=place.tasks)
    if only is not None:
        invitees = invitees.filter(pk=only)
        annotators = annotators.filter(**{by_person: only})
    is_open = Q(assignments__state=Assignment.State.OPEN, assignments__lead=True)
    held = Withdrawal.objects.filter(until__isnull=True)
    annotators = (
        annotators.annotate(waiting=Count("assignments", filter=is_open, distinct=True), **work())
        .select_related("campaign")
        .prefetch_related(Prefetch("withdrawals", held, to_attr="held"))
        .order_by("campaign__position")
    )
    tasks: dict[int | None, list[Annotator]] = {}
    for annotator in annotators:
        who = annotator.pk if by_person == "pk" else annotator.participant_id
        tasks.setdefault(who, []).append(annotator)
    return [
        Person(
            invitee,
            state_of_link(invitee),
            getattr(invitee, "contact", None),
            tasks.get(invitee.pk, []),
        )
        for invitee in invitees
    ]
