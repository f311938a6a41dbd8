"""Personal links of annotators: made, opened, revoked; never stored as they are."""

import datetime as dt
import hashlib
import secrets
from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from annotation.models import Annotator, Campaign

DAYS_VALID = 90


def token_sha256(token: str) -> str:
    """Return what is stored of a token: who reads the database cannot sign in with it."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_links(annotators: Iterable[Annotator], days: int = DAYS_VALID) -> dict[int, str]:
    """Give annotators fresh tokens, by primary key; links that they had stop working."""
    tokens: dict[int, str] = {}
    end = timezone.now() + dt.timedelta(days=days)
    with transaction.atomic():
        for annotator in annotators:
            token = secrets.token_urlsafe(24)
            tokens[annotator.pk] = token
            annotator.token_sha256 = token_sha256(token)
            annotator.link_expires_at = end
            annotator.revoked_at = None
            annotator.save(update_fields=["token_sha256", "link_expires_at", "revoked_at"])
    return tokens


def revoke(annotator: Annotator) -> None:
    """Shut an annotator out; what was answered stays."""
    annotator.revoked_at = timezone.now()
    annotator.save(update_fields=["revoked_at"])


def holder(token: str) -> Annotator | None:
    """Return whom a link that still works belongs to."""
    return (
        Annotator.objects.filter(
            token_sha256=token_sha256(token),
            revoked_at__isnull=True,
            link_expires_at__gt=timezone.now(),
        )
        .exclude(campaign__state=Campaign.State.DRAFT)
        .first()
    )


def holder_by_code(code: str, platform: dict[str, str]) -> Annotator | None:
    """Return the annotator of a crowd worker, or give them one that nobody has yet.

    Parameters
    ----------
    code
        The invite code of a campaign.
    platform
        Participant, study and session as the platform sent them; the same participant gets the
        same annotator again.
    """
    campaign = Campaign.objects.filter(invite_code=code, state=Campaign.State.OPEN).first()
    if campaign is None or not code:
        return None
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
        people = campaign.annotators.filter(revoked_at__isnull=True)
        participant = platform.get("participant", "")
        if participant:
            known = people.filter(platform__participant=participant).first()
            if known is not None:
                return known
        free = people.filter(token_sha256="", last_seen_at__isnull=True).order_by("number").first()
        if free is not None:
            free.platform = platform
            free.last_seen_at = timezone.now()
            free.save(update_fields=["platform", "last_seen_at"])
        return free
