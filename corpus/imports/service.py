"""Asking for imports: the one service behind the page, the command and the API."""

import re
import shutil
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.utils.text import slugify

from corpus.imports.options import ImportOptions
from corpus.jobs.queue import ask_for_job
from corpus.models import AuditEntry, Job, Membership, Study


class StudyExists(ValueError):
    """There is a study of that slug already."""


class NotAnUpload(ValueError):
    """A name that is not that of files uploaded for import."""


def slug_of(path: Path) -> str:
    """Return the slug that a folder, archive or file gives its study."""
    name = path.name if path.is_dir() else re.sub(r"(\.\w+)+$", "", path.name)
    return slugify(name)[:100] or "study"


def create_study(
    slug: str, user: AbstractUser | None, *, title: str = "", language: str = "en"
) -> Study:
    """Create an empty study owned by `user`.

    Raises
    ------
    StudyExists
        If the slug is taken.
    """
    try:
        with transaction.atomic():
            study = Study.objects.create(slug=slug, title=title, language=language)
            if user is not None:
                Membership.objects.create(study=study, user=user, role=Membership.Role.OWNER)
            AuditEntry.objects.create(study=study, actor=user, action="create", object=slug)
    except IntegrityError:
        raise StudyExists(f"there is a study {slug!r} already; choose another name") from None
    return study


def keep_upload(files: Iterable[UploadedFile]) -> str:
    """Write uploaded files into a folder of their own; return its name."""
    name = uuid.uuid4().hex
    folder = upload_folder(name)
    folder.mkdir(parents=True)
    try:
        for file in files:
            # Browsers send names without folders; what else they send must not lead outside.
            target = folder / (Path(str(file.name).replace("\\", "/")).name or "file")
            with target.open("xb") as handle:
                for chunk in file.chunks():
                    handle.write(chunk)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return name


def upload_folder(name: str) -> Path:
    """Return the folder of an upload.

    Raises
    ------
    NotAnUpload
        If the name could not have come from `keep_upload`.
    """
    if not re.fullmatch(r"[0-9a-f]{32}", name):
        raise NotAnUpload(f"{name!r} is not the name of an upload")
    return Path(settings.MEDIA_ROOT) / "uploads" / name


def upload_path(name: str) -> Path:
    """Return what an import reads: the one file of an upload, or its folder."""
    folder = upload_folder(name)
    members = list(folder.iterdir()) if folder.is_dir() else []
    if not members:
        raise NotAnUpload("these uploaded files are gone; upload them again")
    return members[0] if len(members) == 1 else folder


def ask_for_import(
    study: Study, path: Path, options: ImportOptions, user: AbstractUser | None
) -> Job:
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
