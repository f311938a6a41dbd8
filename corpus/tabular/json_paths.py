"""Dotted names for what lies inside JSON objects, and where it stands in their text.

``a.b`` is a key of an object inside an object; ``ratings[].rater`` a key of each object of a
list, of which a mapping's ``explode`` makes one record each; ``outputs.{name}`` stands for all
keys that match, as a dictionary from label to value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

MOST_COLUMNS = 2000
_INNER = re.compile(r"\[\]\.|\.")


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


def label_in(name: str, start: str, end: str) -> str | None:
    """Return what stands in a name between `start` and `end`; None if it does not match."""
    if len(name) > len(start) + len(end) and name.startswith(start) and name.endswith(end):
        return name[len(start) : len(name) - len(end)]
    return None
