"""Drafts of imports, and where rows wait, checked by set operations, until one short publish.

Rows carry the keys of their file, not foreign keys, so that they can be written without
look-ups; `file` and `line` lead an error back to its place.
"""

from django.conf import settings
from django.db import models

from corpus.models.job import Job
from corpus.models.study import Study


class StagedRow(models.Model):
    """What every staged row knows of where it came from."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="+", db_index=False)
    file = models.PositiveSmallIntegerField()
    line = models.PositiveIntegerField()

    class Meta:
        abstract = True
        indexes = [models.Index(fields=("job",), name="%(class)s_job")]


class StagedSegment(StagedRow):
    """A segment on its way in."""

    key = models.CharField(max_length=200)
    source_style = models.CharField(max_length=100, blank=True)
    target_style = models.CharField(max_length=100, blank=True)
    attributes = models.JSONField(default=dict)


class StagedSystem(StagedRow):
    """Attributes of a system on their way in."""

    name = models.CharField(max_length=200)
    attributes = models.JSONField(default=dict)


class StagedText(StagedRow):
    """A source, reference or output on its way in; new ones get their `ordinal` when checked."""

    segment_key = models.CharField(max_length=200)
    system_name = models.CharField(max_length=200)
    variant = models.PositiveSmallIntegerField(default=1)
    text = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64)
    ordinal = models.PositiveIntegerField(null=True)


class StagedMaskedText(StagedRow):
    """A masked text on its way in, of an output by its ordinal."""

    output = models.IntegerField()
    recipe = models.CharField(max_length=200)
    text = models.TextField(blank=True)


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
