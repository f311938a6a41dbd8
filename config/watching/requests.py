"""Each request has a number, in its answer and in the lines of the log that come from it."""

import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse

_GIVEN = re.compile(r"[\w.-]{8,64}", re.ASCII)

current: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


class RequestNumberMiddleware:
    """Number the request: as the proxy has done, or anew."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and say the number."""
        # Only a proxy may choose it: anybody else could make two requests look like one.
        given = request.META.get("HTTP_X_REQUEST_ID", "") if settings.BEHIND_PROXY else ""
        number = given if _GIVEN.fullmatch(given) else secrets.token_hex(8)
        request.number = number  # type: ignore[attr-defined]
        token = current.set(request)
        try:
            response = self.get_response(request)
        finally:
            current.reset(token)
        response["X-Request-ID"] = number
        return response


def number_of(request: HttpRequest) -> str:
    """Return a request's number; empty if it has none."""
    return str(getattr(request, "number", ""))
