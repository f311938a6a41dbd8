"""Files that somebody sends, and how much of them is taken."""

import re
import shutil
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from corpus.models import ImportDraft
from corpus.tabular.limits import MEBIBYTE, Limits

ROWS_OF_A_PAGE = 100_000
"""Of each table; the import looks at all, and asks what they raise."""
DAYS_KEPT = 7
"""For which no import waits; `corpus.storage.pruning` removes older ones."""


def import_limits() -> Limits:
    """Return the limits of one import."""
    return Limits(
        total_bytes=settings.IMPORT_UNPACKED_MB * MEBIBYTE,
        field_characters=settings.IMPORT_CELL_CHARACTERS,
        rows=settings.IMPORT_ROWS,
        cells=settings.IMPORT_CELLS,
        text_bytes=settings.IMPORT_TEXT_MB * MEBIBYTE,
        memory_bytes=settings.IMPORT_MEMORY_MB * MEBIBYTE,
        seconds=settings.IMPORT_SECONDS,
    )


def page_limits() -> Limits:
    """Return the limits of what a page reads while somebody waits for it."""
    seconds = settings.IMPORT_PAGE_SECONDS
    return replace(import_limits(), seconds=seconds, table_rows=ROWS_OF_A_PAGE)


@contextmanager
def work_folder() -> Iterator[Path]:
    """Give an empty folder for what must be unpacked while somebody waits for a page."""
    parent = Path(settings.MEDIA_ROOT) / "work"
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mapping-", dir=parent) as folder:
        yield Path(folder)


class NotAnUpload(ValueError):
    """Files that cannot be kept, or a name that is not that of files kept for import."""


class UploadTooLarge(NotAnUpload):
    """Files that are larger together than the site allows."""


def keep_upload(files: "Sequence[UploadedFile[Any]]") -> str:
    """Write uploaded files into a folder of their own; return its name.

    Raises
    ------
    NotAnUpload
        If there is no file or two have the same name.
    UploadTooLarge
        If they are larger than the site allows.
    """
    names = [_plain_name(file) for file in files]
    if not files:
        raise NotAnUpload("there is no file; choose the files of a study, or one archive")
    if doubles := [name for name in names if names.count(name) > 1]:
        raise NotAnUpload(f"two files are named {doubles[0]}; rename one, or send an archive")
    limit = settings.UPLOAD_LIMIT_BYTES
    if sum(file.size or 0 for file in files) > limit:
        raise UploadTooLarge(
            f"the files are larger than {limit >> 20} MiB together; send an archive"
        )
    upload = uuid.uuid4().hex
    folder = uploads_folder() / upload
    folder.mkdir(parents=True)
    try:
        for name, file in zip(names, files, strict=True):
            with (folder / name).open("xb") as handle:
                for chunk in file.chunks():
                    handle.write(chunk)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return upload


def upload_path(upload: str) -> Path:
    """Return what an import reads: the one file of an upload, or its folder.

    Raises
    ------
    NotAnUpload
        If the name could not have come from `keep_upload`, or the files are gone.
    """
    if not re.fullmatch(r"[0-9a-f]{32}", upload):
        raise NotAnUpload(f"{upload!r} is not the name of an upload")
    folder = uploads_folder() / upload
    members = list(folder.iterdir()) if folder.is_dir() else []
    if not members:
        raise NotAnUpload("these uploaded files are gone; upload them again")
    return members[0] if len(members) == 1 else folder


def upload_files(upload: str) -> list[str]:
    """Return the names of the files of an upload; nothing if they are gone."""
    try:
        path = upload_path(upload)
    except NotAnUpload:
        return []
    return sorted(each.name for each in path.iterdir()) if path.is_dir() else [path.name]


def discard_upload(path: Path) -> None:
    """Remove uploaded files once they are imported; files that lie elsewhere stay."""
    uploads = uploads_folder().resolve()
    path = path.resolve()
    if uploads in path.parents:
        _remove(uploads / path.relative_to(uploads).parts[0])


def _remove(folder: Path) -> None:
    """Remove an upload, and what was chosen for it."""
    shutil.rmtree(folder, ignore_errors=True)
    ImportDraft.objects.filter(upload=folder.name).delete()


def uploads_folder() -> Path:
    """Return where uploads are kept."""
    return Path(settings.MEDIA_ROOT) / "uploads"


def _plain_name(file: "UploadedFile[Any]") -> str:
    """Return a file's name without folders, which must not lead anywhere."""
    return Path(str(file.name).replace("\\", "/")).name or "file"
