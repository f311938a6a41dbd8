"""Backups of an SQLite database: SQLite copies it, and restoring renames a copy."""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.db import connection

from config.backup.manifest import BackupError, Contents
from config.private_files import copy_file, private_file, private_folder
from corpus.storage.locks import file_lock

FILE = "database.sqlite3"
LOGS = ("-wal", "-shm")


def address() -> str:
    """Return which database this is."""
    return str(_path())


def size() -> int:
    """Return how many bytes a copy takes."""
    return sum(os.path.getsize(path) for path in _files(_path()))


@contextmanager
def alone(folder: Path) -> Iterator[bool]:
    """Let one process at a time make backups in a folder; say whether it is this one."""
    with file_lock(folder / ".turn") as take:
        yield take(False)


def copy(target: Path) -> Contents:
    """Copy the database as it is at one moment while others read and write it."""
    private_file(target).close()
    with closing(sqlite3.connect(_path())) as source, closing(sqlite3.connect(target)) as copied:
        source.backup(copied)
        # One file, which no reader of the backup changes.
        copied.execute("PRAGMA journal_mode=DELETE")
        [[found], *_] = copied.execute("PRAGMA quick_check(1)").fetchall()
        if found != "ok":
            raise BackupError(
                f"The database is damaged ({found}), so no backup was made and none was deleted. "
                "Stop Touchstone, keep a copy of the file, and restore the latest backup."
            )
        contents = _contents(copied)
    handle = os.open(target, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)
    return contents


def is_in_use() -> bool:
    """Whether another connection has the database open; if not, its log is written into it."""
    connection.close()
    if not _path().exists():
        return False
    try:
        _write_log(_path())
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            return True
    except sqlite3.Error:
        pass  # It is damaged, and what is wrong with it matters to nobody who replaces it.
    return False


def is_filled() -> bool:
    """Whether the database has tables, or cannot be read."""
    if not _path().exists():
        return False
    try:
        with closing(sqlite3.connect(_path())) as opened:
            return bool(opened.execute("SELECT 1 FROM sqlite_master").fetchone())
    except sqlite3.Error:
        return True


@contextmanager
def restored(dump: Path, suffix: str) -> Iterator[Callable[[], str]]:
    """Connect to a copy of a backup; the function that is given puts it in place.

    It returns where the present database is now. Without its call nothing changes.
    """
    place = _path()
    copied = place.with_name(f"{place.name}.restoring")
    _delete(copied)
    private_folder(place.parent)

    def put_in_place() -> str:
        connection.close()
        _write_log(copied)
        connection.settings_dict["NAME"] = str(place)
        if is_in_use():
            raise BackupError("Somebody opened the database meanwhile. Stop Touchstone first.")
        aside = place.with_name(f"{place.name}.{suffix}")
        for end in LOGS:  # Of a damaged database; one beside another database would damage that.
            with contextlib.suppress(FileNotFoundError):
                os.rename(f"{place}{end}", f"{aside}{end}")
        if had_one := place.exists():
            os.link(place, aside)
        copied.replace(place)
        return str(aside) if had_one else ""

    connection.close()
    try:
        copy_file(dump, copied)
        connection.settings_dict["NAME"] = str(copied)
        yield put_in_place
    finally:
        connection.close()
        connection.settings_dict["NAME"] = str(place)
        _delete(copied)


def put_back(suffix: str, *, had_one: bool) -> None:
    """Put the database that was there before a restore back, however far that had come."""
    connection.close()
    place = _path()
    aside = place.with_name(f"{place.name}.{suffix}")
    is_new = aside.exists() and not (place.exists() and aside.samefile(place))
    if is_new or not had_one:
        for end in ("", *LOGS):
            Path(f"{place}{end}").unlink(missing_ok=True)
    for end in (*LOGS, ""):
        with contextlib.suppress(FileNotFoundError):
            os.replace(f"{aside}{end}", f"{place}{end}")
    # Two names of one file are not replaced by each other.
    aside.unlink(missing_ok=True)


def contents() -> Contents:
    """Return what the database holds; `sqlite3.DatabaseError` if it is damaged."""
    with closing(sqlite3.connect(_path())) as opened:
        [[found], *_] = opened.execute("PRAGMA quick_check(1)").fetchall()
        if found != "ok":
            raise sqlite3.DatabaseError(found)
        return _contents(opened)


def _contents(opened: sqlite3.Connection) -> Contents:
    names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    rows = {
        name: opened.execute(f'SELECT COUNT(*) FROM "{name}"').fetchone()[0]  # noqa: S608
        for (name,) in opened.execute(f"{names} ORDER BY name").fetchall()
    }
    applied = "SELECT app, name FROM django_migrations ORDER BY id"
    return Contents(rows, dict(opened.execute(applied).fetchall()))


def _write_log(path: Path) -> None:
    """Write the log of a database into it, which is refused while anybody else has it open."""
    with closing(sqlite3.connect(path, timeout=0)) as opened:
        opened.execute("PRAGMA journal_mode=DELETE")


def _path() -> Path:
    return Path(connection.settings_dict["NAME"])


def _files(path: Path) -> list[str]:
    return [each for each in (str(path), f"{path}-wal") if os.path.exists(each)]


def _delete(path: Path) -> None:
    """Delete a copy, with its log and what locks it."""
    for each in path.parent.glob(f"{path.name}*"):
        each.unlink()
