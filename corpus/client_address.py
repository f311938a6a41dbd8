"""Where a request comes from."""

import ipaddress
import logging

from django.conf import settings
from django.http import HttpRequest

log = logging.getLogger(__name__)
_warned: set[str] = set()


def client_address(request: HttpRequest) -> str:
    """Return the client's address; behind a proxy, the one that the proxy itself saw.

    Only the last entry of `X-Forwarded-For` is the proxy's; those before it can be made up.
    """
    seen = str(request.META.get("REMOTE_ADDR", ""))
    forwarded = last_forwarded(request)
    if settings.BEHIND_PROXY:
        return forwarded or seen
    if forwarded and is_near(seen) and seen not in _warned:
        _warned.add(seen)
        log.warning(
            "A request from %s came with X-Forwarded-For, but BEHIND_PROXY is not set: limits on "
            "joining and signing in take everybody behind this address for one. If a proxy stands "
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


def last_forwarded(request: HttpRequest) -> str:
    """Return the last entry of `X-Forwarded-For`, whether or not it is to be believed."""
    return str(request.META.get("HTTP_X_FORWARDED_FOR", "")).rpartition(",")[2].strip()


def is_near(address: str) -> bool:
    """Whether an address is one of this machine or its own network, as a proxy's would be."""
    try:
        return ipaddress.ip_address(address).is_private
    except ValueError:
        return True  # a socket of this machine has no address
