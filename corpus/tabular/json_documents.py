"""JSON documents: an array of objects, or an object of objects under their keys."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpus.tabular.json_lines import DECODER, JsonLinesReader
from corpus.tabular.physical_lines import UndecodableByteError, undecodable
from corpus.tabular.problems import TableError, shorten
from corpus.tabular.readers import Spot

KEY = "key"
EXPECTED = "an array of objects, or an object of objects"
_SPACE = re.compile(r"[ \t\r\n]*")
_LINE_END = re.compile(r"\r\n?|\n")
_RECORDS = re.compile(r'\ufeff?\s*(\[\s*(\{|\]\s*$|$)|\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{|$)')
_LOOKED_AT = 1 << 16


def may_hold_records(place: Path, gzipped: bool) -> bool:
    """Whether a document begins like an array of objects or an object of objects."""
    try:
        with gzip.open(place) if gzipped else place.open("rb") as stream:
            head = stream.read(_LOOKED_AT)
    except (OSError, EOFError, zlib.error):
        return True  # reading it says what is damaged
    codec = "utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    return bool(_RECORDS.match(head.decode(codec, errors="replace")))


class JsonDocumentReader(JsonLinesReader):
    """Records of a JSON document, which is held as text while its objects are read one by one.

    The key under which an object is found becomes its value `key`, unless it has one.
    """

    def objects(self) -> Iterator[dict[str, Any]]:
        """Yield the objects of the document; `TableError` where it is no JSON."""
        self._document, self._line, self._column, self._seen = self._whole(), 1, 1, 0
        at = self._skip(0)
        if at == len(self._document):
            raise self._empty(EXPECTED)
        is_keyed = self._document[at] == "{"
        if not is_keyed and self._document[at] != "[":
            raise self._broken(at, EXPECTED)
        closing = "}" if is_keyed else "]"
        at = self._skip(at + 1)
        is_last = self._document.startswith(closing, at)
        while not is_last:
            begin, key = at, None
            if is_keyed:
                if not self._document.startswith('"', at):
                    raise self._broken(at, "a key in quotes")
                key, at = self._value(at)
                at = self._skip(self._after(":", at))
            value, end = self._value(at)
            self._go_to(at)
            self._text = self._document[at:end]
            if self._is_record(value) and self._is_storable(
                record := value if key is None else {KEY: key, **value}, self._document[begin:end]
            ):
                yield record
            at = self._skip(end)
            is_last = self._document.startswith(closing, at)
            if not is_last:
                at = self._skip(self._after(",", at))
        if self._skip(at + 1) < len(self._document):
            raise self._broken(self._skip(at + 1), "nothing after the document")

    def _whole(self) -> str:
        try:
            return self._lines.whole()
        except UndecodableByteError as error:
            *before, error.partial = _LINE_END.split(error.partial)
            raise TableError(undecodable(self._name, len(before) + 1, None, error)) from error

    def _value(self, at: int) -> tuple[Any, int]:
        """Return the value that begins at a character, and where it ends."""
        try:
            return DECODER.raw_decode(self._document, at)
        except json.JSONDecodeError as error:
            raise self._broken(error.pos, f"JSON ({error.msg})") from error
        except RecursionError as error:
            raise self._broken(at, "brackets that are not nested so deep") from error

    def _after(self, mark: str, at: int) -> int:
        """Return the character after a mark, which may have white space before it."""
        at = self._skip(at)
        if not self._document.startswith(mark, at):
            raise self._broken(at, f"{mark!r}")
        return at + 1

    def _skip(self, at: int) -> int:
        """Return the first character from `at` on that is no white space."""
        found = _SPACE.match(self._document, at)
        return found.end() if found else at

    def _is_record(self, value: Any) -> bool:
        """Log a value that is no object, or too long for one."""
        found, expected, code = "", "a JSON object", "json"
        if not isinstance(value, dict):
            found = shorten(self._text)
        elif len(self._text) > self._limits.record_characters:
            found, expected = f"a record of {len(self._text)} characters", "a shorter one"
            code = "field-size"
        if found:
            advice = "Write each record as one object in braces."
            self._log.add(self._problem(*self._place(1), found, expected, advice, code))
        return not found

    def _go_to(self, at: int) -> None:
        """Count lines up to a character, at which the current record begins."""
        ends = list(_LINE_END.finditer(self._document, self._seen, at))
        self._line += len(ends)
        self._column = at - ends[-1].end() + 1 if ends else self._column + at - self._seen
        self._seen = at

    def _place(self, position: int | None) -> Spot:
        if position is None:
            return Spot(self._line, None)
        ends = list(_LINE_END.finditer(self._text, 0, position - 1))
        column = position - ends[-1].end() if ends else self._column + position - 1
        return Spot(self._line + len(ends), column)

    def _broken(self, at: int, expected: str) -> TableError:
        """Say that the document is no JSON, or not of records, from some character on."""
        self._go_to(at)
        rest = self._document[at : at + 40].split("\n")[0]
        found = shorten(rest) or "the end of the file"
        advice = "Correct the file, or export it again. Nothing after this place was checked."
        return TableError(self._problem(self._line, self._column, found, expected, advice, "json"))
