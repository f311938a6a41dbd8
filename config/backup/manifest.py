"""What a backup holds, as its manifest says it: written last, verified first."""

import hashlib
import json
import os
import re
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from config.private_files import private_file
from corpus.storage.storable import shown, unstorable

FORMAT = "touchstone-backup/1"
MANIFEST = "manifest.json"
LONGEST_TEXT = 4096


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
        except (FileNotFoundError, NotADirectoryError):
            raise BackupError(f"{folder} is no backup: it has no {MANIFEST}.") from None
        except OSError as error:
            raise BackupError(f"{path} cannot be read ({error.strerror}).") from None
        except (ValueError, RecursionError):
            raise BackupError(f"{path} is damaged: it is no JSON. Take another backup.") from None
        if isinstance(plain, dict) and plain.get("format", FORMAT) != FORMAT:
            known = f"this version of Touchstone reads {FORMAT}"
            raise BackupError(f"{path} has the format {plain['format']!r:.50}; {known}.")
        if wrong := _wrong(plain, _SHAPE, "it"):
            raise BackupError(f"{path} is damaged: {wrong}. Take another backup.")
        if plain.pop("sha256") != _hash_of(plain):
            raise BackupError(f"{path} is damaged: its hash differs. Take another backup.")
        del plain["format"]
        files = {name: StoredFile(**each) for name, each in plain.pop("files").items()}
        return cls(**plain | {"contents": Contents(**plain["contents"]), "files": files})

    def problems(self, folder: Path) -> list[str]:
        """Return what is wrong with the files of this backup, in words."""
        return [
            f"{shown(name)}: {problem}"
            for name, stored in self.files.items()
            if (problem := _problem(folder, name, stored))
        ]


def stored_file(path: Path) -> StoredFile:
    """Return the hash and size of a file."""
    with path.open("rb") as file:
        return StoredFile(hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size)


def version_key(version: str) -> tuple[int, ...]:
    """Return a version in a form that sorts."""
    return tuple(int(part) for part in re.findall(r"\d+", version))


_SHAPE = {
    **dict.fromkeys(("format", "sha256", "version", "made_at", "engine", "database"), str),
    "contents": {"rows": {str: int}, "migrations": {str: str}},
    "files": {str: {"sha256": str, "bytes": int}},
}
"""What a manifest holds: names and their values; under a type, any number of names."""
_NAMES = {str: "a text", int: "a whole number"}


def _wrong(value: Any, shape: Any, name: str) -> str:
    """Return the first thing that is not of a shape, in words; empty if there is none."""
    if not isinstance(shape, dict):
        if type(value) is not shape:
            return f"{name} is not {_NAMES[shape]}"
        return f"{name} is too long" if len(str(value)) > LONGEST_TEXT else ""
    if not isinstance(value, dict):
        return f"{name} is not an object"
    if str in shape:
        shape = dict.fromkeys(value, shape[str])
    if different := sorted(shape.keys() ^ value.keys()):
        return f"{name} {'has' if different[0] in value else 'lacks'} {different[0]!r:.100}"
    found = (_wrong(value[key], each, f"{key!r:.100} of {name}") for key, each in shape.items())
    return next(filter(None, found), "")


def _problem(folder: Path, name: str, stored: StoredFile) -> str:
    if unstorable(name) or PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
        return "its path leads out of the backup"
    path = folder / name
    try:
        if not path.is_file():
            return "is no file" if path.exists() else "cannot be read (it is not there)"
        found = stored_file(path)
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    if found.bytes != stored.bytes:
        return f"has {found.bytes:,} bytes instead of {stored.bytes:,}"
    return "" if found == stored else "its SHA-256 hash differs"


def _hash_of(plain: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()
