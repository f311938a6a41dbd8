"""The files of a site in a backup: which are kept, how they are copied, how they are exchanged."""

import contextlib
import os
import shutil
from pathlib import Path

from config.backup.manifest import private_file
from config.private_files import private_folder

MADE_ANEW = ("columns", "embeddings", "work")
"""Folders of files that are computed again, or are of use only to the process that writes them."""


def kept_files(root: Path) -> list[Path]:
    """Return the files below a folder that a backup keeps, relative to it."""
    found = []
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        unfinished = any(part.endswith(".part") for part in name.parts)
        if name.parts[0] not in MADE_ANEW and not unfinished and path.is_file():
            found.append(name)
    return found


def copy_file(source: Path, target: Path) -> None:
    """Copy a file, to the disk and for nobody else's eyes."""
    private_folder(target.parent)
    with source.open("rb") as read, private_file(target) as written:
        shutil.copyfileobj(read, written, 1 << 20)
        written.flush()
        os.fsync(written.fileno())


def copy_kept(root: Path, target: Path) -> None:
    """Copy the kept files of a folder; one that is deleted meanwhile is left out."""
    for name in kept_files(root):
        with contextlib.suppress(FileNotFoundError):
            copy_file(root / name, target / name)


def exchange(pairs: list[tuple[Path, Path]], suffix: str) -> list[Path]:
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


def sync_names(folder: Path) -> None:
    """Let the names of files in a folder outlast a loss of power."""
    handle = os.open(folder, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)
