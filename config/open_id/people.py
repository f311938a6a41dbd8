"""Whose account somebody at the provider has, and what their groups give there."""

import re

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from config.models import OpenIdentity, RoleByGroup
from config.open_id.client import Claims
from config.open_id.declared import OWNER, Provider
from config.open_id.refusals import Refused
from corpus.members import set_role
from corpus.models import Study

_MOST_CHARACTERS = 140


def person_of(claims: Claims, provider: Provider) -> User:
    """Return the account of somebody whom the provider knows, with the roles of today.

    Raises
    ------
    Refused
        If there is no account for them, or none of their groups lets them in.
    """
    by_group = provider.administers(claims.groups) or provider.roles_by_study(claims.groups)
    with transaction.atomic():
        identity = _identity(claims, provider, may_be_new=by_group or not provider.asks_for_groups)
        person = identity.user
        if provider.asks_for_groups:
            _follow_groups(identity, claims, provider)
    # What was lost stays lost, so this comes after the commit.
    if not person.is_active:
        raise Refused("Your account on this site was deactivated.", name=person.get_username())
    by_hand = person.is_superuser or person.memberships.exists()
    if provider.asks_for_groups and not by_group and not by_hand:
        raise _in_no_group(claims, provider)
    return person


def _identity(claims: Claims, provider: Provider, may_be_new: object) -> OpenIdentity:
    known = OpenIdentity.objects.select_related("user").filter(issuer=provider.issuer)
    if found := known.select_for_update(of=("self",)).filter(subject=claims.subject).first():
        return found
    person = _by_email(claims, provider)
    if person is None:
        if not may_be_new:
            raise _in_no_group(claims, provider)
        person = User.objects.create_user(_free_name(claims.name), claims.email)
    return OpenIdentity.objects.create(issuer=provider.issuer, subject=claims.subject, user=person)


def _by_email(claims: Claims, provider: Provider) -> User | None:
    """Return whose verified address this is: a person who had an account before."""
    if not claims.email:
        return None
    people = list(User.objects.filter(email__iexact=claims.email)[:2])
    if not people:
        return None
    # An address that was given to somebody else does not give them the account.
    taken = OpenIdentity.objects.filter(user__in=people, issuer=provider.issuer).exists()
    if len(people) > 1 or taken:
        raise Refused(
            f"The e-mail address {claims.email} belongs to another account, or to several.",
            name=claims.name,
        )
    return people[0]


def _free_name(wanted: str) -> str:
    stem = re.sub(r"[^\w.@+-]", "", wanted)[:_MOST_CHARACTERS] or "person"
    taken = set(User.objects.filter(username__startswith=stem).values_list("username", flat=True))
    numbered = (f"{stem}{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (stem, *numbered) if name not in taken)


def _follow_groups(identity: OpenIdentity, claims: Claims, provider: Provider) -> None:
    person = identity.user
    administers = provider.administers(claims.groups)
    if administers != person.is_superuser and (administers or identity.made_administrator):
        person.is_superuser = identity.made_administrator = administers
        person.save(update_fields=["is_superuser"])
        identity.save(update_fields=["made_administrator"])
    wanted = provider.roles_by_study(claims.groups)
    concerned = Q(slug__in=wanted) | Q(memberships__rolebygroup__membership__user=person)
    for study in Study.objects.filter(concerned).distinct():
        _follow(study, person, wanted.get(study.slug, ""))


def _follow(study: Study, person: User, wanted: str) -> None:
    """Give the role of a group, unless the one given by hand is as strong."""
    membership = study.memberships.filter(user=person).first()
    now = membership.role if membership else ""
    mark = RoleByGroup.objects.filter(membership=membership, role=now).first() if now else None
    by_hand = mark.before if mark else now
    is_stronger = wanted and by_hand not in (wanted, OWNER)
    target = wanted if is_stronger else by_hand
    if target != now:
        membership = set_role(study, person, target)
    if membership is None:
        return
    if is_stronger:
        RoleByGroup.objects.update_or_create(
            membership=membership, defaults={"role": target, "before": by_hand}
        )
    else:
        RoleByGroup.objects.filter(membership=membership).delete()


def _in_no_group(claims: Claims, provider: Provider) -> Refused:
    said = (
        f"It says of you: {', '.join(sorted(claims.groups))}."
        if claims.groups
        else (f"It says of no group that you are in it (claim “{provider.groups_claim}”).")
    )
    return Refused(
        f"None of your groups at {provider.name} may use this site. {said}", name=claims.name
    )
