"""Who may open a study: adding people, changing their roles, taking them out.

An owner who leaves, or owns the study no longer, leaves no way back: open invitations end at once,
and addresses that work without signing in if whoever removes them asks for it.
"""

from collections.abc import Callable

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from corpus.models import AuditEntry, Invitation, Membership, Study

OWNER = Membership.Role.OWNER
_Named = Callable[[Study], list[str]]
_Ending = Callable[[Study, User], None]
_addresses: list[tuple[_Named, _Ending]] = []


def register_addresses(named: _Named, end: _Ending) -> None:
    """Let a room name its addresses that work without signing in, in words, and end them."""
    _addresses.append((named, end))


def open_addresses(study: Study) -> list[str]:
    """Return in words what of a study works without signing in, such as “2 shared reports”."""
    return [words for named, _ in _addresses for words in named(study)]


def end_addresses(study: Study, actor: User) -> None:
    """End every address of a study that works without signing in."""
    for _, end in _addresses:
        end(study, actor)


def end_invitations(study: Study, person: User, actor: User | None) -> int:
    """End the open invitations that a person made; return how many there were."""
    rows = Invitation.objects.select_for_update().filter(
        study=study, invited_by=person, accepted_at=None
    )
    found = list(rows.order_by("pk"))
    for each in found:
        AuditEntry.record(
            study, actor, "end invitation", f"invitation {each.pk}",
            before={"role": each.role}, after={"because": "who made it may no longer invite"},
        )  # fmt: skip
        each.delete()
    return len(found)


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
        if role != OWNER:
            end_invitations(study, membership.user, actor)
    return membership


def remove_member(
    study: Study, membership_id: int, actor: User, *, with_addresses: bool = False
) -> Membership:
    """Take a person out of a study.

    Parameters
    ----------
    study, membership_id, actor
    with_addresses
        Whether addresses that work without signing in end too: the person may know them.

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
        end_invitations(study, membership.user, actor)
    if with_addresses:
        # Not while the study is held: campaigns are locked before it.
        end_addresses(study, actor)
    return membership


def set_role(
    study: Study, person: User, role: str, administrator: User | None = None
) -> Membership | None:
    """Give a person the role that was decided outside the study; an empty one takes them out.

    By a group of the provider, or an administrator. The last owner may lose it too: then
    administrators are left.
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
            by = "administrator" if administrator else "group"
            _record(study, administrator, f"set role by {by}", person, before, role or None)
            if role != OWNER:
                end_invitations(study, person, administrator)
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
