"""Bytes to physical lines, exactly as they are written, with their place when they are not text."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from contextlib import suppress
from typing import Literal

from corpus.tabular.files import BoundedStream
from corpus.tabular.limits import Limits
from corpus.tabular.problems import Problem, TableError

CHUNK = 1 << 18
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class UndecodableByteError(Exception):
    """A byte that is no text in the file's encoding, after `partial` on its physical line."""

    def __init__(self, partial: str, byte: int, encoding: str) -> None:
        super().__init__(f"byte 0x{byte:02x}")
        self.partial = partial
        self.byte = byte
        self.encoding = encoding


class EndlessLineError(Exception):
    """A physical line, or a record of several, longer than any may be."""

    def __init__(self, partial: str) -> None:
        super().__init__("too long")
        self.partial = partial


class PhysicalLines:
    """The physical lines of a file with their line ends, and those of the current record.

    Lines end at ``\\n``, ``\\r\\n`` and a lone ``\\r`` only: Unicode's other line separators are
    characters of a text. With ``breaks="file"`` a lone ``\\r`` ends a line only in a file that
    has no ``\\n`` (looked for in its first 256 KiB).

    Parameters
    ----------
    stream
        Where the bytes come from.
    name
        What problems call the file.
    encoding
        Used where there is no byte-order mark; None for UTF-8.
    limits
        Longest line and longest record.
    breaks
        ``any`` of the three line ends, or as in the rest of the ``file``.

    Attributes
    ----------
    held
        Lines handed out since `release`: the raw text of the current record.
    has_nul
        Whether a NUL character was seen so far.
    """

    def __init__(
        self,
        stream: BoundedStream,
        name: str,
        encoding: str | None,
        limits: Limits,
        breaks: Literal["any", "file"] = "any",
    ) -> None:
        self.held: list[str] = []
        self.has_nul = False
        self._stream = stream
        self._limit = limits.record_characters
        self._head = stream.read(CHUNK)
        if self._head.startswith(b"PK\x03\x04"):
            raise TableError(_packed(name))
        self.encoding = _encoding(name, encoding, self._head)
        self._newline: Literal["", "\n"] = ""
        self._decides_newline = breaks == "file"

    def release(self) -> None:
        """Forget the lines of the current record."""
        self.held.clear()

    def __iter__(self) -> Iterator[str]:
        held, limit = self.held, self._limit
        size = 0
        for lines in self._chunks():
            for line in lines:
                size = size + len(line) if held else len(line)
                if size > limit:
                    raise EndlessLineError(line)
                held.append(line)
                yield line

    def whole(self) -> str:
        """Return the whole file; `UndecodableByteError` with all that comes before the byte."""
        data, self._head = [self._head], b""
        while data[-1]:
            data.append(self._stream.read(CHUNK))
        joined = b"".join(data)
        try:
            return joined.decode(self.encoding)
        except UnicodeDecodeError as error:
            before = joined[: error.start].decode(self.encoding, errors="replace")
            raise UndecodableByteError(before, joined[error.start], self.encoding) from error

    def _chunks(self) -> Iterator[list[str]]:
        """Yield lists of whole physical lines."""
        decoder = codecs.getincrementaldecoder(self.encoding)()
        pending = ""
        data, self._head = self._head, b""
        while True:
            failure: UndecodableByteError | None = None
            try:
                text = decoder.decode(data, not data)
            except UnicodeDecodeError as error:
                already = len(error.object) - len(data)
                text = decoder.decode(data[: max(error.start - already, 0)], False)
                failure = UndecodableByteError("", error.object[error.start], self.encoding)
            if self._decides_newline and text:
                self._newline = "\n" if "\n" in text else ""
                self._decides_newline = False
            self.has_nul = self.has_nul or "\0" in text
            lines = list(io.StringIO(pending + text, newline=self._newline))
            pending = ""
            # A final \r may be the first half of a \r\n.
            if lines and not lines[-1].endswith("\n") and (data or failure):
                pending = lines.pop()
            yield lines
            if failure:
                failure.partial = pending
                raise failure
            if len(pending) > self._limit:
                raise EndlessLineError(pending)
            if not data:
                return
            data = self._stream.read(CHUNK)


def _encoding(name: str, wanted: str | None, head: bytes) -> str:
    """Return the codec's name: by the byte-order mark, else the one asked for, else UTF-8."""
    marked = next((codec for mark, codec in _MARKS if head.startswith(mark)), None)
    if wanted is None:
        if marked is None and head[:400].count(0) > len(head[:400]) // 3:
            raise TableError(_unmarked(name))
        return marked or "utf-8"
    try:
        codec = _text_codec(wanted)
    except (LookupError, UnicodeError) as error:
        raise TableError(
            Problem(
                name,
                found=wanted,
                expected="an encoding such as utf-8, utf-16 or windows-1252",
                message="There is no such text encoding.",
                code="encoding",
            )
        ) from error
    if head and marked is None and codec in ("utf-16", "utf-32"):
        raise TableError(_without_mark(name, codec))
    return marked or codec


def _text_codec(wanted: str) -> str:
    """Return a codec's own name; LookupError or UnicodeError if it does not make text of bytes."""
    codec = codecs.lookup(wanted).name
    # Asked of some bytes, for codecs such as base64 and punycode are found by name too.
    with suppress(UnicodeDecodeError):
        b"a b ".decode(codec)
    codecs.getincrementaldecoder(codec)
    return codec


def _unmarked(name: str) -> Problem:
    return Problem(
        name,
        line=1,
        position=1,
        found="NUL bytes between the characters",
        expected="UTF-8, or UTF-16 with a byte-order mark",
        message="If it is UTF-16, say so: --encoding utf-16-le (or utf-16-be).",
        code="encoding",
    )


def _without_mark(name: str, codec: str) -> Problem:
    return Problem(
        name,
        line=1,
        position=1,
        found="no byte-order mark",
        expected=f"{codec.upper()} text, which begins with one",
        message=f"If there is none, say {codec}-le or {codec}-be as the encoding.",
        code="encoding",
    )


def _packed(name: str) -> Problem:
    return Problem(
        name,
        found="a zip archive or an Excel workbook",
        expected="text",
        message="Name the workbook .xlsx or .ods, or the archive .zip.",
        code="format",
    )


def undecodable(name: str, line: int, column: str | None, failure: UndecodableByteError) -> Problem:
    """Describe a byte that is not text, on physical line `line` and in `column` if known."""
    return Problem(
        name,
        line=line,
        column=column,
        position=len(failure.partial) + 1,
        found=f"byte 0x{failure.byte:02x}",
        expected=f"{failure.encoding.removesuffix('-sig').upper()} text",
        message=(
            "Save the file as UTF-8, or name its encoding, for example --encoding windows-1252. "
            "Nothing after this place was checked."
        ),
        code="encoding",
    )
