"""Tar archives, plain or compressed, unpacked as they stream, trusting nothing in their headers."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Self, cast

from corpus.tabular.archives import CHUNK, check_name, is_hidden, refused
from corpus.tabular.files import check_expansion
from corpus.tabular.limits import Limits

DAMAGE = (OSError, EOFError, zlib.error, lzma.LZMAError)
# What tarfile makes of headers whose bytes were changed.
_NO_HEADER = (tarfile.TarError, ValueError, IndexError, OverflowError, RecursionError)


def is_tar(path: Path) -> bool:
    """Whether a file, once unpacked, begins with the header of a tar archive."""
    with path.open("rb") as raw:
        try:
            block = _unpacking(raw).read(tarfile.BLOCKSIZE)
            tarfile.TarInfo.frombuf(block, "utf-8", "replace")
        except (*DAMAGE, *_NO_HEADER):
            return False
    return True


def unpack_tar(archive: Path, folder: Path, limits: Limits) -> list[tuple[str, Path]]:
    """Unpack a tar archive into numbered files, as `unpack` does a zip archive.

    Raises
    ------
    TableError
        If the archive is damaged or cut off, or a member is a link or a device, named twice,
        named to lie outside the archive, or too large. Names the member.
    """
    with archive.open("rb") as raw:
        stream = _Bounded(raw, archive.name, limits)
        try:
            with tarfile.open(
                fileobj=cast(IO[bytes], stream),
                mode="r|",
                tarinfo=_Strict,
                bufsize=CHUNK,
                errors="replace",
            ) as opened:
                found = list(_unpacked(opened, archive.name, folder, limits))
            while stream.read(CHUNK):
                pass  # the sum at the end tells whether all bytes came
        except _NO_HEADER as error:
            raise refused(
                archive.name, str(error), "a whole tar archive", "Make the archive again."
            ) from error
    return found


def _unpacking(raw: IO[bytes]) -> IO[bytes]:
    """Return the unpacked bytes of a file, by which it is compressed."""
    head = raw.read(6)
    raw.seek(0)
    if head.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=raw)  # type: ignore[return-value]
    if head.startswith(b"BZh"):
        return bz2.BZ2File(raw)
    if head.startswith(b"\xfd7zXZ\x00"):
        return lzma.LZMAFile(raw)
    return raw


class _Bounded:
    """The unpacked bytes of an archive; a bomb is noticed while it unpacks."""

    def __init__(self, raw: IO[bytes], name: str, limits: Limits) -> None:
        self._raw, self._name, self._limits = raw, name, limits
        self._stream = _unpacking(raw)
        self._unpacked = 0

    def read(self, size: int) -> bytes:
        try:
            data = self._stream.read(size)
        except DAMAGE as error:
            raise refused(
                self._name, str(error), "a whole tar archive", "Make the archive again."
            ) from error
        self._unpacked += len(data)
        check_expansion(self._name, self._unpacked, max(self._raw.tell(), 1), self._limits)
        return data


class _Strict(tarfile.TarInfo):
    """A header of a member; one that is damaged is no end of the archive."""

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> Self:
        try:
            return super().fromtarfile(archive)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
            raise
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(f"a header that is cut off or damaged ({error})") from None


def _unpacked(
    opened: tarfile.TarFile, archive: str, folder: Path, limits: Limits
) -> Iterator[tuple[str, Path]]:
    seen: set[str] = set()
    count = 0
    while (member := opened.next()) is not None:
        opened.members.clear()  # type: ignore[attr-defined]
        count += 1
        if count > limits.members:
            expected = f"at most {limits.members}"
            raise refused(archive, f"more than {count - 1} files", expected, "Send fewer files.")
        check_name(member.name, seen, limits)
        name = str(PurePosixPath(member.name))
        if member.isdir():
            continue
        if not member.isreg() or member.issparse():
            found = "a link" if member.issym() or member.islnk() else "no ordinary file"
            raise refused(name, found, "a file", "Put the file itself into the archive.")
        packed = opened.extractfile(member)
        if packed is None or is_hidden(name):
            continue
        target = folder / f"{count:05d}"
        try:
            with target.open("xb") as unpacked:
                while data := packed.read(CHUNK):
                    unpacked.write(data)
        except BaseException:
            target.unlink()
            raise
        yield name, target
