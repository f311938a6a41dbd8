"""What is logged of people who sign in, fail to, sign out, and change how they sign in."""

from typing import Any

from allauth.account import signals as account_signals
from allauth.account.internal.flows.login import get_authentication_records
from allauth.mfa import signals as mfa_signals
from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.http import HttpRequest

from config.accounts.sessions import end_sessions, list_session
from corpus.access.log import Action, log_access

WAYS = {"link": "one-time link", "socialaccount": "OpenID Connect"}
FACTORS = {"totp": "code", "recovery_codes": "recovery code", "webauthn": "passkey"}
PAGES = {"account_login": "password", "open-id-back": "OpenID Connect"}
CHANGES = {"totp": "authenticator app", "recovery_codes": "recovery codes", "webauthn": "passkey"}


def listen() -> None:
    """Log every sign-in from now on, and list its session."""
    changes = {
        account_signals.password_changed: "password",
        account_signals.password_set: "password",
        account_signals.password_reset: "password, by mail",
        account_signals.email_changed: "e-mail address",
    }
    receivers: list[tuple[Any, Any]] = [
        (user_logged_in, list_session),
        (user_logged_in, _signed_in),
        (user_login_failed, _failed),
        (user_logged_out, _signed_out),
        (mfa_signals.authentication_failed, _wrong_code),
        (mfa_signals.authenticator_added, _factor_added),
        (mfa_signals.authenticator_removed, _factor_removed),
        (mfa_signals.authenticator_reset, _codes_replaced),
        *((signal, _logs(words)) for signal, words in changes.items()),
    ]
    for number, (signal, receiver) in enumerate(receivers):
        signal.connect(receiver, weak=False, dispatch_uid=f"access log {number}")


def way_of(request: HttpRequest | None, user: User | None) -> str:
    """Return by which way somebody signs in: as the session has it, or by the page."""
    if request is None:
        return "program"
    records = get_authentication_records(request, user) if hasattr(request, "session") else []
    steps = [
        FACTORS[each["type"]] if each["method"] == "mfa" else WAYS.get(each["method"], "password")
        for each in records
        if not each.get("reauthenticated")
    ]
    if steps:
        return " and ".join(dict.fromkeys(steps))
    name = request.resolver_match.view_name if request.resolver_match else "program"
    return PAGES.get(name, name)


def log_change(request: HttpRequest | None, user: User, words: str) -> None:
    """Log that somebody changed how they sign in."""
    log_access(Action.SIGN_IN_CHANGED, words, person=user, request=request)


def _signed_in(request: HttpRequest | None, user: User, **_: Any) -> None:
    log_access(Action.SIGNED_IN, way_of(request, user), person=user, request=request)


def _failed(credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    """Log whose name it was; what is nobody's name may be a password in the wrong field."""
    people = get_user_model()
    name = credentials.get(people.USERNAME_FIELD) or ""
    known = people.objects.filter(username=str(name).replace("\0", "")).first()
    way = way_of(request, None)
    words = way if known else f"{way}, unknown name"
    log_access(Action.SIGN_IN_FAILED, words, person=known, request=request)


def _wrong_code(request: HttpRequest, user: User, **_: Any) -> None:
    words = f"{way_of(request, user)}, wrong code"
    log_access(Action.SIGN_IN_FAILED, words, person=user, request=request)


def _signed_out(request: HttpRequest | None, user: User | None, **_: Any) -> None:
    if user is not None:
        log_access(Action.SIGNED_OUT, person=user, request=request)


def _factor_added(request: HttpRequest, user: User, authenticator: Authenticator, **_: Any) -> None:
    """Log it, and end sessions that began without it."""
    log_change(request, user, f"{CHANGES[authenticator.type]} added")
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        end_sessions(user, kept=request.session.session_key)


def _factor_removed(
    request: HttpRequest, user: User, authenticator: Authenticator, **_: Any
) -> None:
    log_change(request, user, f"{CHANGES[authenticator.type]} removed")


def _codes_replaced(request: HttpRequest, user: User, **_: Any) -> None:
    log_change(request, user, "new recovery codes")


def _logs(words: str) -> Any:
    def log(request: HttpRequest, user: User, **_: Any) -> None:
        log_change(request, user, words)

    return log
