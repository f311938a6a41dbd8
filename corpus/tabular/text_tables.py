"""Tables in files whose endings say no more than that they are text."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from corpus.tabular.column_contents import is_number

ENDINGS = frozenset({"txt", "text", "dat", "data"})
_LOOKED_AT = 1 << 16
_LINES = 50


def table_format(place: Path, gzipped: bool) -> Literal["csv", "tsv"] | None:
    """Return how a text file is read as a table; None if it does not look like one.

    It does if all of its first lines have tabs, and the same number of them; or if all have the
    same number of words, of which one is a number in every line below the first.
    """
    lines = [line for line in _first_lines(place, gzipped) if line.strip()]
    lines = [line for line in lines if not line.startswith("#")][:_LINES]
    if len(lines) < 2:
        return None
    tabs = {line.count("\t") for line in lines}
    if len(tabs) == 1 and tabs != {0}:
        return "tsv"
    rows = [line.split() for line in lines]
    widths = set(map(len, rows))
    if len(widths) != 1 or widths == {1}:
        return None
    columns = zip(*rows[1:], strict=True)
    return "csv" if any(all(map(is_number, column)) for column in columns) else None


def _first_lines(place: Path, gzipped: bool) -> Sequence[str]:
    """Return the first lines, without one that may go on."""
    try:
        with gzip.open(place) if gzipped else place.open("rb") as stream:
            head = stream.read(_LOOKED_AT)
    except (OSError, EOFError, zlib.error):
        return []
    codec = "utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    lines = head.decode(codec, errors="replace").split("\n")
    return lines[:-1] if len(head) == _LOOKED_AT else lines
