"""Tables in files whose endings say no more than that they are text."""

from __future__ import annotations

from contextlib import suppress
from typing import Literal

from corpus.tabular.guesses.column_contents import is_number
from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import SourceFile, open_bytes
from corpus.tabular.problems import TableError

ENDINGS = frozenset({"txt", "text", "dat", "data"})
_LOOKED_AT = 1 << 16
_LINES = 50


def table_format(source: SourceFile, limits: Limits) -> Literal["csv", "tsv"] | None:
    """Return how a text file is read as a table; None if it does not look like one.

    It does if all of its first lines have tabs, and the same number of them; or if all have the
    same number of words, of which one is a number in every line below the first.
    """
    head = b""
    with suppress(TableError), open_bytes(source, limits) as stream:
        head = stream.read(_LOOKED_AT)
    codec = "utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    top = head.decode(codec, errors="replace").split("\n")
    top = top[:-1] if len(head) == _LOOKED_AT else top  # it may go on
    found = [line for line in top if line.strip() and not line.startswith("#")][:_LINES]
    if len(found) < 2:
        return None
    tabs = {line.count("\t") for line in found}
    if len(tabs) == 1 and tabs != {0}:
        return "tsv"
    rows = [line.split() for line in found]
    widths = set(map(len, rows))
    if len(widths) != 1 or widths == {1}:
        return None
    columns = zip(*rows[1:], strict=True)
    return "csv" if any(all(map(is_number, column)) for column in columns) else None
