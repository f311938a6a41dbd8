"""What a backup holds, as its manifest says it: written last, verified first."""

import hashlib
import json
import os
import re
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

FORMAT = "touchstone-backup/1"
MANIFEST = "manifest.json"


class BackupError(ValueError):
    """A backup that cannot be made or restored; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a database holds.

    Attributes
    ----------
    rows
        The number of rows of each table.
    migrations
        The latest applied migration of each app.
    """

    rows: dict[str, int]
    migrations: dict[str, str]


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file of a backup."""

    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """A backup.

    Attributes
    ----------
    version
        Of the Touchstone that made it.
    made_at
        When, as the name of its folder.
    engine
        `sqlite` or `postgresql`.
    database
        Which database: a site deletes the backups of no other.
    """

    version: str
    made_at: str
    engine: str
    database: str
    contents: Contents
    files: dict[str, StoredFile]

    def write(self, folder: Path) -> None:
        """Write the manifest, with a hash of itself."""
        plain = {"format": FORMAT, **asdict(self)}
        text = json.dumps({**plain, "sha256": _hash_of(plain)}, indent=1)
        with private_file(folder / MANIFEST) as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())

    @classmethod
    def read(cls, folder: Path) -> "Manifest":
        """Read the manifest of a backup.

        Raises
        ------
        BackupError
            If there is none, or it is damaged or of a format that this version does not know.
        """
        path = folder / MANIFEST
        try:
            plain = json.loads(path.read_bytes())
            written = plain.pop("sha256")
            format_name = plain.pop("format")
        except FileNotFoundError:
            raise BackupError(f"{folder} is no backup: it has no {MANIFEST}.") from None
        except (ValueError, KeyError, AttributeError):
            raise BackupError(f"{path} is damaged. Take another backup.") from None
        if format_name != FORMAT:
            raise BackupError(
                f"{folder} has the format {format_name}; this version of Touchstone reads {FORMAT}."
            )
        if written != _hash_of({"format": format_name, **plain}):
            raise BackupError(f"{path} is damaged: its hash differs. Take another backup.")
        files = {name: StoredFile(**each) for name, each in plain.pop("files").items()}
        return cls(**plain | {"contents": Contents(**plain["contents"]), "files": files})

    def problems(self, folder: Path) -> list[str]:
        """Return what is wrong with the files of this backup, in words."""
        return [
            f"{name}: {problem}"
            for name, stored in self.files.items()
            if (problem := _problem(folder, name, stored))
        ]


def private_file(path: Path) -> Any:
    """Open a new file for writing that nobody else may read."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def stored_file(path: Path) -> StoredFile:
    """Return the hash and size of a file."""
    with path.open("rb") as file:
        return StoredFile(hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size)


def version_key(version: str) -> tuple[int, ...]:
    """Return a version in a form that sorts."""
    return tuple(int(part) for part in re.findall(r"\d+", version))


def _problem(folder: Path, name: str, stored: StoredFile) -> str:
    if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
        return "its path leads out of the backup"
    path = folder / name
    try:
        found = stored_file(path)
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    if found.bytes != stored.bytes:
        return f"has {found.bytes:,} bytes instead of {stored.bytes:,}"
    return "" if found == stored else "its SHA-256 hash differs"


def _hash_of(plain: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()
