"""The OpenID Connect provider that the environment declares, and what its groups may do."""

import os
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

OWNER, RESEARCHER = "owner", "researcher"
_ON_THIS_MACHINE = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True)
class RoleOfGroup:
    """What the members of a group are in a study."""

    group: str
    study: str
    role: str


@dataclass(frozen=True)
class Provider:
    """Where people sign in, and what their groups give them."""

    issuer: str
    client_id: str
    client_secret: str
    name: str
    scopes: str
    groups_claim: str
    administrators: frozenset[str]
    roles: tuple[RoleOfGroup, ...]
    hours: int

    @property
    def asks_for_groups(self) -> bool:
        """Whether a group lets somebody in, rather than any account of the provider."""
        return bool(self.administrators or self.roles)

    def administers(self, groups: Collection[str]) -> bool:
        """Whether one of the groups is that of administrators."""
        return not self.administrators.isdisjoint(groups)

    def roles_by_study(self, groups: Collection[str]) -> dict[str, str]:
        """Return the strongest role that the groups give in each study."""
        found: dict[str, str] = {}
        for each in self.roles:
            if each.group in groups and found.get(each.study) != OWNER:
                found[each.study] = each.role
        return found


def declared_provider() -> Provider | None:
    """Read the provider; None where there is none.

    Raises
    ------
    ImproperlyConfigured
        If something is missing or makes no sense.
    """
    issuer = os.environ.get("OIDC_ISSUER", "")
    client_id = os.environ.get("OIDC_CLIENT_ID", "")
    client_secret = os.environ.get("OIDC_CLIENT_SECRET", "")
    administrators = _parts(os.environ.get("OIDC_ADMINISTRATORS", ""))
    roles = roles_of_groups(os.environ.get("OIDC_ROLES", ""))
    hours = os.environ.get("OIDC_HOURS") or "12"
    if not issuer:
        if client_id or client_secret or administrators or roles:
            raise ImproperlyConfigured("OIDC_… is set without OIDC_ISSUER: expected its address")
        return None
    address = urlsplit(issuer)
    if not address.hostname or not (
        address.scheme == "https"
        or (address.scheme == "http" and address.hostname in _ON_THIS_MACHINE)
    ):
        raise ImproperlyConfigured(
            f"OIDC_ISSUER={issuer!r}: expected an address such as https://login.example.org"
        )
    if not client_id or not client_secret:
        missing = "OIDC_CLIENT_SECRET" if client_id else "OIDC_CLIENT_ID"
        raise ImproperlyConfigured(f"OIDC_ISSUER needs {missing}, which the provider gives")
    scopes = os.environ.get("OIDC_SCOPES") or "openid profile email"
    if "openid" not in scopes.split():
        raise ImproperlyConfigured(f"OIDC_SCOPES={scopes!r}: expected openid among them")
    if not hours.isdecimal() or int(hours) < 1:
        raise ImproperlyConfigured(f"OIDC_HOURS={hours!r}: expected a whole number from 1 on")
    return Provider(
        issuer=issuer,
        client_id=client_id,
        client_secret=client_secret,
        name=os.environ.get("OIDC_NAME") or str(address.hostname),
        scopes=scopes,
        groups_claim=os.environ.get("OIDC_GROUPS_CLAIM") or "groups",
        administrators=frozenset(administrators),
        roles=roles,
        hours=int(hours),
    )


def roles_of_groups(text: str) -> tuple[RoleOfGroup, ...]:
    """Read which role each group has in which study.

    Raises
    ------
    ImproperlyConfigured
        If an entry is none.

    Examples
    --------
    >>> roles_of_groups("nlp lab: gyafc owner; students: gyafc researcher")[0]
    RoleOfGroup(group='nlp lab', study='gyafc', role='owner')
    """
    found = []
    for entry in _parts(text):
        group, _, words = entry.rpartition(":")
        study, _, role = words.strip().partition(" ")
        if not group.strip() or not study or role.strip() not in (OWNER, RESEARCHER):
            raise ImproperlyConfigured(
                f"OIDC_ROLES: found {entry!r}, expected GROUP: STUDY owner or GROUP: STUDY "
                "researcher, separated by semicolons"
            )
        found.append(RoleOfGroup(group.strip(), study, role.strip()))
    return tuple(found)


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]
