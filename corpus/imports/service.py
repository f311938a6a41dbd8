"""Asking for imports: the one service behind the page, the command and the API."""

import re
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.text import slugify

from corpus.imports.options import ImportOptions
from corpus.jobs.queue import ask_for_job
from corpus.models import AuditEntry, Job, Membership, Study

RESERVED_SLUGS = frozenset({"new"})
"""Names of pages, which no study can have."""


class StudyExists(ValueError):
    """A study cannot have this name."""

    def __init__(self, slug: str) -> None:
        # One sentence for all reasons: it must not tell which studies of others there are.
        super().__init__(
            f"the name {slug!r} is not available: it is that of a page, or of a study that you may "
            "not see or that was deleted a short time ago; choose another name"
        )


def default_slug(path: Path) -> str:
    """Return the slug that a folder, archive or file gives its study."""
    name = path.name if path.is_dir() else re.sub(r"(\.\w+)+$", "", path.name)
    return slugify(name)[:100] or "study"


def create_study(slug: str, user: User | None, *, title: str = "", language: str = "en") -> Study:
    """Create an empty study owned by `user`.

    Raises
    ------
    StudyExists
        If the slug is taken, or the name of a page.
    """
    if slug in RESERVED_SLUGS:
        raise StudyExists(slug)
    try:
        with transaction.atomic():
            study = Study.objects.create(slug=slug, title=title, language=language)
            if user is not None:
                Membership.objects.create(study=study, user=user, role=Membership.Role.OWNER)
                AuditEntry.record(study, user, "create", slug)
    except IntegrityError:
        raise StudyExists(slug) from None
    return study


def withdraw_study(study: Study) -> None:
    """Remove a study that a command created and into which nothing was ever imported."""
    if study.revision == 0 and not study.audit_entries.exists():
        study.delete()


def ask_for_import(study: Study, path: Path, options: ImportOptions, user: User | None) -> Job:
    """Queue an import of one study; only one of a study waits or runs at a time.

    Raises
    ------
    JobActive
        If another import of the study has not ended.
    """
    return ask_for_job(
        "import", import_key(study), study=study, user=user, parameters=import_job(path, options)
    )


def import_key(study: Study) -> str:
    """Name what two imports must not do at a time."""
    return f"import:{study.pk}"


def import_job(path: Path, options: ImportOptions) -> dict[str, Any]:
    """Return the parameters of an import job."""
    return {"path": str(path.resolve()), "options": options.to_dict()}
