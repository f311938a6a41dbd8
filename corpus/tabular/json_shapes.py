"""What kind of document a JSON object is, told from its beginning without decoding all of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

Kind = Literal["records", "twice", "frame", "parallel", "lists"]
SAMPLED = 200
DECODED = 20
MANY_KEYS = 50
_SPACE = re.compile(r"[ \t\r\n]*")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
_PLAIN = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,\]}]+', re.DOTALL)
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class Shape:
    """How the values of an object become records.

    Attributes
    ----------
    kind
        ``records`` under their keys; values under two keys (``twice``); columns of values under
        the numbers of rows (``frame``); ``parallel`` lists; or an object with ``lists`` of
        records in it, which may be none.
    path
        Keys of the objects that do nothing but hold the one in question.
    """

    kind: Kind
    path: tuple[str, ...] = ()


def shape_of(document: str, at: int, columns: Sequence[str]) -> Shape:
    """Say what kind of document begins at a character, an opening brace.

    Parameters
    ----------
    document, at
        The text, and where the object begins.
    columns
        The columns that a mapping asks for; none if nobody has said: with ``key 2`` among them
        the values of the inner objects are the records, without it the outer ones.
    """
    try:
        found = _kinds(document, at)
        kinds = [kind for _, kind, _ in found]
        if "key 2" in columns and set(kinds) == {"object"}:
            return Shape("twice")
        if "records" in kinds:
            return Shape("lists")
        if "list" in kinds and kinds.count("object") <= 3:
            return Shape("parallel")
        if len(found) == 1 and kinds == ["object"]:
            (name, _, inner) = found[0]
            below = {kind for _, kind, _ in _kinds(document, inner)}
            if below == {"records"}:
                return Shape("lists", (name,))
            if below == {"list"}:
                return Shape("parallel")
        if kinds.count("object") <= kinds.count("plain"):
            return Shape("lists")
        return Shape(_of_objects(document, found, bool(columns)))
    except (ValueError, IndexError, RecursionError):
        return Shape("records")  # reading it says where it breaks


def has_containers(beginning: str) -> bool:
    """Whether the beginning of a document is that of an object with lists or objects in it."""
    at = _skip(beginning, 1 if beginning.startswith("\ufeff") else 0)
    if not beginning.startswith("{", at):
        return False
    try:
        return any(beginning[place] in "{[" for _, place in _entries(beginning, at))
    except (ValueError, IndexError, RecursionError, TypeError):
        return False


def _of_objects(document: str, found: Sequence[tuple[str, str, int]], is_asked: bool) -> Kind:
    """Say whether objects under keys are records, or hold values under keys of their own."""
    objects = [_DECODER.raw_decode(document, at)[0] for _, _, at in found[:DECODED]]
    if not all(isinstance(each, dict) and each for each in objects):
        return "records"
    keys = [list(each) for each in objects]
    numbered = all(name.isdigit() for names in keys for name in names)
    values = [value for each in objects for value in each.values()]
    kinds = {_sort(value) for value in values} - {"nothing"}
    if len(objects) > 1 and keys[0] == list(map(str, range(len(keys[0])))) and len(kinds) > 1:
        is_frame = len(keys[0]) > 1 and all(names == keys[0] for names in keys)
        return "frame" if is_frame else "records"
    many = max(map(len, keys)) > MANY_KEYS or (numbered and max(map(len, keys)) > 1)
    return "twice" if many and len(kinds) == 1 and not is_asked else "records"


def _sort(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "number"
    return {int: "number", float: "number", str: "text"}.get(type(value), type(value).__name__)


def _kinds(document: str, at: int) -> list[tuple[str, str, int]]:
    """Return key, kind and begin of the first values of an object."""
    found = []
    for key, begin in islice(_entries(document, at), SAMPLED):
        kind = {"{": "object", "[": "list"}.get(document[begin], "plain")
        if kind == "list" and document[_skip(document, begin + 1)] == "{":
            kind = "records"
        found.append((key, kind, begin))
    return found


def _entries(document: str, at: int) -> Iterator[tuple[str, int]]:
    """Yield key and begin of each value of the object at a character."""
    at = _skip(document, at + 1)
    while document[at] != "}":
        key, at = _DECODER.raw_decode(document, at)
        at = _skip(document, _skip(document, at) + 1)
        yield key, at
        at = _skip(document, end_of(document, at))
        if document[at] == ",":
            at = _skip(document, at + 1)


def end_of(document: str, at: int) -> int:
    """Return where the value that begins at a character ends, without decoding it."""
    if document[at] not in "{[":
        found = _PLAIN.match(document, at)
        if found is None:
            raise ValueError("no value")
        return found.end()
    depth = 0
    for token in _TOKEN.finditer(document, at):
        mark = token[0]
        if mark in "{[":
            depth += 1
        elif mark in "}]":
            depth -= 1
            if depth == 0:
                return token.end()
    raise ValueError("no end")


def _skip(document: str, at: int) -> int:
    found = _SPACE.match(document, at)
    return found.end() if found else at
