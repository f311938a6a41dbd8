"""Making a backup: whole or not at all, while the site runs; and the folder of backups."""

import contextlib
import re
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType

from django.conf import settings
from django.db import connection

from config.backup import postgresql, sqlite
from config.backup.journal import REMEDY, unfinished_restore
from config.backup.manifest import BackupError, Manifest, stored_file
from config.private_files import copy_file, private_folder, sync_names

FILES = "files"
KEY = "secret_key"
MADE_ANEW = ("columns", "embeddings", "work")
"""Folders of files that are computed again, or are of use only to the process that writes them."""
_NAME = re.compile(r"\d{8}T\d{6}Z")
_FORM = "%Y%m%dT%H%M%SZ"
UNFINISHED = "unfinished-"


def this_engine() -> ModuleType:
    """Return the module that backs this site's database up."""
    return sqlite if connection.vendor == "sqlite" else postgresql


def back_up(
    folder: Path, *, keep: int, now: datetime, unless_within: timedelta = timedelta(0)
) -> Path | None:
    """Make a backup in a folder and delete all but the newest of this site.

    The database comes first: a file that its rows name was there before it, or is deleted.

    Parameters
    ----------
    unless_within
        No backup is made if the latest is younger.

    Returns
    -------
    Path or None
        The backup; None if none was needed, or another process is making one.

    Raises
    ------
    BackupError
        If it cannot be made; nothing is left behind, and no backup is deleted.
    """
    if problem := unfinished_restore():
        raise BackupError(f"{problem} {REMEDY}")
    engine = this_engine()
    private_folder(folder)
    with engine.alone(folder) as is_first:
        before = kept_backups(folder, engine.address())
        if not is_first or (before and age_of(before[-1], now) < unless_within):
            return None
        delete_unfinished(folder)
        _check_room(folder, engine)
        name = name_at(now)
        if (folder / name).exists():
            raise BackupError(f"{folder / name} exists already. Try again in a second.")
        unfinished = folder / f"{UNFINISHED}{name}"
        unfinished.mkdir(mode=0o700)
        try:
            _fill(unfinished, name, engine)
            unfinished.rename(folder / name)
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise
        sync_names(folder)
        delete_older(folder, engine.address(), keep)
    return folder / name


def _fill(folder: Path, name: str, engine: ModuleType) -> None:
    contents = engine.copy(folder / engine.FILE)
    copy_kept(Path(settings.MEDIA_ROOT), folder / FILES)
    key = Path(settings.DATA_DIR) / KEY
    if key.exists():
        copy_file(key, folder / KEY)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    Manifest(
        version=settings.VERSION,
        made_at=name,
        engine=connection.vendor,
        database=engine.address(),
        contents=contents,
        files={path.relative_to(folder).as_posix(): stored_file(path) for path in files},
    ).write(folder)
    sync_names(folder)


def _check_room(folder: Path, engine: ModuleType) -> None:
    root = Path(settings.MEDIA_ROOT)
    needed = engine.size() + sum((root / name).stat().st_size for name in kept_files(root))
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise BackupError(
            f"A backup needs {needed >> 20:,} MiB, and {folder} has {free >> 20:,} MiB left. Free "
            "some space, set BACKUP_FOLDER to another disk, or keep fewer backups (BACKUP_KEEP)."
        )


def kept_files(root: Path) -> list[Path]:
    """Return the files below a folder that a backup keeps, relative to it."""
    found = []
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        unfinished = any(part.endswith(".part") for part in name.parts)
        if name.parts[0] not in MADE_ANEW and not unfinished and path.is_file():
            found.append(name)
    return found


def copy_kept(root: Path, target: Path) -> None:
    """Copy the kept files of a folder; one that is deleted meanwhile is left out."""
    for name in kept_files(root):
        with contextlib.suppress(FileNotFoundError):
            copy_file(root / name, target / name)


# The folder of backups


def name_at(now: datetime) -> str:
    """Return the name of a backup that begins now."""
    return now.astimezone(UTC).strftime(_FORM)


def kept_backups(folder: Path, database: str) -> list[Path]:
    """Return the backups of a database in a folder, the oldest first."""
    found = sorted(path for path in folder.glob("*") if _NAME.fullmatch(path.name))
    return [path for path in found if _is_of(path, database)]


def age_of(backup: Path, now: datetime) -> timedelta:
    """Return how long ago a backup began."""
    return now - datetime.strptime(backup.name, _FORM).replace(tzinfo=UTC)


def delete_older(folder: Path, database: str, keep: int) -> None:
    """Delete all backups of a database but the newest."""
    for path in kept_backups(folder, database)[:-keep]:
        shutil.rmtree(path)


def delete_unfinished(folder: Path) -> None:
    """Delete what backups left behind that were stopped; no other may run."""
    for path in folder.glob(f"{UNFINISHED}*"):
        if _NAME.fullmatch(path.name.removeprefix(UNFINISHED)):
            shutil.rmtree(path)


def _is_of(path: Path, database: str) -> bool:
    try:
        return Manifest.read(path).database == database
    except (BackupError, OSError):
        return False
