"""JSON as it is read: objects with their lines, every value as its text, none too deep."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from corpus.tabular.files import SourceFile
from corpus.tabular.headers import named
from corpus.tabular.json_levels import MOST_LEVELS, DeepJSON, check_levels
from corpus.tabular.json_tables import KEY, Record, tables_of
from corpus.tabular.limits import Limits
from corpus.tabular.problems import Problem, ProblemLog, TableError, shorten
from corpus.tabular.text_files import encoding_of, lines, texts

Placed = tuple[int, Record]
# Every value is kept as it was written: 1.0 stays 1.0, and NaN, which Python writes, a word.
DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)
_SPACE = re.compile(r"[ \t\r\n]*")


def json_lines(
    source: SourceFile, said: str | None, limits: Limits, log: ProblemLog
) -> Iterator[Placed]:
    """Yield the objects of a file with one a line, each with its line; log what is none."""
    for number, line in enumerate(lines(source, encoding_of(source, said, limits), limits), 1):
        if line.isspace():
            continue
        try:
            value, end = _decoded(line, _SPACE.match(line).end())  # type: ignore[union-attr]
            if not line[end:].isspace() and line[end:]:
                raise json.JSONDecodeError("Extra data", line, end)
        except (json.JSONDecodeError, RecursionError, DeepJSON) as error:
            log.add(_broken(source.name, number, error))
            continue
        if isinstance(value, dict):
            yield number, value
        else:
            found, expected = shorten(line.strip()), "an object"
            advice = "Write one JSON object on each line, as in {…}."
            log.add(Problem(source.name, number, None, None, found, expected, advice, "json"))


def document(source: SourceFile, said: str | None, limits: Limits) -> Any:
    """Return the content of a JSON document; `TableError` with its line if it is none."""
    return _read(source, said, limits).content


def json_tables(source: SourceFile, said: str | None, limits: Limits) -> dict[str, list[Placed]]:
    """Return the tables of a JSON document, each record with its line, else its number."""
    read = _read(source, said, limits)
    found = {}
    for name, records in tables_of(read.content).items():
        places = read.lines.get(name, [])
        if not name and not _are_members(read.content, records):
            places = []
        if len(places) != len(records):
            places = list(range(1, len(records) + 1))
        found[name] = list(zip(places, records, strict=True))
    return found


def renamed(records: Iterable[Placed]) -> Iterator[Placed]:
    """Yield objects whose keys differ by more than case, as those of a table do."""
    names: dict[str, str] = {}
    for line, record in records:
        if not record.keys() <= names.keys():
            keys = list(dict.fromkeys([*names, *record]))
            names = dict(zip(keys, named(keys), strict=True))
        yield line, {names[key]: value for key, value in record.items()}


def _are_members(content: Any, records: list[Record]) -> bool:
    """Whether records are the values of an object, or elements of a list, one by one."""
    if isinstance(content, list) or not records:
        return True
    key, first = next(iter(content.items()))
    return isinstance(first, dict) and records[0].get(KEY) == first.get(KEY, key)


def _read(source: SourceFile, said: str | None, limits: Limits) -> _Document:
    text = "".join(texts(source, encoding_of(source, said, limits), limits)).lstrip("\ufeff")
    if not text.strip():
        expected = "an array of objects, or an object"
        advice = "Leave the file out if the study has no such table."
        raise TableError(
            Problem(source.name, 1, None, None, "an empty file", expected, advice, "empty-file")
        )
    found = _Document(text)
    try:
        found.read()
    except (json.JSONDecodeError, RecursionError, DeepJSON) as error:
        raise TableError(_broken(source.name, found.line, error)) from None
    return found


class _Document:
    """A document whose arrays of records are taken apart one by one.

    Attributes
    ----------
    content
        All of it, once it is read.
    lines
        By the dotted name of an array the lines on which its elements begin; without a name those
        of the document's own elements or values.
    line
        How far it is read.
    """

    def __init__(self, text: str) -> None:
        self.content: Any = None
        self.lines: dict[str, list[int]] = {}
        self.line = 1
        self._text = text
        self._counted = 0

    def read(self) -> None:
        """Read it."""
        self.content, end = self._value(self._after(0), "", 0)
        if self._after(end) < len(self._text):
            raise json.JSONDecodeError("Extra data", self._text, self._after(end))

    def _value(self, at: int, name: str, depth: int) -> tuple[Any, int]:
        begin = self._text[at : at + 1]
        if begin == "[" and depth <= 2:
            return self._elements(at, self.lines.setdefault(name, []))
        if begin == "{" and depth <= 1:
            return self._members(at, name, depth)
        return _decoded(self._text, at)

    def _elements(self, at: int, places: list[int]) -> tuple[list[Any], int]:
        found: list[Any] = []
        at = self._after(at + 1)
        while self._text[at : at + 1] != "]":
            at = self._past(",", at) if found else at
            places.append(self._line_at(at))
            value, at = _decoded(self._text, at)
            found.append(value)
            at = self._after(at)
        return found, at + 1

    def _members(self, at: int, name: str, depth: int) -> tuple[Record, int]:
        found: Record = {}
        at = self._after(at + 1)
        while self._text[at : at + 1] != "}":
            at = self._past(",", at) if found else at
            if depth == 0:
                self.lines.setdefault("", []).append(self._line_at(at))
            if self._text[at : at + 1] != '"':
                raise json.JSONDecodeError("Expecting a key in double quotes", self._text, at)
            key, at = DECODER.raw_decode(self._text, at)
            at = self._past(":", self._after(at))
            inner = f"{name}.{key}" if name else key
            found[key], at = self._value(at, inner, depth + 1)
            at = self._after(at)
        return found, at + 1

    def _after(self, at: int) -> int:
        """Return where white space ends."""
        found = _SPACE.match(self._text, at)
        return found.end() if found else at

    def _past(self, mark: str, at: int) -> int:
        if self._text[at : at + 1] != mark:
            raise json.JSONDecodeError(f"Expecting '{mark}'", self._text, at)
        return self._after(at + 1)

    def _line_at(self, at: int) -> int:
        self.line += self._text.count("\n", self._counted, at)
        self._counted = at
        return self.line


def _decoded(text: str, at: int) -> tuple[Any, int]:
    """Return the value that begins at a place, and where it ends; `DeepJSON` if it is too deep."""
    value, end = DECODER.raw_decode(text, at)
    if text.count("[", at, end) + text.count("{", at, end) > MOST_LEVELS:
        check_levels(value)
    return value, end


def _broken(name: str, line: int, error: Exception) -> Problem:
    if isinstance(error, json.JSONDecodeError):
        line = line + error.lineno - 1 if "\n" not in error.doc.rstrip() else error.lineno
        found = f"{error.msg} at character {error.colno}"
    else:
        found = str(DeepJSON())
    advice = "Correct the JSON, or write the file again; nothing behind this place was read."
    return Problem(name, line, None, None, found, "JSON", advice, "json")
