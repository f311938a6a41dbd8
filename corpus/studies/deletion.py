"""Deleting studies by rule: asked for, hidden for some days, then gone with all they hold."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone

from corpus.exports.run import export_path
from corpus.imports.uploads import discard_upload
from corpus.jobs.queue import cancel_all
from corpus.models import AuditEntry, Job, MaskedText, Membership, Output, Study, StyleLexicon
from corpus.storage.permitting import permitted, remove_rows
from corpus.storage.write_turn import write_turn

Remover = Callable[[Study], None]
DueRemover = Callable[[datetime], list[str]]
_removers: list[Remover] = []
_due: list[DueRemover] = []


class DeletionError(ValueError):
    """Something that cannot be deleted like this; the message says why."""


def register_removal(remove: Remover, due: DueRemover | None = None) -> None:
    """Let a room remove what it holds of a study, and what of its own is due by itself."""
    _removers.append(remove)
    if due is not None:
        _due.append(due)


def ask_for_deletion(study: Study, typed: str, actor: User) -> None:
    """Hide a study from everybody; once the days of grace are over, it is deleted.

    Raises
    ------
    DeletionError
        If its short name was not typed.
    """
    if typed.strip() != study.slug:
        raise DeletionError(f"type the short name of the study, {study.slug}, to delete it")
    with write_turn():
        study.deletion_asked_at = timezone.now()
        study.save(update_fields=["deletion_asked_at"])
        AuditEntry.record(study, actor, "ask for deletion", study.slug)
        cancel_all(Job.objects.filter(study=study))


def take_back(study: Study, actor: User) -> None:
    """Show a study again that was to be deleted."""
    with write_turn():
        study.deletion_asked_at = None
        study.save(update_fields=["deletion_asked_at"])
        AuditEntry.record(study, actor, "take back deletion", study.slug)


def to_be_deleted(user: User | AnonymousUser) -> list[Study]:
    """Return the hidden studies that a person may take back."""
    if not user.is_authenticated:
        return []
    hidden = Study.objects.filter(deletion_asked_at__isnull=False)
    if not user.is_superuser:
        hidden = hidden.filter(memberships__user=user, memberships__role=Membership.Role.OWNER)
    return list(hidden)


def gone_after(asked_at: datetime) -> datetime:
    """Return when something is deleted that was to be deleted at a time."""
    return asked_at + timedelta(days=settings.DELETION_DAYS)


def delete_due() -> list[str]:
    """Delete everything whose days of grace are over; return what, in words.

    What was cut off goes on where it was the next time.
    """
    before = timezone.now() - timedelta(days=settings.DELETION_DAYS)
    gone = [words for due in _due for words in due(before)]
    for study in Study.objects.filter(deletion_asked_at__lte=before):
        if Job.every.filter(study=study, state="running").exists():
            cancel_all(Job.objects.filter(study=study))
            continue
        delete_study(study)
        gone.append(f"study {study.slug}")
    return gone


def delete_study(study: Study) -> None:
    """Delete a study with all rows and files; one audit entry remains."""
    for remove in _removers:
        remove(study)
    remove_rows(MaskedText.objects.filter(output__study=study))
    remove_rows(Output.objects.filter(study=study))
    remove_rows(StyleLexicon.objects.filter(study=study))
    for job in Job.objects.filter(study=study):
        if job.kind == "export":
            export_path(job).unlink(missing_ok=True)
        elif path := job.parameters.get("path"):
            discard_upload(Path(str(path)))
    with write_turn(), permitted("delete"):
        entries = AuditEntry.objects.filter(study=study)
        asked = entries.filter(action="ask for deletion").first()
        AuditEntry.record(
            None,
            asked.actor if asked else None,
            "delete study",
            study.slug,
            before={"created_at": study.created_at.isoformat()},
            after={"asked_at": asked.created_at.isoformat() if asked else None},
        )
        entries._raw_delete(entries.db)
        study.delete()
