"""Dataclasses as plain JSON, and back from JSON of others: nothing is converted or passed over."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from corpus.storage.storable import unstorable_in

_WORDS: dict[Any, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    tuple: "a list",
    NoneType: "nothing",
}


class PlainError(ValueError):
    """JSON that is not of its kind: where, and what is found and expected there."""

    def __init__(self, place: str, words: str, found: Any = None, expected: str = "") -> None:
        super().__init__(f"{place.lstrip('.')} {words}".lstrip())
        self.place, self.found, self.expected = place.strip(".:"), found, expected


def to_plain(value: Any) -> Any:
    """Return a value as JSON can hold it; of dataclasses what differs from their defaults."""
    if is_dataclass(value):
        every = ((each, getattr(value, each.name)) for each in fields(value))
        return {each.name: to_plain(held) for each, held in every if held != _default(each)}
    if isinstance(value, dict):
        return {key: to_plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return list(map(to_plain, value))
    return str(value) if isinstance(value, Path) else value


def from_plain(kind: Any, value: Any, place: str = "") -> Any:
    """Return what `to_plain` wrote of a value of a type.

    Raises
    ------
    PlainError
        With the first place that holds something else; or what a dataclass raises of its values.

    Examples
    --------
    >>> from_plain(dict[str, str | tuple[str, ...]], {"a": "b", "c": ["d"]})
    {'a': 'b', 'c': ('d',)}
    >>> from_plain(dict[str, list[str]], {"style": ["formal", 1]})
    Traceback (most recent call last):
        ...
    corpus.tabular.plain.PlainError: ['style'][1]: 1 is not a text
    """
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _one_of(inner, value, place)
    if kind is Any or type(value) is kind:
        return value
    if is_dataclass(kind):
        if isinstance(value, dict):
            return _dataclass(kind, value, place)
    elif origin in (dict, Mapping):
        if isinstance(value, dict):
            return {key: from_plain(inner[1], value[key], f"{place}[{key!r}]") for key in value}
    elif origin in (list, tuple):
        is_pair = origin is tuple and inner[-1] is not ...
        if isinstance(value, list | tuple) and (not is_pair or len(value) == len(inner)):
            kinds = inner if is_pair else [inner[0]] * len(value)
            every = enumerate(zip(kinds, value, strict=True))
            return origin(from_plain(of, each, f"{place}[{n}]") for n, (of, each) in every)
    elif origin is Literal and value in inner:
        return value
    elif kind is Path and isinstance(value, str):
        return Path(value)
    elif kind is float and type(value) is int:
        return float(value)
    raise _unlike(place, value, _WORDS.get(origin or kind, "an object"))


def _dataclass(kind: Any, value: dict[str, Any], place: str) -> Any:
    hints = _hints(kind)
    for each in fields(kind):
        if each.name not in value and _default(each) is MISSING:
            raise PlainError(f"{place}.{each.name}", "is missing")
    if unknown := sorted(map(str, value.keys() - hints.keys())):
        raise PlainError(f"{place}.{unknown[0]}", "is not known")
    return kind(**{n: from_plain(hints[n], each, f"{place}.{n}") for n, each in value.items()})


def _one_of(kinds: tuple[Any, ...], value: Any, place: str) -> Any:
    """Return a value of the first type that it is of; what the first expects is said."""
    for kind in kinds[1:]:
        with suppress(PlainError):
            return from_plain(kind, value, place)
    return from_plain(kinds[0], value, place)


def _unlike(place: str, value: Any, expected: str) -> PlainError:
    shown = repr(value)
    shown = f"{shown[:40]}…" if len(shown) > 40 else shown
    return PlainError(f"{place}:" if place else "", f"{shown} is not {expected}", value, expected)


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


MOST_LEVELS = 32


class DeepJSON(ValueError):
    """JSON whose brackets are nested deeper than anything here needs."""

    def __init__(self) -> None:
        super().__init__(f"brackets nested more than {MOST_LEVELS} deep")


def bounded_json(text: str | bytes) -> Any:
    """Return what a JSON text holds; `ValueError` if it is none, too deep, or not storable."""
    try:
        content = json.loads(text)
    except RecursionError:
        raise DeepJSON from None
    check_levels(content)
    if fault := unstorable_in(content):
        raise ValueError(f"it has {fault}, which cannot be stored")
    return content


def check_levels(content: Any) -> None:
    """Raise `DeepJSON` if a value is nested too deep; what comes next may be recursive."""
    level = [content] if isinstance(content, dict | list) else []
    for _ in range(MOST_LEVELS):
        level = [
            inner
            for each in level
            for inner in (each.values() if isinstance(each, dict) else each)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return
    raise DeepJSON
