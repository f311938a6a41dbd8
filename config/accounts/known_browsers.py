"""Browsers in which somebody has signed in before.

Each counts by itself when that name is tried again, so that nobody is locked out of their own
browser by the guesses of others.
"""

import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

COOKIE = "known"
SECONDS_KNOWN = 365 * 24 * 3600


def know_browser(response: HttpResponse, name: str) -> None:
    """Let this browser count by itself from now on when it tries this name."""
    nonce = secrets.token_urlsafe(16)
    response.set_cookie(
        COOKIE,
        f"{nonce}:{_browser_proof(nonce, name)}",
        max_age=SECONDS_KNOWN,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )


def known_browser(request: HttpRequest, name: str) -> str:
    """Return the mark of a browser in which this name has signed in before, or nothing."""
    nonce, _, proof = request.COOKIES.get(COOKIE, "").partition(":")
    return nonce if nonce and constant_time_compare(proof, _browser_proof(nonce, name)) else ""


def _browser_proof(nonce: str, name: str) -> str:
    return salted_hmac("config.accounts", f"{nonce} {name}", algorithm="sha256").hexdigest()
