"""Sessions: cookies that no database gives away, and when each browser was last seen.

Annotators need none: see `annotation.views.guard`.
"""

import datetime as dt
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions import middleware
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.core.signing import BadSignature, Signer
from django.db import DatabaseError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

SEEN_EVERY = dt.timedelta(minutes=10)
"""How exact the time is at which somebody was last seen: it costs a write."""
_signer = Signer(salt="config.accounts.sessions")


def session_cookie(key: str) -> str:
    """Return the cookie of a session: who reads its key in the database cannot take it over."""
    return _signer.sign(key)


def session_key(cookie: str) -> str | None:
    """Return the key in a cookie; None if it was made up."""
    try:
        return _signer.unsign(cookie)
    except BadSignature:
        return None


class SessionMiddleware(middleware.SessionMiddleware):
    """Django's, with signed cookies; it also notes when a browser was last seen."""

    def process_request(self, request: HttpRequest) -> None:
        """Give the request its session."""
        cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
        request.session = self.SessionStore(session_key(cookie))

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Store the session and send its cookie."""
        _note_seen(request.session)
        answer = super().process_response(request, response)
        cookie = answer.cookies.get(settings.SESSION_COOKIE_NAME)
        if cookie is not None and cookie.value:
            signed = session_cookie(cookie.value)
            cookie.set(cookie.key, signed, signed)
        return answer


def list_session(request: HttpRequest, user: User, **_: Any) -> None:
    """List the browser of who signs in among their sessions, and remove those that expired."""
    from allauth.usersessions.models import UserSession

    UserSession.objects.create_from_request(request, user=user)
    _is_due(str(request.session.session_key))
    Session.objects.filter(expire_date__lt=timezone.now()).delete()
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()


def end_sessions(user: User, kept: str | None = None) -> int:
    """End the sessions of a person, but for one; return how many there were."""
    from allauth.usersessions.models import UserSession

    found = list(UserSession.objects.filter(user=user).exclude(session_key=kept or ""))
    for session in found:
        session.end()
    return len(found)


def _note_seen(session: Any) -> None:
    from allauth.usersessions.models import UserSession

    if not session.accessed or SESSION_KEY not in session or not _is_due(session.session_key):
        return
    now = timezone.now()
    rows = UserSession.objects.filter(session_key=session.session_key)
    # Looking around goes on where nothing can be written.
    with suppress(DatabaseError), transaction.atomic():
        rows.filter(last_seen_at__lt=now - SEEN_EVERY).update(last_seen_at=now)


def _is_due(key: str) -> bool:
    return caches["local"].add(f"seen-{key}", True, SEEN_EVERY.total_seconds())
