"""JSON as it is read: objects with their lines, every value as its text, none too deep."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from json.decoder import JSONArray, JSONObject  # type: ignore[attr-defined]
from typing import Any

from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import SourceFile
from corpus.tabular.opening.headers import named
from corpus.tabular.opening.json_levels import MOST_LEVELS, DeepJSON, check_levels
from corpus.tabular.opening.json_tables import KEY, WHOLE, Record, tables_of
from corpus.tabular.opening.text_files import encoding_of, lines, texts
from corpus.tabular.problems import Problem, ProblemLog, TableError, refused, shorten

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
            value, end = _decoded(line, _after(line, 0))
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
            log.add(Problem(source.name, number, None, found, expected, advice, "json"))


def document(source: SourceFile, said: str | None, limits: Limits) -> Any:
    """Return the content of a JSON document; `TableError` with its line if it is none."""
    return _read(source, said, limits)[0]


def json_table(source: SourceFile, said: str | None, limits: Limits) -> list[Placed]:
    """Return the records of a table in a JSON document, each with its line, else its number."""
    content, lines_in = _read(source, said, limits)
    if source.sheet == WHOLE and isinstance(content, dict):
        return [(1, content)]
    tables = tables_of(content)
    name = source.sheet.replace(WHOLE, "") or next(iter(tables), "")
    records = tables.get(name, [])
    is_placed = bool(records) and (name or _are_members(content, records))
    places = lines_in.get(id(_at(content, name)), []) if is_placed else []
    if len(places) != len(records):
        places = list(range(1, len(records) + 1))
    return list(zip(places, records, strict=True))


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
    if isinstance(content, list):
        return True
    key, first = next(iter(content.items()))
    return isinstance(first, dict) and records[0].get(KEY) == first.get(KEY, key)


def _at(content: Any, name: str) -> Any:
    """Return the array of a dotted name, the document itself without one."""
    outer, _, inner = name.partition(".")
    return content[name] if name in content else content[outer].get(inner) if name else content


def _read(source: SourceFile, said: str | None, limits: Limits) -> tuple[Any, dict[int, list[int]]]:
    """Return a document; by the identity of what is near its top the lines of what is in that."""
    text = "".join(texts(source, encoding_of(source, said, limits), limits)).lstrip("\ufeff")
    if not text.strip():
        expected = "an array of objects, or an object"
        advice = "Leave the file out if the study has no such table."
        raise refused(source.name, "an empty file", expected, advice, "empty-file", 1)
    lines_in: dict[int, list[int]] = {}
    line, counted = 1, 0

    def value(text: str, at: int, depth: int) -> tuple[Any, int]:
        begin = text[at : at + 1]
        if begin not in ("[", "{") or depth > (2 if begin == "[" else 1):
            return _decoded(text, at)
        lines: list[int] = []

        def inner(text: str, at: int) -> tuple[Any, int]:
            nonlocal line, counted
            line, counted = line + text.count("\n", counted, at), at
            lines.append(line)
            return _decoded(text, at) if begin == "[" else value(text, at, depth + 1)

        found, end = (
            JSONArray((text, at + 1), inner)
            if begin == "["
            else JSONObject((text, at + 1), True, inner, None, None)
        )
        lines_in[id(found)] = lines
        return found, end

    try:
        content, end = value(text, _after(text, 0), 0)
        if _after(text, end) < len(text):
            raise json.JSONDecodeError("Extra data", text, _after(text, end))
    except (json.JSONDecodeError, RecursionError, DeepJSON) as error:
        raise TableError(_broken(source.name, line, error)) from None
    return content, lines_in


def _after(text: str, at: int) -> int:
    """Return where white space ends."""
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]


def _decoded(text: str, at: int) -> tuple[Any, int]:
    """Return the value that begins at a place, and where it ends; `DeepJSON` if it is too deep."""
    value, end = DECODER.raw_decode(text, at)
    if text.count("[", at, end) + text.count("{", at, end) > MOST_LEVELS:
        check_levels(value)
    return value, end


def _broken(name: str, line: int, error: Exception) -> Problem:
    if isinstance(error, json.JSONDecodeError):
        line = line + error.lineno - 1 if "\n" not in error.doc.rstrip() else error.lineno
        said = error.msg.replace("property name enclosed", "a key")
        found = f"{said} at character {error.colno}"
    else:
        found = str(DeepJSON())
    advice = "Correct the JSON, or write the file again; nothing behind this place was read."
    return Problem(name, line, None, found, "JSON", advice, "json")
