"""Whose account somebody at the provider has, and what their groups give there."""

import re
from dataclasses import dataclass

from allauth.socialaccount.models import SocialAccount, SocialLogin
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from config.accounts.provider_settings import OWNER, Provider
from config.models import AdministratorByGroup, RoleByGroup
from corpus.access.members import set_role
from corpus.models import Study

_MOST_CHARACTERS = 140


@dataclass(frozen=True)
class Claims:
    """What the provider says of somebody who signed in there."""

    subject: str
    name: str
    email: str
    groups: frozenset[str]


class Refused(Exception):
    """A sign-in by the provider that did not succeed; the message says why."""

    def __init__(self, message: str, *, status: int = 403, name: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.name = name


def person_of(sociallogin: SocialLogin, claims: Claims, provider: Provider) -> User:
    """Return the account of somebody whom the provider knows.

    Raises
    ------
    Refused
        If there is no account for them, and none of their groups gives them one.
    """
    if sociallogin.is_existing:
        return User.objects.get(pk=sociallogin.user.pk)
    person = _by_email(claims, provider)
    if person is None and provider.asks_for_groups and not _is_in_group(claims, provider):
        raise _in_no_group(claims, provider)
    with transaction.atomic():
        if person is None:
            person = User.objects.create_user(_free_name(claims.name), claims.email)
        SocialAccount.objects.create(user=person, provider=provider.issuer, uid=claims.subject)
    sociallogin.lookup()
    return person


def follow_groups(person: User, claims: Claims, provider: Provider) -> None:
    """Give a person the roles of today.

    Raises
    ------
    Refused
        If the account ended, or none of its groups lets it in.
    """
    if provider.asks_for_groups:
        with transaction.atomic():
            _follow_groups(person, claims, provider)
        person.refresh_from_db()
    # What was lost stays lost, so this comes after the commit.
    if not person.is_active:
        raise Refused("Your account on this site was deactivated.", name=person.get_username())
    by_hand = person.is_superuser or person.memberships.exists()
    if provider.asks_for_groups and not _is_in_group(claims, provider) and not by_hand:
        raise _in_no_group(claims, provider)


def _is_in_group(claims: Claims, provider: Provider) -> bool:
    return bool(provider.administers(claims.groups) or provider.roles_by_study(claims.groups))


def _by_email(claims: Claims, provider: Provider) -> User | None:
    """Return whose verified address this is: a person who had an account before."""
    if not claims.email:
        return None
    people = list(User.objects.filter(email__iexact=claims.email)[:2])
    if not people:
        return None
    # An address that was given to somebody else does not give them the account.
    taken = SocialAccount.objects.filter(user__in=people, provider=provider.issuer).exists()
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


def _follow_groups(person: User, claims: Claims, provider: Provider) -> None:
    person = User.objects.select_for_update(no_key=True).get(pk=person.pk)
    administers, mark = provider.administers(claims.groups), AdministratorByGroup.objects
    if administers and not person.is_superuser:
        mark.get_or_create(user=person)
    if administers != person.is_superuser and mark.filter(user=person).exists():
        person.is_superuser = administers
        person.save(update_fields=["is_superuser"])
        if not administers:
            mark.filter(user=person).delete()
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
