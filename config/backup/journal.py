"""A restore on its way: what it moves aside, so that one that was killed can be undone."""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType

from django.conf import settings

from config.backup.manifest import BackupError
from config.private_files import private_file, sync_names

NAME = "restore-unfinished.json"
REMEDY = (
    "Run manage.py restore --undo, which puts back what was there before, or restore a backup, "
    "which does that first."
)


@dataclass(frozen=True, slots=True)
class Journal:
    """What a restore is about to change.

    Attributes
    ----------
    backup
        Which one is restored.
    suffix
        Is added to the names of what was there before.
    database, files, key
        Whether there was one before.
    """

    backup: str
    suffix: str
    database: bool
    files: bool
    key: bool


def unfinished_restore() -> str:
    """Return what is to be said of a restore that has not ended; empty if there is none."""
    if not _path().exists():
        return ""
    return (
        "A restore was stopped before its end, or is on its way: database and files may not belong "
        "together."
    )


@contextmanager
def undone_unless_whole(
    journal: Journal, engine: ModuleType, files: Path, key: Path
) -> Iterator[None]:
    """Write the journal, and put everything back unless the block ends well."""
    with private_file(_path()) as opened:
        # Held until this process ends, however it ends.
        fcntl.flock(opened, fcntl.LOCK_EX)
        opened.write(json.dumps(asdict(journal)).encode())
        opened.flush()
        os.fsync(opened.fileno())
        sync_names(_path().parent)
        try:
            yield
        except BaseException:
            _put_back(journal, engine, files, key)
            raise
        _path().unlink()
        sync_names(_path().parent)


def undo_unfinished(engine: ModuleType, files: Path, key: Path) -> str:
    """Undo a restore that was killed; return which backup it was of, or nothing.

    Raises
    ------
    BackupError
        If it still runs.
    """
    try:
        opened = _path().open("rb+")
    except FileNotFoundError:
        return ""
    with opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BackupError("A restore is running. Wait until it has ended.") from None
        text = opened.read()
        if not text.endswith(b"}"):  # Killed before it changed anything.
            _path().unlink()
            return ""
        journal = Journal(**json.loads(text))
        _put_back(journal, engine, files, key)
    return journal.backup


def _put_back(journal: Journal, engine: ModuleType, files: Path, key: Path) -> None:
    """Put back what was moved aside; if this is killed too, it can be done again."""
    engine.put_back(journal.suffix, had_one=journal.database)
    for place, had_one in ((files, journal.files), (key, journal.key)):
        aside = place.with_name(f"{place.name}.{journal.suffix}")
        if aside.exists() or not had_one:
            _delete(place)
        if aside.exists():
            aside.rename(place)
    _path().unlink()
    sync_names(_path().parent)


def _delete(place: Path) -> None:
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


def _path() -> Path:
    return Path(settings.DATA_DIR) / NAME
