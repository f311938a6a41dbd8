"""How a line of the log is written, and the number of the request that it comes from."""

import datetime as dt
import json
import logging
import re
import secrets
import traceback
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import LazyObject, empty

from corpus.jobs.watched import log_fields

_SECRET = re.compile(
    r"/(join|join-by-code|invitations|shared|account/address"
    r"|sign-in/reset/[^/\s]+|sign-in/[^/\s]+)/[^/\s]+"
)
_GIVEN = re.compile(r"[\w.-]{8,64}", re.ASCII)

current: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


class SecretAddresses(logging.Filter):
    """Replaces the secret of each address in a line of the log.

    Examples
    --------
    >>> line = logging.makeLogRecord({"msg": "Forbidden: %s", "args": ("/join/x1/",)})
    >>> SecretAddresses().filter(line), line.getMessage()
    (True, 'Forbidden: /join/…/')
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Mask a line that has such an address; no line is left out."""
        said = record.getMessage()
        masked = _SECRET.sub(r"/\1/…", said)
        if masked != said:
            record.msg, record.args = masked, ()
        return True


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


class PlainFormatter(logging.Formatter):
    """A line for people; those that come from a request end with its number."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """Return the line without what follows it."""
        line = super().formatMessage(record)
        request = _request_of(record)
        number = number_of(request) if request else ""
        return f"{line} [request {number}]" if number else line


class JsonFormatter(logging.Formatter):
    """An object on one line.

    Of an error it has the kind and the places in the code: messages of errors quote what people
    have entered. `LOG_FORMAT=text` has them.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "time": dt.datetime.fromtimestamp(record.created, dt.UTC).isoformat(
                timespec="milliseconds"
            ),
            "level": record.levelname,
            "logger": record.name,
            # What quotes an error says by `brief` what is left without it.
            "message": getattr(record, "brief", None) or record.getMessage(),
            **log_fields(),
        }
        if request := _request_of(record):
            line |= _fields_of(request)
        if status := getattr(record, "status_code", None):
            line["status"] = status
        if record.exc_info:
            line |= _error_fields(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False, default=str)


def write_json(logger: logging.Logger) -> None:
    """Let what a logger has written to so far write JSON."""
    for handler in logger.handlers:
        handler.setFormatter(JsonFormatter())


def _request_of(record: logging.LogRecord) -> HttpRequest | None:
    # Django logs a refusal when the request has left all middleware, and hands it over.
    request = getattr(record, "request", None)
    return request if isinstance(request, HttpRequest) else current.get()


def _fields_of(request: HttpRequest) -> dict[str, Any]:
    """Return what is known of a request by now: a line of the log asks the database nothing."""
    fields: dict[str, Any] = {"request": number_of(request), "method": request.method}
    if match := request.resolver_match:
        fields["route"] = match.view_name
        if "studies/<slug:slug>/" in match.route:
            fields["study"] = match.kwargs.get("slug")
    user = vars(request).get("user")
    if isinstance(user, LazyObject) and vars(user).get("_wrapped") is empty:
        user = None
    if person := getattr(user, "pk", None):
        fields["person"] = person
    return fields


def _error_fields(error: BaseException | None) -> dict[str, Any]:
    if error is None:
        return {}
    stack = [
        f"{frame.f_code.co_filename}:{line} {frame.f_code.co_name}"
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    return {"error": kinds_of(error), "stack": stack}


def kinds_of(error: BaseException | None) -> str:
    """Return the kinds of an error and of those that it comes from, the last one first."""
    kinds = []
    while error is not None:
        kinds.append(type(error).__name__)
        error = error.__cause__ or error.__context__
    return " from ".join(kinds)
