"""Personal links of annotators and places taken by a code: opened, ended, never stored as are."""

import datetime as dt
import secrets
from collections.abc import Collection, Iterable
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.models import Annotator, Campaign, CampaignSet, Invitee, Participant
from corpus.access.invitations import token_sha256
from corpus.access.rate_limits import Steady, in_words, take

DAYS_VALID = 90
_ENDS = ("revoked_at", "refused_at")


def new_links(people: Iterable[Invitee], days: int = DAYS_VALID) -> dict[int, str]:
    """Give people fresh tokens, by primary key; links that they had stop working."""
    tokens: dict[int, str] = {}
    end = timezone.now() + dt.timedelta(days=days)
    with transaction.atomic():
        for person in sorted(people, key=lambda each: each.pk):
            token = secrets.token_urlsafe(24)
            tokens[person.pk] = token
            person.token_sha256 = token_sha256(token)
            person.link_expires_at = end
            person.revoked_at = person.refused_at = None
            person.save(update_fields=["token_sha256", "link_expires_at", *_ENDS])
            _shut(person)
    return tokens


def revoke(person: Invitee) -> None:
    """Shut somebody out, in every campaign of a set; what was answered stays."""
    with transaction.atomic():
        person.revoked_at = timezone.now()
        person.save(update_fields=["revoked_at"])
        _shut(person)


def _shut(person: Invitee) -> None:
    """Let the rating pages of a participant follow what holds for their link."""
    if isinstance(person, Participant):
        person.annotators.update(revoked_at=person.revoked_at)


def holder(token: str) -> Invitee | None:
    """Return whom a link that still works belongs to."""
    works: dict[str, Any] = {
        "token_sha256": token_sha256(token),
        "revoked_at__isnull": True,
        "link_expires_at__gt": timezone.now(),
    }
    draft = Campaign.State.DRAFT
    annotator = Annotator.objects.filter(**works).exclude(campaign__state=draft).first()
    if annotator is not None:
        return annotator
    # A set is not ready before the last of its campaigns was started.
    return Participant.objects.filter(**works).exclude(set__campaigns__state=draft).first()


class TooManyPlaces(Exception):
    """One address took so many places that the next must wait."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the next place in {in_words(seconds)}")
        self.seconds = seconds


class TakenElsewhere(Exception):
    """The place of this participant belongs to another browser."""


def holder_by_code(
    code: str, platform: dict[str, str], marks: Collection[str] = (), network: str = ""
) -> Invitee | None:
    """Return the place of a crowd worker, or give them one that nobody has yet.

    Parameters
    ----------
    code
        The invite code of a campaign or a set.
    platform
        Participant, study and session as the platform sent them. Anybody may write the identifier
        of somebody else there: it leads to a place only in the browser that took it.
    marks
        The links and places that the browser was opened with.
    network
        Where the request comes from: one network takes a bounded number of places in a time.

    Raises
    ------
    TakenElsewhere
    TooManyPlaces
    """
    if not code:
        return None
    with transaction.atomic():
        people = _places_of(code)
        if people is None:
            return None
        participant = platform.get("participant", "")
        known: Invitee | None = (
            people.filter(platform__participant=participant).first() if participant else None
        )
        if known is None:
            return _new_place(people, platform, f"{network} {code}")
        if known.revoked_at:
            return None
        if not known.token_sha256:
            _bind(known)
            return known
        if known.mark in marks:
            return known
        known.refused_at = timezone.now()
        known.save(update_fields=["refused_at"])
    raise TakenElsewhere


def _new_place(people: QuerySet[Any], platform: dict[str, str], who: str) -> Invitee | None:
    """Give somebody the first place that nobody has."""
    unused = people.filter(token_sha256="", last_seen_at__isnull=True, revoked_at__isnull=True)
    free: Invitee | None = unused.order_by("number").first()
    if free is None:
        return None
    limit = Steady(settings.JOIN_AT_ONCE, 600 / settings.JOIN_PER_TEN_MINUTES)
    if seconds := take((limit, f"join {who}")):
        raise TooManyPlaces(seconds)
    free.platform = platform
    free.last_seen_at = timezone.now()
    free.save(update_fields=["platform", "last_seen_at"])
    _bind(free)
    if isinstance(free, Participant):
        free.annotators.update(platform=platform)
    return free


def _bind(person: Invitee) -> None:
    """Give a place that was taken by a code a token that nobody gets to see.

    The browser that took it is known by its mark, until the owner makes a personal link.
    """
    person.token_sha256 = token_sha256(secrets.token_urlsafe(24))
    person.save(update_fields=["token_sha256"])


def _places_of(code: str) -> QuerySet[Any] | None:
    """Return who may join by a code, held until the transaction ends; None if nobody may now."""
    campaigns = Campaign.objects.select_for_update(no_key=True).filter(state=Campaign.State.OPEN)
    campaign = campaigns.filter(invite_code=code).first()
    if campaign is not None:
        # A model has a place and no need to join.
        return campaign.annotators.filter(kind=Annotator.Kind.PERSON)
    together = CampaignSet.objects.select_for_update(no_key=True).filter(invite_code=code).first()
    if together is None:
        return None
    states = set(together.campaigns.values_list("state", flat=True))
    if Campaign.State.DRAFT in states or Campaign.State.OPEN not in states:
        return None
    return together.participants.all()
