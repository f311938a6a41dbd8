"""Invitations of researchers and owners by a link."""

from django.conf import settings
from django.db import models

from corpus.models.study import Membership, Study


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
