"""Cells to values of a field: strict about numbers, exact about texts."""

import json
import math
import re
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from corpus.storage.storable import unstorable_in
from corpus.tabular.plain import check_levels
from corpus.tabular.problems import shorten
from corpus.tabular.shaping.fields import Field

Converter = Callable[[Any], Any]
_Number = TypeVar("_Number", int, float)
_isfinite = math.isfinite
_COMMA = re.compile(r"[+-]?\d+,\d+")
_NOT_FINITE = {"nan", "+nan", "-nan", "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"}
_SAY_SO = "say so in the query, by missing()."
_ABSENT_WORDS = {"na", "n/a", "null", "none", "-", "."}


class UnconvertibleError(ValueError):
    """A cell that is no value of its field: what was found, what is expected, what to do.

    Attributes
    ----------
    label
        Of the part of a map that is no value.
    """

    def __init__(self, found: object, expected: str, message: str, code: str) -> None:
        super().__init__(message)
        self.found = shorten(found)
        self.expected = expected
        self.message = message
        self.code = code
        self.label = ""


def converter(field: Field, *, may_be_empty: bool) -> Converter:
    """Return the function that turns a cell into a value of the field.

    Parameters
    ----------
    field
        The field.
    may_be_empty
        Whether an empty cell of a number, choice or JSON field simply is no value.

    Raises
    ------
    UnconvertibleError
        By the function returned.
    """
    convert = partial(_CONVERTERS[field.kind], field)
    is_text = field.kind in ("key", "text")

    def one(cell: Any) -> Any:
        if not is_text and (cell is None or (cell == "" and may_be_empty)):
            return None  # which a query says of a value that is missing
        return convert(cell)

    def several(cell: Any) -> tuple[Any, ...]:
        parts = cell if isinstance(cell, list | tuple) else (cell,)
        return tuple(one(part) for part in parts if part not in ("", None))

    def labelled(cell: Any) -> dict[str, Any]:
        found = {}
        for label, part in entries(cell).items() if isinstance(cell, dict) else ():
            try:
                found[label] = one(part)
            except UnconvertibleError as error:
                error.label = label
                raise
        return {label: part for label, part in found.items() if part is not None}

    converters: dict[str, Converter] = {"one": one, "list": several, "map": labelled}
    return converters[field.many]


def entries(cell: dict[Any, Any]) -> dict[str, Any]:
    """Return a map as a dictionary, however DuckDB hands it out."""
    if set(cell) == {"key", "value"} and isinstance(cell["key"], list):
        return dict(zip(cell["key"], cell["value"], strict=True))
    return dict(cell)


def _text(field: Field, value: Any) -> str:
    if value is None and field.required:
        advice = 'Write "" where the text is empty.'
        raise UnconvertibleError("nothing", "a text", advice, "no-value")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple | dict | bytes):
        raise UnconvertibleError(value, "a text", "Map what lies inside it.", "kind")
    return "" if value is None else str(value)


def _key(field: Field, value: Any) -> str:
    text = "" if value is None else _text(field, value)
    if not text and field.required:
        raise UnconvertibleError("nothing", "a name", "This may not be empty.", "empty-key")
    if len(text) > field.longest:
        expected = f"at most {field.longest} characters"
        raise UnconvertibleError(text, expected, "Use a shorter name.", "long-key")
    return text


def _number(field: Field, value: Any) -> float:
    return _bounded(field, value, _finite(value))


def _integer(field: Field, value: Any) -> int:
    result = _finite(value)
    if not result.is_integer():
        raise UnconvertibleError(value, "a whole number", "Round or correct it.", "integer")
    whole = int(str(value)) if str(value).strip("+-").isdigit() else int(result)
    return _bounded(field, value, whole)


def _finite(value: Any) -> float:
    try:
        result = float(value)
    except (TypeError, ValueError, OverflowError):
        raise _no_number(value) from None
    if not _isfinite(result) or value.__class__ is bool or "_" in str(value):
        raise _no_number(value)
    return result


def _bounded(field: Field, value: Any, number: _Number) -> _Number:
    least, most = field.least, math.inf if field.most is None else field.most
    if least is not None and not least <= number <= most:
        expected = f"{least:g} or more" if field.most is None else f"{least:g} to {most:g}"
        advice = "Correct it, or leave the cell empty where it is not known."
        raise UnconvertibleError(value, expected, advice, "range")
    return number


def _no_number(value: Any) -> UnconvertibleError:
    text = str(value)
    folded = text.strip().lower()
    advice = "Correct it."
    if not folded:
        text = text or "nothing"
        advice = f"If an empty cell means a missing value, {_SAY_SO}"
    elif folded in _NOT_FINITE:
        advice = f"If it means a missing value, {_SAY_SO}"
    elif folded in _ABSENT_WORDS:
        advice = f"If '{shorten(text, 10)}' means a missing value, {_SAY_SO}"
    elif _COMMA.fullmatch(folded):
        advice = "Write decimals with a point, not a comma."
    return UnconvertibleError(text, "a finite number", advice, "number")


def _choice(field: Field, value: Any) -> str:
    if value.__class__ is bool:
        value = "true" if value else "false"
    if isinstance(value, str) and value in field.choices:
        return str(value)
    expected = "one of " + ", ".join(field.choices)
    raise UnconvertibleError(value or "nothing", expected, "Correct it.", "choice")


def _json(_: Field, value: Any) -> Any:
    if not isinstance(value, str):
        return _plain_json(value)
    try:
        content = json.loads(value, parse_constant=_refuse)
        check_levels(content)
    except (ValueError, RecursionError) as error:
        raise UnconvertibleError(value, "JSON", f"{error}.", "json") from None
    if fault := unstorable_in(content):
        raise UnconvertibleError(fault, "text", "Remove it.", "nul")
    return content


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def _plain_json(value: Any) -> Any:
    """Return a value from JSON Lines or Parquet as ordinary JSON."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _plain_json(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain_json(inner) for inner in value]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return str(value)


_CONVERTERS: dict[str, Callable[[Field, Any], Any]] = {
    **{"key": _key, "text": _text, "choice": _choice, "json": _json},
    **{"number": _number, "integer": _integer},
}
