"""Dotted names for what lies inside JSON objects.

``a.b`` is a key of an object inside an object; ``ratings[].rater`` a key of each object of a
list, of which a mapping's ``explode`` makes one record each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

MOST_COLUMNS = 2000
_INNER = re.compile(r"\[\]\.|\.")


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
    parts = [(part.removesuffix("[]"), part.endswith("[]")) for part in name.split(".")]
    if len(parts) == 1:
        return lambda record: record.get(plain)

    def get(record: dict[str, Any]) -> Any:
        value: Any = record
        for part, is_list in parts:
            if not isinstance(value, dict) or part not in value:
                return record.get(plain)
            value = value[part]
            if is_list and isinstance(value, list):
                value = value[0] if value else None
        return value

    return get


def label_in(name: str, start: str, end: str) -> str | None:
    """Return what stands in a name between `start` and `end`; None if it does not match."""
    if len(name) > len(start) + len(end) and name.startswith(start) and name.endswith(end):
        return name[len(start) : len(name) - len(end)]
    return None
