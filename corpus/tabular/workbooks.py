"""The parts of a workbook (a zip archive of XML), unpacked within bounds."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from corpus.tabular.files import SourceFile, check_expansion
from corpus.tabular.guarded_xml import GuardedParser
from corpus.tabular.limits import Limits
from corpus.tabular.problems import Problem, TableError, shorten

MOST_SHEETS = 1000
Row = tuple[int, dict[int, Any]]
"""Number of a row and its cells by the number of their column, both counted from 1."""
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError,
    ValueError, OverflowError, IndexError, KeyError, struct.error,
)  # fmt: skip


class Parts:
    """The parts of an open workbook.

    Parameters
    ----------
    archive
        The workbook.
    source
        The file, whose name problems carry.
    limits
        How much its parts may hold, all together and compared with their packed size.
    """

    def __init__(self, archive: zipfile.ZipFile, source: SourceFile, limits: Limits) -> None:
        self.name = source.name
        self.limits = limits
        self._archive = archive
        self._packed = max(source.path.stat().st_size, 1)
        self._unpacked: dict[str, int] = {}
        self.kept: dict[str, Any] = {}
        """What is read once and used for every sheet."""
        if len(archive.infolist()) > limits.members:
            raise damaged(source.name, f"{len(archive.infolist())} parts")

    def __contains__(self, part: str) -> bool:
        return part in self._archive.namelist()

    @contextmanager
    def open(self, part: str) -> Iterator[BoundedPart]:
        """Open one part; `KeyError` if there is none."""
        info = self._archive.getinfo(part)
        with self._archive.open(info) as stream:
            yield BoundedPart(self, part, stream, max(info.compress_size, 1))

    def count(self, part: str, unpacked: int) -> None:
        """Count what a part held so far; `TableError` if all are too much for the whole file.

        What is read once more, for another sheet, is no more than it was.
        """
        self._unpacked[part] = max(unpacked, self._unpacked.get(part, 0))
        check_expansion(self.name, sum(self._unpacked.values()), self._packed, self.limits)

    def check_sheets(self, number: int) -> None:
        """Raise a `TableError` if there are more sheets than anybody looks at."""
        if number > MOST_SHEETS:
            raise TableError(
                Problem(
                    self.name,
                    found=f"more than {MOST_SHEETS:,} sheets",
                    expected="fewer",
                    message="Put rows of one kind into one sheet, or save the sheets as CSV.",
                    code="too-much",
                )
            )


class BoundedPart:
    """The bytes of one part."""

    def __init__(self, parts: Parts, part: str, stream: IO[bytes], packed: int) -> None:
        self._parts, self._part, self._stream = parts, part, stream
        self._packed, self._unpacked = packed, 0

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes, none at the end; `TableError` for a bomb."""
        data = self._stream.read(size)
        self._unpacked += len(data)
        self._parts.count(self._part, self._unpacked)
        check_expansion(self._parts.name, self._unpacked, self._packed, self._parts.limits)
        return data


@contextmanager
def open_workbook(source: SourceFile, limits: Limits) -> Iterator[Parts]:
    """Open a workbook; whatever is wrong with it, then or while it is read, is a `TableError`."""
    try:
        with zipfile.ZipFile(source.path) as archive:
            yield Parts(archive, source, limits)
    except _DAMAGE as error:
        raise damaged(source.name, _fault(error)) from error


def _fault(error: Exception) -> str:
    """Say what an error says of a workbook; the words of a library say nothing to its owner."""
    if isinstance(error, RuntimeError) and "password" in str(error):
        return "a workbook with a password"
    if isinstance(error, NotImplementedError):
        return "a part packed by a method that is not supported"
    if isinstance(error, KeyError):
        return "a workbook without one of its parts"
    # Of a workbook without its beginning a part would start before the first byte.
    if isinstance(error, zipfile.BadZipFile | zlib.error | EOFError | OSError | struct.error):
        return "a file that is cut off or changed"
    return "a number or reference that cannot be read"


def damaged(name: str, found: str, cell: str | None = None) -> TableError:
    """Return the error of a workbook that cannot be read."""
    return TableError(
        Problem(
            name,
            found=shorten(found),
            expected="a whole workbook without password",
            message="Save it again in a spreadsheet program, or each sheet as CSV (UTF-8).",
            code="damaged",
            cell=cell,
        )
    )


class PartParser(GuardedParser):
    """A parser of one part of a workbook."""

    def __init__(self, name: str, limits: Limits) -> None:
        super().__init__(name, limits, namespaces=True)

    def at_hand(self) -> tuple[str | None, str]:
        """Return the cell that is being read and what it holds, if it is a cell."""
        return None, ""

    def unreadable(self, error: Exception) -> TableError:
        """Return an error with the cell; the words of Python say nothing to its owner."""
        cell, held = self.at_hand()
        found = f"{held or 'something'}, which is no value of a cell" if cell else _fault(error)
        return damaged(self._name, found, cell)


class Elements(PartParser):
    """The elements of a small part, as local name and attributes without namespaces."""

    def __init__(self, name: str, limits: Limits) -> None:
        super().__init__(name, limits)
        self.found: list[tuple[str, dict[str, str]]] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Keep an element."""
        if len(self.found) > self._limits.cells // 100:
            raise self.broken("too many elements", "a smaller workbook")
        plain = {local(key): value for key, value in attributes.items()}
        self.found.append((local(name), plain))


def elements(parts: Parts, part: str) -> list[tuple[str, dict[str, str]]]:
    """Return the elements of a part in their order."""
    parser = Elements(parts.name, parts.limits)
    with parts.open(part) as stream:
        for _ in parser.feed(stream):
            pass
    return parser.found


def local(name: str) -> str:
    """Return a name without its namespace."""
    return name.rpartition(" ")[2]
