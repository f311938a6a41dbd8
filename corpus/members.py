"""Who may open a study: adding people, changing their roles, taking them out."""

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from corpus.models import AuditEntry, Membership, Study

OWNER = Membership.Role.OWNER


class MemberError(ValueError):
    """A change of members that makes no sense; the message says why."""


def add_member(study: Study, person: User, role: str, actor: User) -> Membership:
    """Let a person into a study.

    Raises
    ------
    MemberError
        If the person is a member already.
    """
    try:
        with transaction.atomic():
            membership = Membership.objects.create(study=study, user=person, role=role)
            _record(study, actor, "add member", person, None, role)
    except IntegrityError:
        raise MemberError(
            f"{person} is already a member; change the role in the list instead"
        ) from None
    return membership


def change_role(study: Study, membership_id: int, role: str, actor: User) -> Membership:
    """Give a member another role.

    Raises
    ------
    MemberError
        If nobody would own the study any more, or the person has left meanwhile.
    """
    with transaction.atomic():
        membership = _locked(study, membership_id)
        before = membership.role
        if before == role:
            return membership
        if before == OWNER:
            _require_another_owner(study, membership)
        membership.role = role
        membership.save(update_fields=["role"])
        _record(study, actor, "change role", membership.user, before, role)
    return membership


def remove_member(study: Study, membership_id: int, actor: User) -> Membership:
    """Take a person out of a study.

    Raises
    ------
    MemberError
        If nobody would own the study any more, or the person has left meanwhile.
    """
    with transaction.atomic():
        membership = _locked(study, membership_id)
        if membership.role == OWNER:
            _require_another_owner(study, membership)
        membership.delete()
        _record(study, actor, "remove member", membership.user, membership.role, None)
    return membership


def set_role(study: Study, person: User, role: str) -> Membership | None:
    """Give a person the role that was decided outside the study; an empty one takes them out.

    The last owner may lose it too: then administrators are left.
    """
    with transaction.atomic():
        Study.objects.select_for_update().get(pk=study.pk)
        membership = study.memberships.filter(user=person).first()
        before = membership.role if membership else None
        if not role:
            study.memberships.filter(user=person).delete()
            membership = None
        else:
            membership, _ = study.memberships.update_or_create(user=person, defaults={"role": role})
        if before != (role or None):
            _record(study, None, "set role by group", person, before, role or None)
    return membership


def _locked(study: Study, membership_id: int) -> Membership:
    """Return a membership while nobody else can change the study's members."""
    Study.objects.select_for_update().get(pk=study.pk)
    membership = study.memberships.select_related("user").filter(pk=membership_id).first()
    if membership is None:
        raise MemberError("this person is no longer a member")
    return membership


def _require_another_owner(study: Study, membership: Membership) -> None:
    if not study.memberships.filter(role=OWNER).exclude(pk=membership.pk).exists():
        raise MemberError(f"{membership.user} is the only owner; make somebody else an owner first")


def _record(
    study: Study,
    actor: User | None,
    action: str,
    person: User,
    before: str | None,
    after: str | None,
) -> None:
    AuditEntry.record(
        study,
        actor,
        action,
        person.get_username(),
        before=before and {"role": before},
        after=after and {"role": after},
    )
