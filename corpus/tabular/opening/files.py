"""One file of a study: its bytes, unpacked within bounds, how it is written, and its beginning."""

import gzip
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal, NamedTuple

from corpus.tabular.limits import Limits
from corpus.tabular.problems import ProblemLog, refused, shorten

Format = Literal["csv", "tsv", "jsonl", "json", "parquet", "xlsx", "ods", "xml", "sgml", "lines"]
FORMATS: dict[str, Format] = {
    **{"csv": "csv", "tsv": "tsv", "tab": "tsv"},
    **{"jsonl": "jsonl", "ndjson": "jsonl", "json": "json", "parquet": "parquet"},
    **{"xlsx": "xlsx", "xlsm": "xlsx", "xlsb": "xlsx", "xls": "xlsx", "ods": "ods"},
    **{"xml": "xml", "sgm": "sgml", "sgml": "sgml"},
}
SHEETS = frozenset({"xlsx", "ods"})
MARKUP = frozenset({"xml", "sgml"})
SEEKABLE = frozenset({"parquet", *SHEETS})
"""Formats that are not read from beginning to end, and so are unpacked before."""
_ENDINGS = FORMATS.keys() | {"txt", "text", "dat", "data", "out", "output", "hyp", "tok", "lines"}


@dataclass(frozen=True)
class SourceFile:
    """A file that holds records.

    Attributes
    ----------
    path
        Where it is now.
    name
        What problems call it: its path inside the folder or archive.
    format
        How it is read.
    gzipped
        Whether its bytes are compressed.
    companions
        Files aligned with it line by line (references of a source file).
    sheet
        Which sheet of a workbook it is; empty for the first.
    """

    path: Path
    name: str
    format: Format
    gzipped: bool = False
    companions: "tuple[SourceFile, ...]" = ()
    sheet: str = ""

    @property
    def stem(self) -> str:
        """The file's name without folder and the ending that says the format."""
        return stem_of(self.name)


def stem_of(name: str) -> str:
    """Return a file's name without folder and the ending that says the format."""
    name = name.rsplit("/", 1)[-1]
    name = name[:-3] if name.lower().endswith(".gz") else name
    stem, _, ending = name.rpartition(".")
    return stem if stem and ending.lower() in _ENDINGS else name


def is_gzipped(place: Path) -> bool:
    """Whether the bytes of a file are compressed by gzip."""
    with place.open("rb") as stream:
        return stream.read(2) == b"\x1f\x8b"


class BoundedStream:
    """Bytes of a file that may be compressed; a bomb is noticed while it unpacks."""

    def __init__(self, raw: IO[bytes], source: SourceFile, limits: Limits) -> None:
        self._raw, self._source, self._limits = raw, source, limits
        self._stream = gzip.GzipFile(fileobj=raw) if source.gzipped else raw
        self._unpacked = 0

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes, none at the end; `TableError` for damage or a bomb."""
        name = self._source.name
        try:
            data = self._stream.read(size)
        except (OSError, EOFError, zlib.error) as error:
            raise refused("cut-off", name, str(error)) from error
        if self._source.gzipped:
            self._unpacked += len(data)
            check_expansion(name, self._unpacked, max(self._raw.tell(), 1), self._limits)
        return data


def check_expansion(name: str, unpacked: int, packed: int, limits: Limits) -> None:
    """Raise a `TableError` that names the file if it has unpacked to more than is allowed."""
    if unpacked > limits.total_bytes:
        raise refused("unpacks-to-too-much", name, most=limits.total_bytes)
    if unpacked > limits.ratio_grace and unpacked > limits.ratio * packed:
        raise refused("unpacks-too-far", name, ratio=unpacked // packed, most=limits.ratio)


def check_columns(name: str, columns: Sequence[str], limits: Limits) -> None:
    """Raise a `TableError` if a table has more columns, or longer names, than is allowed."""
    longest = max(columns, key=len, default="")
    if len(columns) > limits.columns:
        raise refused("too-many-columns", name, columns=len(columns), most=limits.columns)
    if len(longest) > limits.name_characters:
        shown, most = shorten(longest, 40), limits.name_characters
        raise refused("long-name-of-column", name, name=shown, length=len(longest), most=most)


@contextmanager
def open_bytes(source: SourceFile, limits: Limits) -> Iterator[BoundedStream]:
    """Open a source file for reading its unpacked bytes."""
    with source.path.open("rb") as raw:
        yield BoundedStream(raw, source, limits)


WHITESPACE = "whitespace"


@dataclass(frozen=True)
class Dialect:
    """How a text file is written, as far as its owner says.

    Attributes
    ----------
    encoding
        Of files without byte-order mark; None: UTF-8.
    delimiter
        None: a tab in TSV; in CSV what the header has most of, of ``,`` ``;`` and tab.
        `WHITESPACE`: runs of spaces and tabs.
    quote
        The quote character; empty if quotes are characters like any other.
    header
        Whether the first line has the names of the columns; or the names, of a table without
        such a line. None: a preview finds it out, any other reading takes the first line.
    comment
        With what lines begin that are passed over; empty if with nothing. None: a preview
        finds it out, any other reading passes over no line.
    element
        Name of the elements of markup that are the records; None for the likeliest.
    """

    encoding: str | None = None
    delimiter: str | None = None
    quote: str = '"'
    header: tuple[str, ...] | bool | None = None
    comment: str | None = None
    element: str | None = None


PLAIN = Dialect()


class TextTable(NamedTuple):
    """A table whose cells are texts: its columns, its rows with their lines, how it is written."""

    columns: tuple[str, ...]
    rows: Iterable[tuple[int, Sequence[str | None]]]
    dialect: Dialect
    log: ProblemLog
    """What is wrong with rows, or passed over; known when all are read."""
