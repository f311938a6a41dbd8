"""What lets a person in: sessions of browsers, tokens of scripts."""

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone

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


class ApiToken(models.Model):
    """What a script signs in with; only a hash of it is stored."""

    class Scope(models.TextChoices):
        READ = "read", "read"
        WRITE = "write", "read and write"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100, help_text="What it is for, such as a script's name.")
    key_sha256 = models.CharField(max_length=64, unique=True)
    scope = models.CharField("allowed to", max_length=10, choices=Scope.choices, default=Scope.READ)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(
                condition=models.Q(scope__in=["read", "write"]), name="api_token_known_scope"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def has_ended(self) -> bool:
        """Whether its time is over."""
        return self.expires_at is not None and self.expires_at <= timezone.now()
