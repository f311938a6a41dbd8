"""Where a request comes from."""

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """Return the client's address; behind a proxy, the one that the proxy itself saw.

    Only the last entry of `X-Forwarded-For` is the proxy's; those before it can be made up.
    """
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "") if settings.BEHIND_PROXY else ""
    return str(forwarded.rpartition(",")[2].strip() or request.META.get("REMOTE_ADDR", ""))
