"""What somebody chose on the mapping page, until the import is done."""

from django.conf import settings
from django.db import models

from corpus.models.study import Study


class ImportDraft(models.Model):
    """One person's choices of how the files of one upload are read."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="import_drafts")
    upload = models.CharField(max_length=32, db_index=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    choices = models.JSONField(default=dict)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-changed_at",)
        constraints = [
            models.UniqueConstraint(
                fields=("study", "upload", "user"), name="import_draft_once_per_person"
            )
        ]

    def __str__(self) -> str:
        return f"draft of {self.user} for {self.study}"
