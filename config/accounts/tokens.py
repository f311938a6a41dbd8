"""Tokens with which scripts use the API in a person's name."""

import datetime as dt
import hashlib
import secrets
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.http import HttpRequest
from django.utils import timezone
from drf_spectacular.authentication import TokenScheme
from rest_framework.authentication import (
    BaseAuthentication,
    SessionAuthentication,
    TokenAuthentication,
)
from rest_framework.exceptions import APIException, AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from config.models import ApiToken

USED_EVERY = dt.timedelta(minutes=1)
"""How exact the time of the last use is: it costs a write."""


def new_token(person: User, name: str, scope: str, days: int | None) -> str:
    """Make a token and return it; only its hash is stored.

    Parameters
    ----------
    person
    name
        What it is for.
    scope
        `read` or `write`.
    days
        How long it works; None for no end.
    """
    key = secrets.token_hex(24)
    ApiToken.objects.create(
        user=person,
        name=name,
        scope=scope,
        key_sha256=fingerprint(key),
        expires_at=None if days is None else timezone.now() + dt.timedelta(days=days),
    )
    return key


def fingerprint(key: str) -> str:
    """Return the hash by which a token is stored."""
    return hashlib.sha256(key.encode()).hexdigest()


class ApiTokenAuthentication(TokenAuthentication):
    """Lets in who sends a token, and only as far as it goes."""

    def authenticate(self, request: Request) -> tuple[User, Any] | None:
        """Return the person of a request with a token.

        Raises
        ------
        PermissionDenied
            If the request changes something and its token may only read.
        """
        found = super().authenticate(request)
        if found and found[1].scope == ApiToken.Scope.READ and request.method not in SAFE_METHODS:
            raise PermissionDenied(
                "This token may only read. Make one that may write on your account page."
            )
        return found

    def authenticate_credentials(self, key: str) -> tuple[User, ApiToken]:
        """Return whose token this is.

        Raises
        ------
        AuthenticationFailed
            If it is nobody's, or has ended.
        """
        known = ApiToken.objects.select_related("user").filter(key_sha256=fingerprint(key))
        token = known.filter(user__is_active=True).first()
        now = timezone.now()
        if token is None:
            raise AuthenticationFailed("This token is not known, or was revoked.")
        if token.expires_at and token.expires_at <= now:
            raise AuthenticationFailed("This token has ended. Make a new one on your account page.")
        if token.last_used_at is None or now - token.last_used_at > USED_EVERY:
            # Reading goes on where nothing can be written.
            with suppress(DatabaseError), transaction.atomic():
                known.update(last_used_at=now)
        return token.user, token


class ApiTokenScheme(TokenScheme):  # type: ignore[no-untyped-call]
    """How the schema describes it."""

    target_class = "config.accounts.tokens.ApiTokenAuthentication"
    priority = 1

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """Return the description."""
        return {
            **super().get_security_definition(auto_schema),  # type: ignore[no-untyped-call]
            "description": "A token from the account page, as `Token …`. One that may only read is "
            "refused with 403 where something would change; one that has ended with 401.",
        }


def is_let_in(request: HttpRequest, accepted: Iterable[type[BaseAuthentication]]) -> bool:
    """Tell by what a view accepts besides a session, such as a token, and without the body."""
    # The check of the session would look for a CSRF token, and so read the body.
    ways = [each() for each in accepted if not issubclass(each, SessionAuthentication)]
    try:
        return bool(Request(request, authenticators=ways).user.is_authenticated)
    except APIException:
        return False
