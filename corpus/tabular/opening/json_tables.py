"""The tables in a document of JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Record = dict[str, Any]
KEY, SECOND_KEY, VALUE, POSITION = "key", "key 2", "value", "position"
MANY_KEYS = 50
WHOLE = "(whole)"
"""Instead of the name of an array: the document is one record, or a list of them."""


def tables_of(content: Any) -> dict[str, list[Record]]:
    """Return the tables of a document, by the key of the array that holds the records.

    An array of objects is one table, without a name. Of an object every array of objects is one,
    with the plain values beside the arrays in each record; without such an array an object of
    objects that are alike is a table by its keys, and lists of equal length are columns.

    Examples
    --------
    >>> tables_of({"set": "a", "items": [{"id": "1"}, {"id": "2"}]})
    {'items': [{'set': 'a', 'id': '1'}, {'set': 'a', 'id': '2'}]}
    >>> tables_of({"s1": {"text": "a"}, "s2": {"text": "b"}})
    {'': [{'key': 's1', 'text': 'a'}, {'key': 's2', 'text': 'b'}]}
    >>> tables_of({"id": ["1", "2"], "text": ["a", "b"]})
    {'': [{'position': '1', 'id': '1', 'text': 'a'}, {'position': '2', 'id': '2', 'text': 'b'}]}
    """
    if isinstance(content, list):
        return {"": [each if isinstance(each, dict) else _of_value(each) for each in content]}
    if not isinstance(content, dict) or not any(
        isinstance(v, list | dict) for v in content.values()
    ):
        return {}
    lists = {key: value for key, value in content.items() if _is_records(value)}
    if lists:
        constants = {key: value for key, value in content.items() if _is_plain(value)}
        return {
            key: [constants | each for each in value if isinstance(each, dict)]
            for key, value in lists.items()
        }
    objects = {key: value for key, value in content.items() if isinstance(value, dict)}
    if len(content) == len(objects) == 1:
        ((name, inner),) = objects.items()
        if found := {f"{name}.{key}": rows for key, rows in tables_of(inner).items() if key}:
            return found
    if (rows := _parallel(content)) is not None:
        return {"": rows}
    if objects and len(objects) == len(content) and _are_alike(objects.values()):
        return {"": list(_under_keys(objects))}
    return {"": [content]} if content else {}


def is_of_records(content: Any) -> bool:
    """Whether a document surely holds records: an array of objects, or objects by key."""
    if isinstance(content, dict):
        return bool(content) and isinstance(next(iter(content.values())), dict)
    return isinstance(content, list)


def _of_value(value: Any) -> Record:
    if isinstance(value, list):
        return {f"column {number}": each for number, each in enumerate(value, 1)}
    return {VALUE: value}


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(e, dict) for e in value)


def _is_plain(value: Any) -> bool:
    """Whether a value may stand beside records: a text, or an object of texts."""
    if isinstance(value, dict):
        return all(not isinstance(each, dict | list) for each in value.values())
    return not isinstance(value, list)


def _parallel(content: Record) -> list[Record] | None:
    """Return a record for each position of lists of equal length, which are two at least."""
    lengths = {len(each) for each in _lists(content)}
    if len(lengths) != 1 or len(list(_lists(content))) < 2:
        return None
    return [{POSITION: str(n + 1), **_at(content, n)} for n in range(lengths.pop())]


def _lists(content: Record) -> Iterator[list[Any]]:
    for value in content.values():
        if isinstance(value, list):
            yield value
        elif isinstance(value, dict):
            yield from _lists(value)


def _at(content: Record, number: int) -> Record:
    return {
        key: value[number]
        if isinstance(value, list)
        else _at(value, number)
        if isinstance(value, dict)
        else value
        for key, value in content.items()
    }


def _are_alike(objects: Iterable[Record]) -> bool:
    """Whether objects hold values of one kind, or more than half of them have a key in common."""
    found = list(objects)
    counts = Counter(key for each in found for key in each)
    return len(_kinds(found)) < 2 or 2 * max(counts.values()) > len(found)


def _kinds(objects: Iterable[Record]) -> set[type]:
    return {type(value) for each in objects for value in each.values() if value}


def _under_keys(objects: Mapping[str, Record]) -> Iterator[Record]:
    """Yield the records of an object of objects: a frame, values under two keys, or its values."""
    keys = [list(each) for each in objects.values()]
    numbers = list(map(str, range(len(keys[0]))))
    if len(objects) > 1 and len(numbers) > 1 and all(names == numbers for names in keys):
        for name in numbers:
            yield {KEY: name, **{column: each[name] for column, each in objects.items()}}
        return
    most = max(map(len, keys))
    is_numbered = most > 1 and all(name.isdigit() for names in keys for name in names)
    if len(_kinds(objects.values())) == 1 and (most > MANY_KEYS or is_numbered):
        for key, each in objects.items():
            for second, value in each.items():
                yield from _placed(key, second, value)
        return
    for key, each in objects.items():
        yield {KEY: key} | each


def _placed(key: str, second: str, value: Any) -> Iterator[Record]:
    elements = value if isinstance(value, list) else [value]
    for number, each in enumerate(elements, 1):
        place = {POSITION: str(number)} if isinstance(value, list) else {}
        record = each if isinstance(each, dict) else {VALUE: each}
        yield {KEY: key, SECOND_KEY: second, **place, **record}
