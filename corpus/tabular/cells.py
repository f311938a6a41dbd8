"""What stands in the cells of a spreadsheet, as values of a table."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_NO_CODE = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.|\*.')
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)
_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
_DAY = 86_400


class CellError(str):
    """What a cell shows instead of a value, such as ``#DIV/0!``."""

    __slots__ = ()


def cell_name(row: int, column: int) -> str:
    """Return what a spreadsheet calls a cell.

    Examples
    --------
    >>> cell_name(7, 2), cell_name(1, 28)
    ('B7', 'AB1')
    """
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row}"


def cell_place(name: str) -> tuple[int, int]:
    """Return row and column, counted from 1, of a cell; `ValueError` if that is no name of one."""
    found = _REFERENCE.fullmatch(name)
    if found is None:
        raise ValueError(f"a cell called {name[:20]!r}")
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - 64
    return int(found[2]), column


def number(text: str) -> int | float:
    """Return the number that a cell holds, a whole one without a point.

    Examples
    --------
    >>> number("1.0"), number("0.10000000000000001"), number("1E+20")
    (1, 0.1, 1e+20)
    """
    value = float(text)
    if value != value or value in (float("inf"), float("-inf")):
        raise ValueError(f"the number {text[:20]!r}")
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def unescaped(text: str) -> str:
    """Return a text of a workbook without the escapes of characters that XML cannot hold."""
    if "_x" not in text:
        return text
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)


def kind_of_format(code: str) -> str:
    """Say what a format of numbers shows: ``date``, ``time``, ``elapsed`` or ``number``."""
    code = code.split(";")[0]
    if _ELAPSED.search(code):
        return "elapsed"
    letters = set(_NO_CODE.sub("", code).lower())
    if "general" in code.lower():
        return "number"
    if letters & set("yd"):
        return "date"
    if letters & set("hs"):
        return "time"
    return "date" if "m" in letters else "number"


def moment(value: float, kind: str, first: dt.datetime) -> str:
    """Return a number of days as date, time or both, in the form of ISO 8601.

    Parameters
    ----------
    value
        Days since `first`.
    kind
        Of the cell's format, by `kind_of_format`.
    first
        The day 0 of the workbook.

    Raises
    ------
    OverflowError, ValueError
        If there is no such date.
    """
    seconds = round(value * _DAY)
    if kind == "elapsed" or (kind == "time" and value < 1):
        hours, rest = divmod(abs(seconds), 3600)
        return f"{'-' * (seconds < 0)}{hours:02d}:{rest // 60:02d}:{rest % 60:02d}"
    if first.year == 1899 and value < 60:
        seconds += _DAY  # the 29th of February 1900, which spreadsheets believe in
    shown = first + dt.timedelta(seconds=seconds)
    return shown.date().isoformat() if seconds % _DAY == 0 else shown.isoformat()


def is_empty(value: Any) -> bool:
    """Whether a cell holds nothing; an error and a zero are something."""
    return value is None or value == ""
