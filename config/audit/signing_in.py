"""Lines of the log for who signs in, fails to, and signs out; Django's signals tell of each way."""

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.http import HttpRequest

from corpus.access_log import Action, log_access

WAYS = {
    **dict.fromkeys(("login", "admin:login"), "password"),
    "sign-in-once": "one-time link",
    "open-id-back": "OpenID Connect",
}
"""By the name of the page; the name itself says enough of any other."""


def listen() -> None:
    """Hear of every sign-in from now on."""
    user_logged_in.connect(_signed_in, dispatch_uid="access log")
    user_login_failed.connect(_failed, dispatch_uid="access log")
    user_logged_out.connect(_signed_out, dispatch_uid="access log")


def _signed_in(request: HttpRequest | None, user: User, **_: Any) -> None:
    log_access(Action.SIGNED_IN, way_of(request), person=user, request=request)


def _failed(credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    """Log whose name it was; what is nobody's name may be a password in the wrong field."""
    people = get_user_model()
    name = credentials.get(people.USERNAME_FIELD) or ""
    known = people.objects.filter(username=str(name).replace("\0", "")).first()
    words = way_of(request) if known else f"{way_of(request)}, unknown name"
    log_access(Action.SIGN_IN_FAILED, words, person=known, request=request)


def _signed_out(request: HttpRequest | None, user: User | None, **_: Any) -> None:
    if user is not None:
        log_access(Action.SIGNED_OUT, person=user, request=request)


def way_of(request: HttpRequest | None) -> str:
    """Return by which way somebody signs in: as the page says itself, or by its name."""
    if said := getattr(request, "sign_in_way", ""):
        return str(said)
    match = request.resolver_match if request else None
    return WAYS.get(match.view_name, match.view_name) if match else "program"
