"""Who changed what, for good."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models

from corpus.models.study import Study

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
