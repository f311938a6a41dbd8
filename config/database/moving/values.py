"""Values as text that is the same whichever database they were read from."""

import json
import math
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from corpus.storage.storable import unstorable, unstorable_in


def as_text(value: Any, *, ordered: bool = False) -> str:
    """Return a value as text for a checksum.

    Numbers are written without exponent and without zeros at the end, for PostgreSQL writes those
    of JSON in its own way; zero has no sign, which SQLite does not store.

    Parameters
    ----------
    value
        As Django reads it from a column.
    ordered
        Whether the order of keys in JSON counts; PostgreSQL's own type does not keep it.

    Raises
    ------
    TypeError
        If it is of a type that no column has had so far.
    """
    match value:
        case None | bool():
            return json.dumps(value)
        case str():
            return json.dumps(value)
        case int():
            return str(value)
        case float():
            return _plain(Decimal(repr(value))) if math.isfinite(value) else repr(value)
        case Decimal():
            return _plain(value)
        case datetime():
            return value.astimezone(UTC).isoformat(timespec="microseconds")
        case bytes() | memoryview():
            return bytes(value).hex()
        case UUID():
            return value.hex
        case list():
            return f"[{','.join(as_text(each, ordered=ordered) for each in value)}]"
        case dict():
            pairs = value.items() if ordered else sorted(value.items())
            texts = (f"{json.dumps(key)}:{as_text(each, ordered=ordered)}" for key, each in pairs)
            return f"{{{','.join(texts)}}}"
    raise TypeError(f"no text for a value of type {type(value).__name__}")


def refused_by_postgresql(value: Any, *, is_json: bool = False) -> str:
    """Return what PostgreSQL would refuse in a value, in words; empty if nothing."""
    if not is_json:
        return unstorable(value) if isinstance(value, str) else ""
    if any(isinstance(part, float) and not math.isfinite(part) for part in _parts(value)):
        return "a number that is not finite, in JSON"
    fault = unstorable_in(value)
    return f"{fault}, in JSON" if fault else ""


def _plain(number: Decimal) -> str:
    text = format(number, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _parts(each)
    else:
        yield value
