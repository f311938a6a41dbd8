"""Archives, zip or tar, unpacked as they stream, trusting nothing that their headers say."""

import bz2
import errno
import gzip
import lzma
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple, Self, cast

from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import check_expansion
from corpus.tabular.problems import TableError, refused, shorten

CHUNK = 1 << 16
TAR_ENDINGS = (".tar", ".tgz", ".tbz2", ".txz", ".tar.bz2", ".tar.xz")
DAMAGE = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, struct.error, EOFError),
    # What zipfile and tarfile make of headers whose bytes were changed.
    *(OSError, ValueError, IndexError, OverflowError, RuntimeError),
)
"""What reading an archive raises whose bytes were changed; a workbook is an archive too."""


class _Member(NamedTuple):
    name: str
    fault: str
    """The kind of problem of a member that is no plain file; else empty."""
    pieces: Iterator[bytes]


def is_archive(path: Path) -> bool:
    """Whether a file is an archive, by its content, or else by a name that says tar."""
    if zipfile.is_zipfile(path) or path.name.lower().removesuffix(".gz").endswith(TAR_ENDINGS):
        return True
    with path.open("rb") as raw:
        try:
            tarfile.TarInfo.frombuf(_unpacking(raw).read(tarfile.BLOCKSIZE), "utf-8", "replace")
        except DAMAGE:
            return False
    return True


def is_hidden(name: str) -> bool:
    """Whether a path belongs to the system rather than to the study."""
    return any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(name).parts)


def unpack(archive: Path, folder: Path, limits: Limits) -> list[tuple[str, Path]]:
    """Unpack an archive into numbered files of a folder, or nothing of it.

    Returns
    -------
    list of tuple
        Name of each member and where it lies now, in the archive's order; without folders and
        hidden files.

    Raises
    ------
    TableError
        If the archive is damaged or cut off, or a member is a link or a device, encrypted, named
        twice, named to lie outside the archive, or too large. Names the member.
    """
    is_zip = zipfile.is_zipfile(archive)
    members = (_of_zip if is_zip else _of_tar)(archive, limits)
    seen: set[str] = set()
    found: list[tuple[str, Path]] = []
    whole = archive.name, f"a whole {'zip' if is_zip else 'tar'} archive"
    at, expected = whole
    try:
        for member in members:
            _check_name(member.name, seen, archive.name, limits)
            if member.fault:
                raise refused(member.fault, member.name)
            name = str(PurePosixPath(member.name))
            if is_hidden(name):
                continue
            target = folder / f"{len(found):05d}"
            found.append((name, target))
            at, expected = name, "a whole file"
            with target.open("xb") as unpacked:
                unpacked.writelines(member.pieces)
            at, expected = whole
    except (TableError, *DAMAGE) as error:
        for _, place in found:
            place.unlink(missing_ok=True)
        if isinstance(error, TableError):
            raise
        # Of an archive without its beginning a member would start before the first byte.
        is_before = isinstance(error, OSError) and error.errno == errno.EINVAL
        what = "a file that is cut off" if is_before else str(error)
        raise refused("damaged-archive", at, what, expected=expected) from error
    return found


def _check_name(name: str, seen: set[str], archive: str, limits: Limits) -> None:
    """Refuse a member whose name is long, leads out of the archive, or was seen before."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    plain = "/".join(parts)
    if len(seen) >= limits.members:
        raise refused("too-many-members", archive, most=limits.members)
    if len(name) > limits.name_characters:
        length, most = len(name), limits.name_characters
        raise refused("long-name-of-member", shorten(name), length=length, most=most)
    if ".." in parts or name.startswith(("/", "\\")) or name[1:2] == ":" or "\0" in name:
        raise refused("leads-out", name)
    if plain in seen:
        raise refused("named-twice", name)
    seen.add(plain)


def _of_zip(archive: Path, limits: Limits) -> Iterator[_Member]:
    size, total = max(archive.stat().st_size, 1), 0
    with zipfile.ZipFile(archive) as opened:

        def pieces(info: zipfile.ZipInfo) -> Iterator[bytes]:
            nonlocal total
            with opened.open(info) as packed:
                while data := packed.read(CHUNK):
                    total += len(data)
                    # Against the whole archive, for members may share their bytes.
                    check_expansion(info.filename, total, size, limits)
                    yield data

        for info in opened.infolist():
            kind = stat.S_IFMT(info.external_attr >> 16)
            fault = "encrypted" if info.flag_bits & 1 else ""
            if not info.is_dir():
                # The name as stored: zipfile cuts it at a NUL.
                fault = fault if kind in (0, stat.S_IFREG) else "link"
                yield _Member(info.orig_filename, fault, pieces(info))


def _of_tar(archive: Path, limits: Limits) -> Iterator[_Member]:
    with archive.open("rb") as raw:
        stream = cast(IO[bytes], _Bounded(raw, archive.name, limits))
        with tarfile.open(
            fileobj=stream, mode="r|", tarinfo=_Strict, bufsize=CHUNK, errors="replace"
        ) as opened:

            def pieces(member: tarfile.TarInfo) -> Iterator[bytes]:
                packed = opened.extractfile(member)
                while packed and (data := packed.read(CHUNK)):
                    yield data

            while (member := opened.next()) is not None:
                opened.members.clear()  # type: ignore[attr-defined]
                is_plain = member.isreg() and not member.issparse()
                is_link = member.issym() or member.islnk()
                if not member.isdir():
                    fault = "link" if is_link else "" if is_plain else "no-ordinary-file"
                    yield _Member(member.name, fault, pieces(member))
        while stream.read(CHUNK):
            pass  # the sum at the end tells whether all bytes came


def _unpacking(raw: IO[bytes]) -> IO[bytes]:
    """Return the unpacked bytes of a file, by which it is compressed."""
    head = raw.read(6)
    raw.seek(0)
    if head.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=raw)  # type: ignore[return-value]
    if head.startswith(b"BZh"):
        return bz2.BZ2File(raw)
    return lzma.LZMAFile(raw) if head.startswith(b"\xfd7zXZ\x00") else raw


class _Bounded:
    """The unpacked bytes of an archive; a bomb is noticed while it unpacks."""

    def __init__(self, raw: IO[bytes], name: str, limits: Limits) -> None:
        self._raw, self._name, self._limits = raw, name, limits
        self._stream, self._unpacked = _unpacking(raw), 0

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
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
