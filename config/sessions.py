"""Sessions of people who sign in, stored so that signing out ends them on the server.

Annotators need none: see `annotation.views.guard`.
"""

import datetime as dt
import hashlib
from contextlib import suppress
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions import middleware
from django.contrib.sessions.backends import db
from django.db import DatabaseError, transaction
from django.http import HttpRequest
from django.utils import timezone

LONGEST_DEVICE = 300
SEEN_EVERY = dt.timedelta(minutes=10)
"""How exact the time is at which somebody was last seen: it costs a write."""


def stored_key(key: str | None) -> str:
    """Return what is stored of a cookie: who reads the database cannot take a session over."""
    return hashlib.sha256((key or "").encode()).hexdigest()


class SessionStore(db.SessionStore):
    """Django's sessions in the database, with person and device, under the hash of their key."""

    device = ""
    created_at: dt.datetime | None = None

    @classmethod
    def get_model_class(cls) -> Any:
        """Return the table."""
        from config.models import Session

        return Session

    def load(self) -> dict[str, Any]:
        """Read a session, and note that it was seen."""
        now = timezone.now()
        rows = self.get_model_class().objects.filter(session_key=stored_key(self.session_key))
        found = rows.filter(expire_date__gt=now).first()
        if found is None:
            self._session_key = None
            return {}
        self.created_at = found.created_at
        if now - found.last_seen_at > SEEN_EVERY:
            # Looking around goes on where nothing can be written.
            with suppress(DatabaseError), transaction.atomic():
                rows.update(last_seen_at=now)
        content: dict[str, Any] = self.decode(found.session_data)
        return content

    def exists(self, session_key: str | None = None) -> bool:
        """Whether a key is taken."""
        return bool(
            self.get_model_class().objects.filter(session_key=stored_key(session_key)).exists()
        )

    def create(self) -> None:
        """Begin a session; those that have expired are removed."""
        super().create()
        self.clear_expired()

    def create_model_instance(self, data: dict[str, Any]) -> Any:
        """Return the row as it is to be stored."""
        row: Any = super().create_model_instance(data)
        now = timezone.now()
        row.session_key = stored_key(row.session_key)
        row.user_id = data.get(SESSION_KEY)
        row.device = self.device
        row.created_at = self.created_at = self.created_at or now
        row.last_seen_at = now
        return row

    def delete(self, session_key: str | None = None) -> None:
        """End a session."""
        key = stored_key(session_key or self.session_key)
        self.get_model_class().objects.filter(session_key=key).delete()

    def flush(self) -> None:
        """End this session; what comes after it is another one."""
        super().flush()
        self.created_at = None


class SessionMiddleware(middleware.SessionMiddleware):
    """Django's, which also tells the session from which device it is used."""

    def process_request(self, request: HttpRequest) -> None:
        """Give the request its session."""
        super().process_request(request)
        request.session.device = request.META.get("HTTP_USER_AGENT", "")[:LONGEST_DEVICE]  # type: ignore[attr-defined]
