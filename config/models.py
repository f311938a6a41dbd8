"""What lets a person in: sessions, tokens, accounts elsewhere; and what administrators see."""

from typing import Any

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone

from config.devices import device_name
from config.sessions import LONGEST_DEVICE, SessionStore
from corpus.models import Membership


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


class SecondFactor(models.Model):
    """Somebody's authenticator app; what its codes are made of is not stored, see `codes`."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="second_factor"
    )
    seed = models.CharField(max_length=64)
    last_step = models.BigIntegerField(
        help_text="Time step of the last code that was taken; none counts twice."
    )
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"of {self.user}"


class RecoveryCode(models.Model):
    """Stands in for the app, once; only a hash is stored."""

    factor = models.ForeignKey(SecondFactor, models.CASCADE, related_name="recovery_codes")
    code_sha256 = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return f"recovery code {self.pk}"


class OpenIdentity(models.Model):
    """Somebody at an OpenID provider, and their account here."""

    issuer = models.CharField(max_length=500)
    subject = models.CharField(max_length=255)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="open_identities"
    )
    made_administrator = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint("issuer", "subject", name="open_identity_once"),
            models.UniqueConstraint("issuer", "user", name="open_identity_once_per_account"),
        ]

    def __str__(self) -> str:
        return f"{self.user} at {self.issuer}"


class RoleByGroup(models.Model):
    """Marks a membership whose role comes from a group of the provider."""

    membership = models.OneToOneField(Membership, models.CASCADE)
    role = models.CharField(max_length=20, choices=Membership.Role.choices)
    before = models.CharField(
        max_length=20, blank=True, help_text="The role that somebody gave by hand, if any."
    )

    def __str__(self) -> str:
        return f"{self.membership} by group"


class Defect(models.Model):
    """An error that no page foresaw: where it is in the code, without what people had entered."""

    at = models.DateTimeField(default=timezone.now, db_index=True)
    number = models.CharField(max_length=64, help_text="Of the request; its page showed it.")
    method = models.CharField(max_length=10)
    route = models.CharField(max_length=100, blank=True)
    error = models.CharField(max_length=200, help_text="Kinds of errors, the last one first.")
    place = models.CharField(max_length=200, blank=True, help_text="File, line and function.")

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.error} at {self.place}"


class Figures(models.Model):
    """What takes long to find out, as it was found last."""

    name = models.CharField(max_length=50, primary_key=True)
    at = models.DateTimeField()
    machine = models.CharField(max_length=100)
    content = models.JSONField()

    class Meta:
        verbose_name_plural = "figures"

    def __str__(self) -> str:
        return self.name

    @classmethod
    def keep(cls, name: str, machine: str, content: Any) -> None:
        """Put what was found in place of what was known."""
        found = {"at": timezone.now(), "machine": machine[:100], "content": content}
        cls.objects.update_or_create(name=name, defaults=found)
