"""JSON as it is read: the tables in it, objects with their places, every value as its text."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import SourceFile
from corpus.tabular.opening.headers import named
from corpus.tabular.opening.text_files import encoding_of, lines, texts
from corpus.tabular.plain import MOST_LEVELS, DeepJSON, check_levels
from corpus.tabular.problems import Problem, ProblemLog, TableError, problem, refused, shorten

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
    """Whether a value may accompany records: a text, or an object of texts."""
    if isinstance(value, dict):
        return all(not isinstance(each, dict | list) for each in value.values())
    return not isinstance(value, list)


def _parallel(content: Record) -> list[Record] | None:
    """Return a record for each position of lists of equal length, which are two at least."""
    lengths = {len(each) for each in _lists(content)}
    if len(lengths) != 1 or len(list(_lists(content))) < 2:
        return None
    return [{POSITION: str(n + 1), **_at_position(content, n)} for n in range(lengths.pop())]


def _lists(content: Record) -> Iterator[list[Any]]:
    for value in content.values():
        if isinstance(value, list):
            yield value
        elif isinstance(value, dict):
            yield from _lists(value)


def _at_position(content: Record, number: int) -> Record:
    return {
        key: value[number]
        if isinstance(value, list)
        else _at_position(value, number)
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
            log.add(problem("no-object", source.name, shorten(line.strip()), line=number))


def document(source: SourceFile, said: str | None, limits: Limits) -> Any:
    """Return the content of a JSON document; `TableError` with its line if it is none."""
    text = "".join(texts(source, encoding_of(source, said, limits), limits)).lstrip("\ufeff")
    if not text.strip():
        raise refused("empty-document", source.name)
    try:
        content, end = _decoded(text, _after(text, 0))
        if _after(text, end) < len(text):
            raise json.JSONDecodeError("Extra data", text, _after(text, end))
    except (json.JSONDecodeError, RecursionError, DeepJSON) as error:
        raise TableError(_broken(source.name, 1, error)) from None
    return content


def json_table(source: SourceFile, said: str | None, limits: Limits) -> Iterator[Placed]:
    """Return the records of a table in a JSON document, each with its number."""
    content = document(source, said, limits)
    if source.sheet == WHOLE and isinstance(content, dict):
        return iter([(1, content)])
    tables = tables_of(content)
    name = source.sheet.replace(WHOLE, "") or next(iter(tables), "")
    return enumerate(tables.get(name, []), 1)


def renamed(records: Iterable[Placed]) -> Iterator[Placed]:
    """Yield objects whose keys differ by more than case, as those of a table do."""
    names: dict[str, str] = {}
    for line, record in records:
        if not record.keys() <= names.keys():
            keys = list(dict.fromkeys([*names, *record]))
            names = dict(zip(keys, named(keys), strict=True))
        yield line, {names[key]: value for key, value in record.items()}


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
    return problem("json", name, found, line=line)
