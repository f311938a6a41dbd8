"""Who signed in and took data out of the site: a log that only grows, until its days are over."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from corpus.models.study import Study


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
