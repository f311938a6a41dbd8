"""Cells to values of a field: strict about numbers, exact about texts."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection
from typing import Any

from corpus.storage.storable import unstorable_in
from corpus.tabular.opening.json_levels import check_levels
from corpus.tabular.problems import shorten
from corpus.tabular.shaping.fields import Field

Converter = Callable[[Any], Any]
_isfinite = math.isfinite
_COMMA = re.compile(r"[+-]?\d+,\d+")
_NOT_FINITE = {"nan", "+nan", "-nan", "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"}
_ABSENT_WORDS = {"na", "n/a", "null", "none", "-", "."}


class UnconvertibleError(ValueError):
    """A cell that is no value of its field: what was found, what is expected, what to do."""

    def __init__(self, found: object, expected: str, message: str, code: str) -> None:
        super().__init__(message)
        self.found = shorten(found)
        self.expected = expected
        self.message = message
        self.code = code


def converter(
    field: Field, missing: Collection[str], *, may_be_empty: bool, typed: bool
) -> Converter | None:
    """Return the function that turns a cell into a value of the field; None if nothing is to do.

    Parameters
    ----------
    field
        The field.
    missing
        Texts that stand for "no value": None for numbers and choices. Texts and keys are
        never taken for missing.
    may_be_empty
        Whether an empty cell of a number, choice or JSON field simply is no value.
    typed
        Whether cells may be other than text (JSON Lines, Parquet, constants).

    Raises
    ------
    UnconvertibleError
        By the function returned.
    """
    if field.kind in {"key", "text"}:
        check = _key(field) if field.kind == "key" else None
        return _typed_text(field, check) if typed else check
    inner = _KINDS[field.kind](field)
    skipped = frozenset(missing) | (frozenset([""]) if may_be_empty else frozenset())

    def convert(value: Any) -> Any:
        if value is None:
            value = ""
        elif typed and value != value:
            value = "NaN"
        if isinstance(value, str) and value in skipped:
            return None
        return inner(value)

    return convert


def _key(field: Field) -> Converter:
    longest, required = field.longest, field.required

    def key(value: Any) -> Any:
        if 0 < len(value) <= longest or (not value and not required):
            return value
        if not value:
            raise UnconvertibleError("nothing", "a name", "This may not be empty.", "empty-key")
        raise UnconvertibleError(
            value, f"at most {longest} characters", "Use a shorter name.", "long-key"
        )

    return key


def _typed_text(field: Field, inner: Converter | None) -> Converter:
    def text(value: Any) -> Any:
        if value is None:
            if field.required:
                advice = 'Write "" where the text is empty.'
                raise UnconvertibleError("nothing", "a text", advice, "no-value")
            value = ""
        else:
            value = text_of(value)
        return inner(value) if inner else value

    return text


def text_of(cell: Any) -> str:
    """Return a cell as its file writes it, "" if it holds nothing.

    Raises
    ------
    UnconvertibleError
        If the cell holds others.
    """
    if cell.__class__ is str:
        return str(cell)
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, list | tuple | dict | bytes):
        raise UnconvertibleError(cell, "a text", "Map what lies inside it.", "kind")
    return str(cell)


def number_in(value: Any) -> float:
    """Return the finite number that a cell is; `UnconvertibleError` if it is none."""
    try:
        result = float(value)
    except (TypeError, ValueError, OverflowError):
        raise _no_number(value) from None
    if not _isfinite(result) or value.__class__ is bool or "_" in str(value):
        raise _no_number(value)
    return result


def _number(field: Field) -> Converter:
    return number_in


def _integer(field: Field) -> Converter:
    def integer(value: Any) -> int:
        result = number_in(value)
        if not result.is_integer():
            raise UnconvertibleError(value, "a whole number", "Round or correct it.", "integer")
        return int(str(value)) if str(value).strip("+-").isdigit() else int(result)

    return integer


def _no_number(value: Any) -> UnconvertibleError:
    text = str(value)
    folded = text.strip().lower()
    advice = "Correct it."
    if not folded:
        text = text or "nothing"
        advice = "If an empty cell means a missing value, say so in the mapping (missing)."
    elif folded in _NOT_FINITE:
        advice = "If it means a missing value, say so in the mapping (missing)."
    elif folded in _ABSENT_WORDS:
        advice = f"If '{shorten(text, 10)}' means a missing value, say so in the mapping (missing)."
    elif _COMMA.fullmatch(folded):
        advice = "Write decimals with a point, not a comma."
    return UnconvertibleError(text, "a finite number", advice, "number")


def _choice(field: Field) -> Converter:
    choices = frozenset(field.choices)

    def choice(value: Any) -> Any:
        if value.__class__ is bool:
            value = "true" if value else "false"
        if isinstance(value, str) and value in choices:
            return str(value)
        expected = "one of " + ", ".join(field.choices)
        raise UnconvertibleError(value or "nothing", expected, "Correct it.", "choice")

    return choice


def _json(field: Field) -> Converter:
    def decode(value: Any) -> Any:
        if not isinstance(value, str):
            return plain_json(value)
        try:
            content = json.loads(value, parse_constant=_refuse)
            check_levels(content)
        except (ValueError, RecursionError) as error:
            raise UnconvertibleError(value, "JSON", f"{error}.", "json") from None
        if fault := unstorable_in(content):
            raise UnconvertibleError(fault, "text", "Remove it.", "nul")
        return content

    return decode


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def plain_json(value: Any) -> Any:
    """Return a value from JSON Lines or Parquet as ordinary JSON."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: plain_json(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain_json(inner) for inner in value]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return str(value)


_KINDS: dict[str, Callable[[Field], Converter]] = {
    "number": _number,
    "integer": _integer,
    "choice": _choice,
    "json": _json,
}
