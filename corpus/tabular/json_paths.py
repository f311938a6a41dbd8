"""Dotted names for what lies inside JSON objects, and where it stands in their text.

``a.b`` is a key of an object inside an object; ``ratings[].rater`` a key of each object of a
list, of which a mapping's ``explode`` makes one record each; ``outputs.{name}`` stands for all
keys that match, as a dictionary from label to value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

MOST_COLUMNS = 2000
_DECODER = json.JSONDecoder()
_INNER = re.compile(r"\[\]\.|\.")
_WHITE = " \t\r\n"


class Numeral(str):
    """A JSON number as it was written, so that a key such as 1.0 stays what it is.

    Also NaN and Infinity, which are no JSON but which Python writes: fields of numbers refuse
    them unless the mapping says that they mean a missing value.
    """

    __slots__ = ()

    @property
    def is_finite(self) -> bool:
        """Whether this is a number at all."""
        return self[-1].isdigit()

    def number(self) -> int | float:
        """Return its value."""
        return int(self) if self.lstrip("-").isdigit() else float(self)


class OneOfList(list[Any]):
    """One element of a list that is read element by element, and its position from 0."""

    def __init__(self, element: Any, first: int) -> None:
        super().__init__([element])
        self.first = first


class Absent:
    """The type of `ABSENT`: what a record holds under a key that it does not have."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()


def column_names(objects: Iterable[dict[str, Any]]) -> list[str]:
    """Return the names of all values in some objects, in the order of their first appearance."""
    names: dict[str, None] = {}

    def walk(value: dict[str, Any], prefix: str) -> None:
        for key, inner in value.items():
            name = prefix + key
            if isinstance(inner, dict) and inner:
                walk(inner, name + ".")
            elif isinstance(inner, list) and any(isinstance(item, dict) for item in inner):
                for item in inner:
                    if isinstance(item, dict):
                        walk(item, name + "[].")
            elif len(names) < MOST_COLUMNS:
                names[name] = None

    for each in objects:
        walk(each, "")
    # An empty object or list that has content elsewhere is no value of its own.
    holders = {name[: match.start()] for name in names for match in _INNER.finditer(name)}
    return [name for name in names if name not in holders]


def exploded(
    record: dict[str, Any], parts: Sequence[str], *, numbered: bool = False
) -> Iterator[tuple[tuple[int, ...], dict[str, Any]]]:
    """Yield the record once per element of the lists on a path, each with its indices.

    In each copy the element stands in the list's place and, if `numbered`, its position from 1
    under the list's name with ``[#]``. A record without the list, or with an empty one, yields
    nothing.
    """
    head, rest = parts[0], parts[1:]
    value = record.get(head)
    first = value.first if isinstance(value, OneOfList) else 0
    for index, item in enumerate(value, first) if isinstance(value, list) else ((-1, value),):
        if item is None:
            continue
        place = {f"{head}[#]": str(index + 1)} if numbered and index >= 0 else {}
        if not rest:
            yield (index,), {**record, **place, head: item}
        elif isinstance(item, dict):
            for indices, inner in exploded(item, rest, numbered=numbered):
                yield (index, *indices), {**record, **place, head: inner}


def getter(name: str) -> Callable[[dict[str, Any]], Any]:
    """Return a function that takes the value of that name out of a record.

    Of a list that was not exploded it takes the first element (enough for a preview).
    """
    plain = name.replace("[]", "")
    if "{name}" in plain:
        return _family(name)
    parts = [(part.removesuffix("[]"), part.endswith("[]")) for part in name.split(".")]
    if len(parts) == 1:
        return lambda record: record.get(plain, ABSENT)

    def get(record: dict[str, Any]) -> Any:
        value: Any = record
        for part, is_list in parts:
            if not isinstance(value, dict) or part not in value:
                return record.get(plain, ABSENT)
            value = value[part]
            if is_list and isinstance(value, list):
                value = value[0] if value else ABSENT
        return value

    return get


def _family(name: str) -> Callable[[dict[str, Any]], Any]:
    """Return a getter of all values whose name matches a pattern, by label.

    Where there is no object of that name, keys of the record itself may be such names.
    """
    before, after = name.split("{name}", 1)
    parent, _, start = before.rpartition(".")
    end, _, inner = after.partition(".")
    get_parent = getter(parent) if parent else None
    get_inner = getter(inner) if inner else None

    def get(record: dict[str, Any]) -> Any:
        holder = get_parent(record) if get_parent else record
        if holder is ABSENT and "[]" not in name:
            labels = {key: label_in(key, before, after) for key in record}
            return {label: record[key] for key, label in labels.items() if label} or ABSENT
        if not isinstance(holder, dict):
            return holder
        family = {}
        for key, value in holder.items():
            label = label_in(key, start, end)
            if label and get_inner is None:
                family[label] = value
            elif label and get_inner and isinstance(value, dict):
                family[label] = get_inner(value)
        return family

    return get


def characters_of(value: Any) -> int:
    """Return about how many characters a value has, with all that lies inside it.

    Examples
    --------
    >>> characters_of(["ab", {"c": "def"}, 1.5, None])
    17
    """
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(map(len, value)) + sum(map(characters_of, value.values()))
    if isinstance(value, list | tuple):
        return sum(map(characters_of, value)) + len(value)
    return 4


def label_in(name: str, start: str, end: str) -> str | None:
    """Return what stands in a name between `start` and `end`; None if it does not match."""
    if len(name) > len(start) + len(end) and name.startswith(start) and name.endswith(end):
        return name[len(start) : len(name) - len(end)]
    return None


def steps_to(name: str, indices: Sequence[int], label: str | None) -> list[str | int]:
    """Return the keys and list indices that lead to a value, given those of the record."""
    steps: list[str | int] = []
    remaining = iter(indices)
    for part in name.split("."):
        steps.append(part.removesuffix("[]").replace("{name}", label or "{name}"))
        if part.endswith("[]"):
            index = next(remaining, -1)
            if index >= 0:
                steps.append(index)
    return steps


def position_of(text: str, steps: Sequence[str | int]) -> int | None:
    """Return the character, from 1, at which a value begins in a JSON text; None if absent.

    Examples
    --------
    >>> position_of('{"a": {"b": [1, 22]}}', ["a", "b", 1])
    17
    """
    index: int | None = _skip(text, 0)
    for step in steps:
        if index is None:
            return None
        index = _item(text, index, step)
    return None if index is None else index + 1


def _item(text: str, index: int, step: str | int) -> int | None:
    """Return where the value of a key or list index begins in the container at `index`."""
    opening = text[index]
    if opening not in "{[":
        return None
    found: int | None = None
    count = 0
    index = _skip(text, index + 1)
    while text[index] not in "}]":
        key: str | int = count
        if opening == "{":
            key, index = _DECODER.raw_decode(text, index)
            index = _skip(text, _skip(text, index) + 1)
        if key == step:
            found = index
        _, index = _DECODER.raw_decode(text, index)
        index = _skip(text, index)
        if text[index] == ",":
            index = _skip(text, index + 1)
        count += 1
    return found


def _skip(text: str, index: int) -> int:
    while index < len(text) and text[index] in _WHITE:
        index += 1
    return index
