"""What lets a person in: sessions of browsers."""

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

from config.devices import device_name
from config.sessions import LONGEST_DEVICE, SessionStore


class Session(AbstractBaseSession):
    """A browser in which somebody is signed in; its key is stored as a hash."""

    session_key = models.CharField(primary_key=True, max_length=64)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="sessions"
    )
    device = models.CharField(max_length=LONGEST_DEVICE, blank=True)
    created_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()

    class Meta(AbstractBaseSession.Meta):
        abstract = False
        ordering = ("-last_seen_at",)

    def __str__(self) -> str:
        return self.device_name

    @property
    def device_name(self) -> str:
        """Browser and system, as people call them."""
        return device_name(self.device)

    @classmethod
    def get_session_store_class(cls) -> type[SessionStore]:
        """Return what reads and writes the rows."""
        return SessionStore
