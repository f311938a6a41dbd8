"""JSON documents: records in an array or under keys, in lists, or in lists that run in parallel."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from corpus.tabular.json_levels import is_deep
from corpus.tabular.json_lines import DECODER, JsonLinesReader
from corpus.tabular.json_paths import OneOfList, position_of
from corpus.tabular.json_shapes import Shape, end_of, has_containers, shape_of
from corpus.tabular.parallel_lists import UnequalListsError, frame_rows, parallel_rows
from corpus.tabular.physical_lines import UndecodableByteError, undecodable
from corpus.tabular.problems import TableError, shorten
from corpus.tabular.readers import Spot

KEY, SECOND_KEY, VALUE, POSITION = "key", "key 2", "value", "position"
EXPECTED = "an array of objects, or an object"
LONGEST_CONSTANT = 1 << 16
_SPACE = re.compile(r"[ \t\r\n]*")
_LINE_END = re.compile(r"\r\n?|\n")
_RECORDS = re.compile(r'\ufeff?\s*(\[\s*(\{|\]\s*$|$)|\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{|$)')
_LOOKED_AT = 1 << 16


def may_hold_records(place: Path, gzipped: bool) -> Literal["yes", "perhaps", ""]:
    """Whether a document begins like an array of objects or an object of objects.

    Perhaps it does, if it is an object with lists or objects in it.
    """
    try:
        with gzip.open(place) if gzipped else place.open("rb") as stream:
            head = stream.read(_LOOKED_AT)
    except (OSError, EOFError, zlib.error):
        return "yes"  # reading it says what is damaged
    codec = "utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    text = head.decode(codec, errors="replace")
    return "yes" if _RECORDS.match(text) else "perhaps" if has_containers(text) else ""


class JsonDocumentReader(JsonLinesReader):
    """Records of a JSON document, which is held as text while its objects are read one by one.

    The key under which an object is found becomes its value `key`, unless it has one; that of a
    value in an object under a key, `key 2`.
    """

    _spot: Callable[[str, int], list[str | int]] | None = None
    _row = 0
    _at = 0
    _before = 0

    def objects(self) -> Iterator[dict[str, Any]]:
        """Yield the objects of the document; `TableError` where it is no JSON."""
        self._document, self._line, self._column, self._seen = self._whole(), 1, 1, 0
        at = self._skip(0)
        if at == len(self._document):
            raise self._empty(EXPECTED)
        if self._document[at] not in "{[":
            raise self._broken(at, EXPECTED)
        is_object = self._document[at] == "{"
        asked = () if self._explode else self.columns
        shape = shape_of(self._document, at, asked) if is_object else Shape("records")
        if shape.kind == "twice":
            yield from self._twice(at)
        elif shape.kind == "lists":
            yield from self._lists(at, shape.path)
        elif shape.kind in ("parallel", "frame"):
            yield from self._aligned(at, shape)
        else:
            yield from self._under_keys(at)
        if self._skip(self._at) < len(self._document):
            raise self._broken(self._skip(self._at), "nothing after the document")

    def _members(self, at: int) -> Iterator[tuple[str | None, int, int]]:
        """Yield key, its begin and that of the value, for each member of an array or object.

        Whoever takes them says in `_at` where the value ends.
        """
        is_keyed = self._document[at] == "{"
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
            yield key, begin, at
            at = self._skip(self._at)
            is_last = self._document.startswith(closing, at)
            if not is_last:
                at = self._skip(self._after(",", at))
        self._at = at + 1

    def _under_keys(self, at: int) -> Iterator[dict[str, Any]]:
        """Yield the objects of an array, or of an object under their keys."""
        for key, begin, place in self._members(at):
            value, end = self._value(place)
            self._at = end
            self._take(place, end)
            if self._is_record(value) and self._is_storable(
                record := value if key is None else {KEY: key, **value}, self._document[begin:end]
            ):
                yield record

    def _twice(self, at: int) -> Iterator[dict[str, Any]]:
        """Yield what lies under two keys; of a list there each element, with its position."""
        for key, _, place in self._members(at):
            if not self._document.startswith("{", place):
                value, self._at = self._value(place)
                self._take(place, self._at)
                self._is_record(None)
                continue
            for second, begin, inner in self._members(place):
                value, end = self._value(inner)
                self._at = end
                for number, each in enumerate(value if isinstance(value, list) else [value], 1):
                    record = each if isinstance(each, dict) else {VALUE: each}
                    placed = {POSITION: str(number)} if isinstance(value, list) else {}
                    record = {KEY: key, SECOND_KEY: second, **placed, **record}
                    self._take(inner, end)
                    if self._is_storable(record, self._document[begin:end]):
                        yield record

    def _lists(self, at: int, path: tuple[str, ...]) -> Iterator[dict[str, Any]]:
        """Yield an object once for each element of its lists of records, or of the one exploded."""
        top = at
        for name in path:
            at = next(inner for key, _, inner in self._members(at) if key == name)
        constants, lists = self._constants(at)
        wanted = self._explode[len(path)] if self._explode else None
        if not lists:
            self._take(at, self._at)
            if constants and self._is_storable(constants, self._text):
                yield constants
        for name, begin in lists.items() if wanted is None or wanted in lists else ():
            if wanted not in (None, name):
                continue
            opening = "".join(f"{{{json.dumps(key)}:" for key in (*path, name)) + "["
            closing = "]" + "}" * (len(path) + 1)
            for number, (_, _, inner) in enumerate(self._members(begin)):
                value, end = self._value(inner)
                self._at = end
                self._take(inner, end)
                if not self._is_record(value):
                    continue
                self._text = f"{opening}{self._text}{closing}"
                self._before = len(opening)
                record: dict[str, Any] = {**constants, name: OneOfList(value, number)}
                if self._is_storable({name: [value]}, self._text):
                    for key in reversed(path):
                        record = {key: record}
                    yield record
        try:
            self._at = end_of(self._document, top)
        except ValueError:
            raise self._broken(len(self._document), "'}'") from None

    def _constants(self, at: int) -> tuple[dict[str, Any], dict[str, int]]:
        """Return the values beside the lists of records, and where those lists begin."""
        constants: dict[str, Any] = {}
        lists: dict[str, int] = {}
        for key, _, begin in self._members(at):
            name = key or ""
            if self._document.startswith("[", begin) and self._document.startswith(
                "{", self._skip(begin + 1)
            ):
                lists[name] = begin
                try:
                    self._at = end_of(self._document, begin)
                except ValueError:
                    self._value(begin)  # says where it breaks
                    raise
                continue
            constants[name], self._at = self._value(begin)
            self._take(begin, self._at)
            is_short = self._at - begin < LONGEST_CONSTANT
            if not (is_short and self._is_storable({name: constants[name]}, self._text)):
                del constants[name]
        return constants, lists

    def _aligned(self, at: int, shape: Shape) -> Iterator[dict[str, Any]]:
        """Yield rows of values that stand at one position, or under one key, of several lists."""
        content, self._at = self._value(at)
        if is_deep(content):
            raise self._broken(at, "brackets that are not nested so deeply")
        make = frame_rows if shape.kind == "frame" else parallel_rows
        try:
            rows, self._spot = make(content)
        except UnequalListsError as error:
            place = self._place_at((position_of(self._document[at:], error.steps) or 1) - 1 + at)
            advice = "Each value belongs to those at the same position of the other lists."
            expected = "lists of one length"
            self._log.add(self._problem(*place, str(error), expected, advice, "line-count"))
            return
        self._text = "{}"
        for self._row, record in enumerate(rows):
            self._line = self._row + 1
            if self._is_storable(record, "\\u"):
                yield record

    def spot(self, index: int, label: str | None = None) -> Spot:
        """Say where a value of the record handed out last begins in the document."""
        if self._spot is not None:
            steps = self._spot(self.columns[index].replace("{name}", label or ""), self._row)
            at = position_of(self._document, steps)
            return Spot(self._line, None) if at is None else self._place_at(at - 1)
        if self._before and self._indices:
            self._indices = (0, *self._indices[1:])
        return super().spot(index, label)

    def _place_at(self, at: int) -> Spot:
        """Return the place of a character of the document, counted from 0."""
        before = self._document[:at]
        ends = list(_LINE_END.finditer(before))
        return Spot(len(ends) + 1, at - (ends[-1].end() if ends else 0) + 1)

    def _take(self, at: int, end: int) -> None:
        """Let the value between two characters be the record at hand."""
        self._go_to(at)
        self._text = self._document[at:end]
        self._before = 0

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
            raise self._broken(at, "brackets that are not nested so deeply") from error

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
        if at < self._seen:
            self._line, self._column, self._seen = 1, 1, 0
        ends = list(_LINE_END.finditer(self._document, self._seen, at))
        self._line += len(ends)
        self._column = at - ends[-1].end() + 1 if ends else self._column + at - self._seen
        self._seen = at

    def _place(self, position: int | None) -> Spot:
        if position is None:
            return Spot(self._line, None)
        ends = list(_LINE_END.finditer(self._text, 0, position - 1))
        column = position - ends[-1].end() if ends else self._column + position - 1 - self._before
        return Spot(self._line + len(ends), column)

    def _broken(self, at: int, expected: str) -> TableError:
        """Say that the document is no JSON, or not of records, from some character on."""
        self._go_to(at)
        rest = self._document[at : at + 40].split("\n")[0]
        found = shorten(rest) or "the end of the file"
        advice = "Correct the file, or export it again. Nothing after this place was checked."
        return TableError(self._problem(self._line, self._column, found, expected, advice, "json"))
