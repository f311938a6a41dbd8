"""The folder of backups: their names, which is the latest, which are deleted."""

import re
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

from config.backup.manifest import BackupError, Manifest

_NAME = re.compile(r"\d{8}T\d{6}Z")
_FORM = "%Y%m%dT%H%M%SZ"
UNFINISHED = "unfinished-"


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
