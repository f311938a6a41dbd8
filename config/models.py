"""What lets a person in beside what django-allauth stores; and what administrators see."""

from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from corpus.models import Membership


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


class AdministratorByGroup(models.Model):
    """Marks an administrator whom a group of the provider has made one."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE)

    def __str__(self) -> str:
        return f"{self.user} by group"


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


class Counted(models.Model):
    """Django's cache that all processes share: codes that were tried, and mails that were sent."""

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name_plural = "counted"

    def __str__(self) -> str:
        return self.cache_key
