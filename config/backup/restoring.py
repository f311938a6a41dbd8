"""Restoring a backup: verified first, put in place last, and undone if anything fails."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader

from config.backup.journal import Journal, undo_unfinished, undone_unless_whole
from config.backup.making import FILES, KEY, kept_files, name_at, this_engine
from config.backup.manifest import MANIFEST, BackupError, Contents, Manifest, version_key
from config.private_files import copy_file, private_folder, sync_names
from corpus.storage.faults import DAMAGED, storage_fault


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did.

    Attributes
    ----------
    manifest
        Of the backup.
    aside
        Where the database and files are that were there before.
    undone
        The backup of a restore that was killed and had to be undone first, or nothing.
    """

    manifest: Manifest
    aside: list[str]
    undone: str = ""


def undo() -> str:
    """Put back what a restore moved that was killed; return its backup, or nothing.

    Raises
    ------
    BackupError
        If it still runs.
    """
    return undo_unfinished(this_engine(), *_places())


def restore(folder: Path, *, replace: bool, now: datetime) -> Restored:
    """Put the database, the files and the secret key of a backup in place.

    Raises
    ------
    BackupError
        If the backup is damaged or of a newer version, or the present database is in use or, unless
        it is to be replaced, not empty. Then nothing was changed.
    """
    engine = this_engine()
    manifest = Manifest.read(folder)
    _check(manifest, folder)
    files, key = _places()
    undone = undo()
    if engine.is_in_use():
        raise BackupError("The database is in use. Stop Touchstone, its workers too, then restore.")
    if not replace and (engine.is_filled() or kept_files(files)):
        raise BackupError(
            "This site has data. Restore with --replace: it moves the present database and files "
            "aside first. Or restore where TOUCHSTONE_DATA and DATABASE_URL name an empty place."
        )
    new_files, new_key = (path.with_name(f"{path.name}.restoring") for path in (files, key))
    suffix = f"before-restore-{name_at(now)}"
    try:
        pairs = [(_copy_files(manifest, folder, new_files), files)]
        if KEY in manifest.files:
            new_key.unlink(missing_ok=True)
            copy_file(folder / KEY, new_key)
            pairs.append((new_key, key))
        journal = Journal(str(folder), suffix, engine.is_filled(), files.exists(), key.exists())
        with (
            undone_unless_whole(journal, engine, files, key),
            engine.restored(folder / engine.FILE, suffix) as put_in_place,
        ):
            with _blamed_on(folder / engine.FILE):
                _compare(manifest.contents, engine.contents())
                call_command("migrate", verbosity=0, skip_checks=True)
            aside = _exchange(pairs, suffix)
            former = put_in_place()
    finally:
        shutil.rmtree(new_files, ignore_errors=True)
        new_key.unlink(missing_ok=True)
    return Restored(manifest, [*([former] if former else []), *map(str, aside)], undone)


def _places() -> tuple[Path, Path]:
    """Return where the files and the secret key are."""
    return Path(settings.MEDIA_ROOT), Path(settings.DATA_DIR) / KEY


def _check(manifest: Manifest, folder: Path) -> None:
    if manifest.engine != connection.vendor:
        raise BackupError(
            f"The backup is of a database in {manifest.engine}, and this site uses "
            f"{connection.vendor}. Restore it into {manifest.engine} (DATABASE_URL)."
        )
    loader = MigrationLoader(None, ignore_no_migrations=True)
    unknown = [
        f"{app}.{name}"
        for app, name in manifest.contents.migrations.items()
        if app in loader.migrated_apps and (app, name) not in loader.disk_migrations
    ]
    if unknown or version_key(manifest.version) > version_key(settings.VERSION):
        raise BackupError(
            f"The backup is of Touchstone {manifest.version}, which is newer than this one "
            f"({settings.VERSION}){': it lacks ' + ', '.join(unknown) if unknown else ''}. "
            "Install that version or a later one, then restore."
        )
    if this_engine().FILE not in manifest.files:
        raise BackupError(
            f"{folder / MANIFEST} is damaged: it does not list {this_engine().FILE}. Take another "
            "backup."
        )
    if problems := manifest.problems(folder):
        raise BackupError(
            "\n".join(["The backup is damaged; nothing was changed. Take another one.", *problems])
        )


@contextmanager
def _blamed_on(database: Path) -> Iterator[None]:
    """Say of damage that it is in a backup: the database of the server is another one."""
    try:
        yield
    except (sqlite3.DatabaseError, DatabaseError) as error:
        if storage_fault(error) not in (None, DAMAGED):
            raise
        raise BackupError(
            f"The database in the backup is damaged ({database}: {error}). Nothing was changed. "
            "Take another backup."
        ) from error


def _copy_files(manifest: Manifest, folder: Path, target: Path) -> Path:
    shutil.rmtree(target, ignore_errors=True)
    private_folder(target)
    for name in manifest.files:
        if name.startswith(f"{FILES}/"):
            copy_file(folder / name, target / name.removeprefix(f"{FILES}/"))
    return target


def _compare(expected: Contents, found: Contents) -> None:
    tables = sorted(expected.rows.keys() | found.rows.keys())
    wrong = [
        f"{table}: {found.rows.get(table, 0):,} rows instead of {expected.rows.get(table, 0):,}"
        for table in tables
        if expected.rows.get(table, 0) != found.rows.get(table, 0)
    ]
    if wrong:
        raise BackupError(
            "\n".join(
                ["The restored rows are not those of the backup; nothing was changed.", *wrong]
            )
        )


def _exchange(pairs: list[tuple[Path, Path]], suffix: str) -> list[Path]:
    """Put files and folders in place of others on the same file system.

    Parameters
    ----------
    pairs
        What is put in place, and where.
    suffix
        Is added to the names of what was there.

    Returns
    -------
    list of Path
        Where that is now.
    """
    aside = []
    for new, place in pairs:
        if place.exists():
            aside.append(place.with_name(f"{place.name}.{suffix}"))
            place.rename(aside[-1])
        new.rename(place)
        sync_names(place.parent)
    return aside
