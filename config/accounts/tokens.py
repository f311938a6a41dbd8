"""Tokens with which scripts use the API in a person's name."""

import datetime as dt
import hashlib
import secrets

from django.contrib.auth.models import User
from django.utils import timezone

from config.models import ApiToken


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
