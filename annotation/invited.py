"""A campaign's annotators as their owner sees them, with links that are shown once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import segno
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Prefetch, Q
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from annotation.campaigns import record
from annotation.invitations import new_links, revoke, token_sha256
from annotation.models import Annotator, Assignment, Campaign, Contact, Withdrawal


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
    waiting = Count("assignments", filter=Q(assignments__state=Assignment.State.OPEN,
                                            assignments__lead=True))  # fmt: skip
    people = (
        campaign.annotators.annotate(waiting=waiting)
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
            _state_of_link(annotator),
            annotator.waiting,
            next(iter(annotator.held), None),
            getattr(annotator, "contact", None),
        )
        for annotator in people
    ]


def links_for(
    campaign: Campaign, people: Sequence[Annotator], actor: User, address: Callable[[str], str]
) -> list[Link]:
    """Make new links; those that these people had stop working.

    Parameters
    ----------
    campaign, people, actor
    address
        Turns a token into an address.
    """
    with transaction.atomic():
        tokens = new_links(people)
        about = people[0].pseudonym if len(people) == 1 else ""
        record(campaign, actor, "make links", about, after={"links": len(tokens)})
    return [Link(each.pseudonym, tokens[each.pk], address(tokens[each.pk])) for each in people]


def links_given(
    campaign: Campaign, tokens: Iterable[str], address: Callable[[str], str]
) -> list[Link]:
    """Return links that somebody still has on their page, as far as they work."""
    wanted = {token_sha256(token): token for token in tokens}
    people = campaign.annotators.filter(token_sha256__in=wanted, revoked_at__isnull=True)
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


def without_link(campaign: Campaign) -> list[Annotator]:
    """Return who has no link yet and did not come by the address for all."""
    people = campaign.annotators.filter(
        token_sha256="", last_seen_at__isnull=True, revoked_at__isnull=True
    )
    return list(people.order_by("number", "pk"))


def shut_out(annotator: Annotator, actor: User) -> None:
    """End an annotator's link and every page they have open; what was answered stays."""
    with transaction.atomic():
        revoke(annotator)
        record(annotator.campaign, actor, "revoke link", annotator.pseudonym)


def note_contact(annotator: Annotator, values: Mapping[str, str], actor: User) -> None:
    """Keep who an annotator is outside, or forget it where nothing is given."""
    with transaction.atomic():
        if values["name"] or values["email"]:
            Contact.objects.update_or_create(annotator=annotator, defaults=dict(values))
            record(annotator.campaign, actor, "note contact", annotator.pseudonym)
        else:
            forget_contact(annotator, actor)


def forget_contact(annotator: Annotator, actor: User) -> None:
    """Delete who an annotator is outside; no rating changes."""
    with transaction.atomic():
        Contact.objects.filter(annotator=annotator).delete()
        record(annotator.campaign, actor, "forget contact", annotator.pseudonym)


def _state_of_link(annotator: Annotator) -> str:
    if annotator.revoked_at:
        return "revoked"
    if not annotator.token_sha256:
        return "joined by code" if annotator.last_seen_at else "none"
    if annotator.link_expires_at and annotator.link_expires_at < timezone.now():
        return "expired"
    return "valid"
