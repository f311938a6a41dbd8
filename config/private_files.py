"""Files that only the account that runs Touchstone may read, the secret key among them."""

import contextlib
import os
import secrets
import shutil
import stat
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

OTHERS = stat.S_IRWXG | stat.S_IRWXO
FEWEST_CHARACTERS = 32
FEWEST_DIFFERENT = 10
MARK_OF_EXAMPLES = "django-insecure-"


def private_folder(folder: Path) -> None:
    """Make a folder, and those around it that are missing, for nobody else."""
    if not folder.is_dir():
        private_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def close_folder(folder: Path) -> None:
    """Make a folder that nobody else may open; close one that was made before."""
    private_folder(folder)
    _close(folder)


def private_file(path: Path) -> Any:
    """Open a new file for writing that nobody else may read."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def copy_file(source: Path, target: Path) -> None:
    """Copy a file, to the disk and for nobody else's eyes."""
    private_folder(target.parent)
    with source.open("rb") as read, private_file(target) as written:
        shutil.copyfileobj(read, written, 1 << 20)
        written.flush()
        os.fsync(written.fileno())


def sync_names(folder: Path) -> None:
    """Let the names of files in a folder outlast a loss of power."""
    handle = os.open(folder, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


def close_database(name: str) -> None:
    """Make the file of an SQLite database before SQLite does, which gives it to everybody.

    The files beside it (`-wal`, `-shm`) are made with the permissions that it has. A file that is
    there is never opened: closing it again would drop the locks that other connections of this
    process have on it, and another process could then delete the write-ahead log under them.
    """
    if not name or name == ":memory:" or name.startswith("file:"):
        return
    with contextlib.suppress(OSError):  # SQLite says what is wrong in its own words.
        os.close(os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    for path in (name, f"{name}-wal", f"{name}-shm"):
        with contextlib.suppress(FileNotFoundError):
            _close(Path(path))


def _close(path: Path) -> None:
    """Take the rights of others away, unless the file is somebody else's or a place for all."""
    found = path.stat()
    if found.st_uid == os.geteuid() and found.st_mode & OTHERS and not found.st_mode & stat.S_ISVTX:
        path.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS)


def secret_key(folder: Path, *, may_be_weak: bool) -> str:
    """Take SECRET_KEY, or make a key and keep it in a folder.

    Raises
    ------
    ImproperlyConfigured
        If the key could be guessed and may not be.
    """
    path = folder / "secret_key"
    given = os.environ.get("SECRET_KEY")
    key = given or _kept_key(path)
    if not may_be_weak and _is_weak(key):
        raise ImproperlyConfigured(
            f"{'SECRET_KEY' if given else path} can be guessed, and whoever guesses it signs in as "
            f"anybody. It needs {FEWEST_CHARACTERS} characters, {FEWEST_DIFFERENT} of them "
            "different, and must be no example. Leave SECRET_KEY out and remove the file, and a "
            "key is made; or take what this prints: "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(50))'"
        )
    return key


def _kept_key(path: Path) -> str:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="utf-8").strip()
    key = secrets.token_urlsafe(50)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(key)
    return key


def _is_weak(key: str) -> bool:
    return (
        len(key) < FEWEST_CHARACTERS
        or len(set(key)) < FEWEST_DIFFERENT
        or key.startswith(MARK_OF_EXAMPLES)
    )
