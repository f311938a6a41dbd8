"""Zip archives and compressed files unpacked safely, trusting nothing that their headers say."""

from __future__ import annotations

import errno
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from corpus.tabular.files import SourceFile, check_expansion, open_bytes
from corpus.tabular.limits import Limits
from corpus.tabular.problems import Problem, TableError, shorten

CHUNK = 1 << 16


def refused(name: str, found: str, expected: str, message: str) -> TableError:
    """Return the error of an archive, or of one of its members."""
    return TableError(Problem(name, None, None, None, found, expected, message, "zip"))


def unpack(archive: Path, folder: Path, limits: Limits) -> list[tuple[str, Path]]:
    """Unpack a zip archive into numbered files.

    Parameters
    ----------
    archive
        The archive.
    folder
        Where the files go; members cannot choose their path in it.
    limits
        Number of members, unpacked size, and ratio, counted while unpacking.

    Returns
    -------
    list of tuple
        Name of each member and where it lies now, in the archive's order; without folders and
        hidden files.

    Raises
    ------
    TableError
        If the archive is damaged, or a member is a link, encrypted, named twice, named to lie
        outside the archive, or too large. Names the member.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            members = [info for info in opened.infolist() if not info.is_dir()]
            if len(members) > limits.members:
                raise refused(
                    archive.name,
                    f"{len(members)} files",
                    f"at most {limits.members}",
                    "Send fewer files.",
                )
            _check_members(members, limits)
            return list(_unpacked(opened, archive, members, folder, limits))
    except (zipfile.BadZipFile, NotImplementedError, struct.error, ValueError) as error:
        # A name that is no UTF-8, a version that there is not: zipfile has no word for them.
        raise refused(
            archive.name, str(error), "a whole zip archive", "Make the archive again."
        ) from error


def _check_members(members: list[zipfile.ZipInfo], limits: Limits) -> None:
    """Refuse the archive for its first member that no honest tool writes."""
    seen: set[str] = set()
    for info in members:
        # The name as stored: zipfile cuts it at a NUL.
        name = info.orig_filename
        mode = info.external_attr >> 16
        check_name(name, seen, limits)
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            raise refused(name, "a link", "a file", "Put the file itself into the archive.")
        if info.flag_bits & 1:
            raise refused(
                name, "an encrypted file", "a file without password", "Archive it unencrypted."
            )


def check_name(name: str, seen: set[str], limits: Limits) -> None:
    """Refuse a member whose name is long, leads out of the archive, or was seen before."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if len(name) > limits.name_characters:
        raise refused(
            shorten(name),
            f"a name of {len(name)} characters",
            f"at most {limits.name_characters}",
            "Give the file a shorter name, and make the archive again.",
        )
    if ".." in parts or name.startswith(("/", "\\")) or name[1:2] == ":" or "\0" in name:
        raise refused(
            name,
            "a path that leads out of the archive",
            "a relative path without ..",
            "Make the archive again from inside the study's folder.",
        )
    plain = "/".join(parts)
    if plain in seen:
        raise refused(name, "the name twice", "each name once", "Make the archive again.")
    seen.add(plain)


def _unpacked(
    opened: zipfile.ZipFile,
    archive: Path,
    members: list[zipfile.ZipInfo],
    folder: Path,
    limits: Limits,
) -> Iterator[tuple[str, Path]]:
    size = max(archive.stat().st_size, 1)
    total = 0
    for number, info in enumerate(members):
        if is_hidden(info.filename):
            continue
        target = folder / f"{number:05d}"
        written = 0
        try:
            with opened.open(info) as packed, target.open("xb") as unpacked:
                while data := packed.read(CHUNK):
                    written += len(data)
                    total += len(data)
                    # Members that share their bytes show only against the whole archive.
                    check_expansion(info.filename, written, max(info.compress_size, 1), limits)
                    check_expansion(info.filename, total, size, limits)
                    unpacked.write(data)
        except TableError:
            target.unlink(missing_ok=True)
            raise
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            RuntimeError,
            NotImplementedError,
            OSError,
        ) as error:
            target.unlink(missing_ok=True)
            # Of an archive without its beginning a member would start before the first byte.
            is_before = isinstance(error, OSError) and error.errno == errno.EINVAL
            found = "a file that is cut off" if is_before else str(error)
            raise refused(
                info.filename, found, "a whole file", "Make the archive again."
            ) from error
        yield info.filename, target


def is_hidden(name: str) -> bool:
    """Whether a path belongs to the system rather than to the study."""
    return any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(name).parts)


def gunzip(source: SourceFile, target: Path, limits: Limits) -> None:
    """Unpack one compressed file, within the limits."""
    try:
        with open_bytes(source, limits) as stream, target.open("xb") as unpacked:
            while data := stream.read(CHUNK):
                unpacked.write(data)
    except TableError:
        target.unlink(missing_ok=True)
        raise
