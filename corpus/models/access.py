"""Who may open a study, and records of what was done and taken out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from corpus.models.study import Membership, Study

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class AuditEntry(models.Model):
    """One action on a study; a database trigger forbids change and removal."""

    study = models.ForeignKey(
        Study,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="audit_entries",
        help_text="Empty where the study was deleted.",
    )
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="audit_entries"
    )
    action = models.CharField(max_length=50)
    object = models.CharField(max_length=200, blank=True)
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.action} {self.object}"

    @classmethod
    def record(
        cls,
        study: Study | None,
        actor: User | None,
        action: str,
        about: str = "",
        *,
        before: Any = None,
        after: Any = None,
    ) -> None:
        """Leave an entry behind; what it is about is cut to what there is room for."""
        cls.objects.create(
            study=study, actor=actor, action=action, object=about[:200], before=before, after=after
        )


class Permission(models.Model):
    """That this transaction may delete rows, or take words out of them; never committed.

    The row is made and removed in one transaction, so that no other one ever sees it.
    """

    what = models.CharField(max_length=10)

    class Meta:
        db_table = "corpus_permission"
        default_permissions = ()

    def __str__(self) -> str:
        return self.what


class AccessEntry(models.Model):
    """One line of the log; a database trigger forbids change, and removal but by rule.

    Persons and studies are kept by number: what they are called is looked up, and goes with them.
    """

    class Action(models.TextChoices):
        SIGNED_IN = "signed-in", "signed in"
        SIGN_IN_FAILED = "sign-in-failed", "sign-in failed"
        SIGNED_OUT = "signed-out", "signed out"
        RESET_ASKED = "reset-asked", "password reset asked for"
        SIGN_IN_CHANGED = "sign-in-changed", "way of signing in changed"
        TOKEN_MADE = "token-made", "API token made"
        TOKEN_REVOKED = "token-revoked", "API token revoked"
        EXPORTED = "exported", "exported"
        PUBLISHED = "published", "published"
        DOWNLOADED = "downloaded", "downloaded"
        READ = "read", "read by the API"
        BACKED_UP = "backed-up", "backup made"

    at = models.DateTimeField(default=timezone.now, db_index=True)
    action = models.CharField(max_length=20, choices=Action.choices)
    detail = models.CharField(
        max_length=100, blank=True, help_text="By which way, or what of the study."
    )
    # No constraint: a line outlives whom and what it is about, unchanged.
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        db_constraint=False,
        related_name="+",
        help_text="Nobody who is known, or the site itself, where it is empty.",
    )
    study = models.ForeignKey(
        Study, models.DO_NOTHING, null=True, db_constraint=False, related_name="+"
    )
    size = models.BigIntegerField(null=True, help_text="In bytes, where it is known.")
    network = models.CharField(
        max_length=8, blank=True, help_text="The same for requests from the same network."
    )

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "access entries"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(size__isnull=True) | models.Q(size__gte=0),
                name="access_entry_size_not_negative",
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_action_display()} {self.detail}".rstrip()


class Invitation(models.Model):
    """A link that makes one person a member of a study; only its fingerprint is kept."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=20, choices=Membership.Role.choices)
    note = models.CharField(
        max_length=200, blank=True, help_text="Whom it is for, as the owner knows them."
    )
    token_sha256 = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(
                condition=models.Q(role__in=["owner", "researcher"]), name="invitation_known_role"
            ),
            models.CheckConstraint(
                condition=models.Q(accepted_by__isnull=True) | models.Q(accepted_at__isnull=False),
                name="invitation_accepted_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"invitation {self.pk} to {self.study}"


class RateLimit(models.Model):
    """What counts against one limit of one person, name or address, known by a hash of it."""

    key = models.CharField(max_length=64, unique=True)
    level = models.FloatField(default=0)
    at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.level:g} at {self.at}"
