"""Files of text, whatever their encoding, as UTF-8; which of them are tables."""

import codecs
import io
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from corpus.tabular.guesses.columns import is_number
from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import SourceFile, open_bytes
from corpus.tabular.problems import TableError, refused

CHUNK = 1 << 20
HEAD = 1 << 18
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WESTERN = "windows-1252"
_PAIRS_WITH_NUL = 0.3
_FEW_PAIRS = 4
_ENOUGH = 30
_COHERENT = 0.2


def encoding_of(source: SourceFile, said: str | None, limits: Limits) -> str:
    """Return the codec of a file: by its mark, as somebody said, or found in its bytes.

    UTF-8 is what it is where its bytes allow; else UTF-16 by the places of NUL bytes, else what
    the letters speak for, Western European where they do not decide.

    Raises
    ------
    TableError
        If there is no such encoding, or the file is a packed one.
    """
    with open_bytes(source, limits) as stream:
        head = stream.read(HEAD)
    if head.startswith(b"PK\x03\x04"):
        raise refused("packed-text", source.name)
    marked = next((codec for mark, codec in _MARKS if head.startswith(mark)), None)
    if marked or said:
        return marked or _named(source.name, said or "", head)
    if wide := _unmarked_utf_16(head):
        return wide
    wrong = _first_wrong(source, limits)
    return "utf-8" if wrong is None else _found(wrong)


def texts(source: SourceFile, encoding: str, limits: Limits) -> Iterator[str]:
    """Yield the text of a file in pieces; `TableError` where bytes are no text or hold NUL."""
    decoder = codecs.getincrementaldecoder(encoding)()
    line = 1
    with open_bytes(source, limits) as stream:
        data = stream.read(CHUNK)
        while True:
            try:
                text = decoder.decode(data, not data)
            except UnicodeDecodeError as error:
                before = error.object[: error.start].decode(encoding, "replace")
                found, place = f"byte 0x{error.object[error.start]:02x}", line + before.count("\n")
                named = encoding.removesuffix("-sig").upper()
                raise refused("encoding", source.name, found, line=place, encoding=named) from None
            if "\0" in text:
                place = line + text.count("\n", 0, text.index("\0"))
                raise refused("nul", source.name, line=place)
            if text:
                yield text
            if not data:
                return
            line += text.count("\n")
            data = stream.read(CHUNK)


def lines(source: SourceFile, encoding: str, limits: Limits) -> Iterator[str]:
    """Yield the physical lines of a file with their ends, which are those of no Unicode kind."""
    pending = ""
    number = 1
    for text in texts(source, encoding, limits):
        found = list(io.StringIO(pending + text, newline=""))
        # A final \\r may be the first half of a \\r\\n.
        pending = "" if found[-1].endswith("\n") else found.pop()
        yield from found
        number += len(found)
        if len(pending) > limits.record_characters:
            most = limits.record_characters
            raise refused("long-line", source.name, line=number, most=most)
    if pending:
        yield pending


def as_utf_8(source: SourceFile, encoding: str, limits: Limits, place: Path) -> Path:
    """Return a path to the file's text as UTF-8 without mark: the file itself if it is that."""
    if encoding == "utf-8" and not source.gzipped:
        for _ in texts(source, encoding, limits):
            pass
        return source.path
    with place.open("w", encoding="utf-8", newline="") as copy:
        copy.writelines(texts(source, encoding, limits))
    return place


def _named(name: str, said: str, head: bytes) -> str:
    try:
        codec = codecs.lookup(said).name
        if codec not in ("punycode", "idna", "undefined") and "escape" not in codec:
            b"a b ".decode(codec, "replace")
        else:
            raise LookupError(codec)
        codecs.getincrementaldecoder(codec)
    except (LookupError, UnicodeError):
        raise refused("no-such-encoding", name, said) from None
    if codec in ("utf-16", "utf-32") and head:
        return f"{codec}-be" if head[:1] == b"\0" else f"{codec}-le"
    return codec


def _unmarked_utf_16(head: bytes) -> str | None:
    pairs = len(head[:400]) // 2
    even, odd = head[:400:2].count(0), head[1:400:2].count(0)
    if pairs < _FEW_PAIRS or max(even, odd) < max(_PAIRS_WITH_NUL * pairs, 4 * min(even, odd)):
        return None
    return "utf-16-be" if even > odd else "utf-16-le"


def _first_wrong(source: SourceFile, limits: Limits) -> bytes | None:
    """Return the bytes around the first that are no UTF-8; None if all are."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    before, data = b"", b"-"
    with open_bytes(source, limits) as stream:
        while data:
            data = stream.read(CHUNK)
            try:
                decoder.decode(data, not data)
            except UnicodeDecodeError:
                return before[-HEAD:] + data
            before = data or before
    return None


def _found(data: bytes) -> str:
    """Return the encoding that the letters of some bytes speak for, if there are enough.

    Where more bytes make letters of UTF-8 than do not, it is UTF-8 with a fault.
    """
    beyond = [character for character in data.decode("utf-8", "surrogateescape") if character > "~"]
    if 2 * sum("\udc80" <= character <= "\udcff" for character in beyond) < len(beyond):
        return "utf-8"
    letters = sum(byte > 127 for byte in data)
    from charset_normalizer import from_bytes  # Few files need it.

    best = from_bytes(data[: 4 * HEAD]).best() if letters >= _ENOUGH else None
    if best is not None and best.coherence >= _COHERENT and not _is_latin(best.alphabets):
        return str(best.encoding)
    try:
        data.decode(_WESTERN)
    except UnicodeDecodeError:
        return "latin-1"
    return _WESTERN


def _is_latin(alphabets: Sequence[str]) -> bool:
    return all(name.startswith(("Latin", "Basic Latin")) for name in alphabets)


ENDINGS = frozenset({"txt", "text", "dat", "data"})
_LOOKED_AT = 1 << 16
_LINES = 50


def table_format(source: SourceFile, limits: Limits) -> Literal["csv", "tsv"] | None:
    """Return how a text file is read as a table; None if it does not look like one.

    It does if all of its first lines have tabs, and the same number of them; or if all have the
    same number of words, of which one is a number in every line below the first.
    """
    head = b""
    with suppress(TableError), open_bytes(source, limits) as stream:
        head = stream.read(_LOOKED_AT)
    codec = "utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    top = head.decode(codec, errors="replace").split("\n")
    top = top[:-1] if len(head) == _LOOKED_AT else top  # it may go on
    found = [line for line in top if line.strip() and not line.startswith("#")][:_LINES]
    if len(found) < 2:
        return None
    tabs = {line.count("\t") for line in found}
    if len(tabs) == 1 and tabs != {0}:
        return "tsv"
    rows = [line.split() for line in found]
    widths = set(map(len, rows))
    if len(widths) != 1 or widths == {1}:
        return None
    columns = zip(*rows[1:], strict=True)
    return "csv" if any(all(map(is_number, column)) for column in columns) else None
