"""Cells that hold lists: split at a text, or written as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Any

from corpus.storable import unstorable_in
from corpus.tabular.conversion import UnconvertibleError
from corpus.tabular.json_levels import is_deep
from corpus.tabular.json_lines import DECODER
from corpus.tabular.json_paths import ABSENT, getter

JSON = "json"
POSITION = "[#]"
"""After the name of a list: which of its elements a record is made of, from 1; alone: which record
of the file it is."""
ELEMENT = "[]"


def split(cell: Any, separator: str, missing: Collection[str]) -> list[Any]:
    """Return the elements in a cell; none if it is empty.

    Raises
    ------
    UnconvertibleError
        If the cell cannot be split so.

    Examples
    --------
    >>> split("4|5|3", "|", ()), split('["a", null]', "json", ()), split("", "|", ())
    (['4', '5', '3'], ['a', None], [])
    """
    if isinstance(cell, list):
        return cell
    if cell is None or cell is ABSENT or cell == "" or cell in missing:
        return []
    if not isinstance(cell, str):
        advice = "Take the column out of split in the mapping."
        raise UnconvertibleError(cell, "a text to split", advice, "kind")
    return _decoded(cell) if separator == JSON else cell.split(separator)


def _decoded(text: str) -> list[Any]:
    advice = "Write it as JSON, such as [4, 5] with texts in double quotes."
    try:
        value = DECODER.decode(text)
        fault = unstorable_in(value) if "\\u" in text else ""
    except (json.JSONDecodeError, RecursionError):
        raise UnconvertibleError(text, "a JSON list", advice, "json") from None
    if not isinstance(value, list) or is_deep(value):
        raise UnconvertibleError(text, "a JSON list", advice, "json")
    if fault:
        raise UnconvertibleError(fault, "text", "Remove it, or export the file again.", "json")
    return value


def element_getter(name: str, column: str) -> Callable[[Any, int], Any]:
    """Return what takes the value of a name out of an element of a column's list.

    ``scores[]`` is the element, ``scores[#]`` its position and ``scores[].rater`` a key of it.

    Examples
    --------
    >>> element_getter("ratings[].by.id", "ratings")({"by": {"id": "r1"}}, 3)
    'r1'
    """
    rest = name.removeprefix(column)
    if rest == POSITION:
        return lambda element, position: str(position)
    if rest == ELEMENT:
        return lambda element, position: element
    get = getter(rest.removeprefix(f"{ELEMENT}."))
    return lambda element, position: get(element) if isinstance(element, dict) else ABSENT


def is_of_element(name: str, column: str) -> bool:
    """Return whether a name means an element of a column's list, or something about it."""
    rest = name.removeprefix(column)
    return rest != name and (rest in (POSITION, ELEMENT) or rest.startswith(f"{ELEMENT}."))
