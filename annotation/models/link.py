"""What a person who was invited is let in by."""

from django.db import models

LENGTH_OF_MARK = 16


class PersonalLink(models.Model):
    """Somebody with a personal link, or a place that a crowd platform sends people to."""

    token_sha256 = models.CharField(max_length=64, blank=True)
    link_expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_seen_at = models.DateTimeField(null=True, blank=True)
    completion_code = models.CharField(max_length=40, blank=True)
    platform = models.JSONField(
        default=dict, blank=True, help_text="Participant, study and session of a crowd platform."
    )

    refused_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When somebody with the same identifier last came from another browser.",
    )

    class Meta:
        abstract = True

    @property
    def mark(self) -> str:
        """Part of the token's hash, by which a browser shows which link it was opened with."""
        return self.token_sha256[:LENGTH_OF_MARK]
