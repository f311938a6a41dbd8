"""Where requests come from, and the log of who signed in and took data out of the site."""

import ipaddress
import logging

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import DatabaseError, transaction
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from corpus.models import AccessEntry, Study

_warned: set[str] = set()
Action = AccessEntry.Action

logger = logging.getLogger(__name__)


def client_address(request: HttpRequest) -> str:
    """Return the client's address; behind a proxy, the one that the proxy itself saw.

    Only the last entry of `X-Forwarded-For` is the proxy's; those before it can be made up.
    """
    seen = str(request.META.get("REMOTE_ADDR", ""))
    if settings.BEHIND_PROXY:
        return _last_forwarded(request) or seen
    if forwarded_unasked(request) and seen not in _warned:
        _warned.add(seen)
        logger.warning(
            "A request from %s came with X-Forwarded-For, but BEHIND_PROXY is not set: limits on "
            "joining and signing in take everybody behind this address for one. If a proxy is "
            "there, set BEHIND_PROXY=1 (docs/settings.md).",
            seen,
        )
    return seen


def client_network(request: HttpRequest) -> str:
    """Return what limits per address count by: of version 6, one client has 2⁶⁴ addresses."""
    address = client_address(request)
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is None:
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)


def forwarded_unasked(request: HttpRequest) -> str:
    """Return whom a proxy seems to ask for, where the settings do not name one.

    Only of an address of this machine or its own network: from outside, the header is made up.
    """
    if settings.BEHIND_PROXY or not _is_near(str(request.META.get("REMOTE_ADDR", ""))):
        return ""
    return _last_forwarded(request)


def _last_forwarded(request: HttpRequest) -> str:
    return str(request.META.get("HTTP_X_FORWARDED_FOR", "")).rpartition(",")[2].strip()


def _is_near(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_private
    except ValueError:
        return True  # A socket of this machine has no address.


def log_access(
    action: Action,
    detail: str = "",
    *,
    person: AbstractBaseUser | AnonymousUser | int | None = None,
    study: Study | int | None = None,
    size: int | None = None,
    request: HttpRequest | None = None,
) -> None:
    """Add a line to the log.

    Where the database cannot be written, the line goes to the server's log instead: what people
    may read stays readable, so that they can save it from a failing disk.
    """
    person_id = person if isinstance(person, int) else getattr(person, "pk", None)
    study_id = study if isinstance(study, int) else getattr(study, "pk", None)
    try:
        with transaction.atomic():
            AccessEntry.objects.create(
                action=action,
                detail=detail[:100],
                person_id=person_id,
                study_id=study_id,
                size=size,
                network=network_mark(request) if request else "",
            )
    except DatabaseError:
        facts = (action, detail, person_id, study_id, size)
        logger.exception("not in the log of sign-ins and exports: %s", facts)


def network_mark(request: HttpRequest) -> str:
    """Return what the log has in place of a network: it shows only which lines have the same."""
    network = client_network(request)
    return salted_hmac("corpus.access.log", network, algorithm="sha256").hexdigest()[:8]
