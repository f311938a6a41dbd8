"""Inviting researchers and owners: a link that is shown once and works once."""

import datetime as dt
import hashlib
import secrets

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from corpus.access.members import OWNER, MemberError, add_member
from corpus.models import AuditEntry, Invitation, Membership, Study

DAYS_VALID = 14
MOST_DAYS = 90


class InvitationError(ValueError):
    """An invitation that does not work (any more); the message says why."""


def invite(study: Study, role: str, note: str, days: int, actor: User) -> tuple[Invitation, str]:
    """Make an invitation; return it with its token, which is stored nowhere.

    Parameters
    ----------
    study, role
    note
        Whom it is for. It never goes into the record, which cannot be deleted.
    days
        How long it works.
    actor
    """
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        made = Invitation.objects.create(
            study=study,
            role=role,
            note=note,
            token_sha256=token_sha256(token),
            invited_by=actor,
            expires_at=timezone.now() + dt.timedelta(days=days),
        )
        _record(made, actor, "invite member", after={"role": role, "days": days})
    return made, token


def withdraw_invitation(study: Study, pk: int, actor: User) -> bool:
    """Delete an invitation, whose link stops working; return whether there was one."""
    with transaction.atomic():
        found = Invitation.objects.select_for_update().filter(study=study, pk=pk).first()
        if found is None:
            return False
        if found.accepted_at is None:
            _record(found, actor, "revoke invitation", before={"role": found.role})
        found.delete()
    return True


def working_invitation(token: str) -> Invitation | None:
    """Return the invitation of a link that works."""
    found = _open().filter(token_sha256=token_sha256(token)).first()
    return found if found and may_invite(found.study, found.invited_by) else None


def may_invite(study: Study, person: User | None) -> bool:
    """Whether somebody may still let others in: an invitation lives as long as this right."""
    if person is None or not person.is_active:
        return False
    return person.is_superuser or study.memberships.filter(user=person, role=OWNER).exists()


def accept(token: str, person: User) -> Membership:
    """Let a person into the study that a link invites to; the link is used up.

    Raises
    ------
    InvitationError
        If the link does not work, the person made it, or is a member already; the last two leave
        it unused.
    """
    over = InvitationError("this invitation no longer works")
    with transaction.atomic():
        # The study first, as where a member is removed: of the two, one sees what the other did.
        study = Study.objects.select_for_update().filter(
            invitations__token_sha256=token_sha256(token)
        )
        if not list(study):
            raise over
        # Of two who open the link at once, the second finds it used.
        rows = _open().select_for_update(of=("self",))
        found = rows.filter(token_sha256=token_sha256(token)).first()
        if found is None or not may_invite(found.study, found.invited_by):
            raise over
        try:
            membership = _joined(found, person)
        except MemberError as error:
            raise InvitationError(str(error)) from None
        found.accepted_at, found.accepted_by = timezone.now(), person
        found.save(update_fields=["accepted_at", "accepted_by"])
        _record(found, person, "accept invitation", after={"role": found.role})
    return membership


def _joined(invitation: Invitation, person: User) -> Membership:
    study = invitation.study
    if person == invitation.invited_by and not study.memberships.filter(user=person).exists():
        raise MemberError("you made this invitation, so that it is for somebody else")
    return add_member(study, person, invitation.role, person)


def _open() -> QuerySet[Invitation]:
    now = timezone.now()
    rows = Invitation.objects.filter(accepted_at__isnull=True, expires_at__gt=now)
    return rows.select_related("study", "invited_by")


def token_sha256(token: str) -> str:
    """Return what is stored of a token: who reads the database cannot use it."""
    return hashlib.sha256(token.encode()).hexdigest()


def _record(
    invitation: Invitation,
    actor: User,
    action: str,
    before: dict[str, object] | None = None,
    after: dict[str, object] | None = None,
) -> None:
    AuditEntry.record(
        invitation.study, actor, action, f"invitation {invitation.pk}", before=before, after=after
    )
