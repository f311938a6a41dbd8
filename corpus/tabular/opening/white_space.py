"""Fields between runs of white space, made into fields between single spaces."""

from __future__ import annotations

import re

_RUN = re.compile(r"[ \t]+")
_ENDS = " \t\r\n"


def collapsed(line: str, quote: str) -> str:
    """Return a physical line with one space between fields, and none around them.

    A field that begins with a quote ends with one, and keeps the white space in it.

    Examples
    --------
    >>> collapsed('  A \\t "b  c"  1 \\n', '"')
    'A "b  c" 1\\n'
    """
    if not quote or quote not in line:
        return " ".join(_RUN.split(line.strip(_ENDS))) + "\n"
    fields = [line[start:end] for start, end in spans(line, quote)]
    # A quote that is not closed goes on in the next line, whose end belongs to the text.
    return " ".join(fields) + ("" if fields and fields[-1].endswith("\n") else "\n")


def spans(line: str, quote: str) -> list[tuple[int, int]]:
    """Return begin and end of each field of a physical line."""
    return [found.span() for found in _fields(quote).finditer(line)]


def _fields(quote: str) -> re.Pattern[str]:
    if not quote:
        return re.compile(r"[^ \t\r\n]+")
    q = re.escape(quote)
    return re.compile(rf"{q}(?:[^{q}]|{q}{q})*(?:{q}[^ \t\r\n]*|\Z)|[^ \t\r\n]+")
