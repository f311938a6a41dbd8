"""Names of columns, as they are compared with each other."""

from __future__ import annotations

import re

ELEMENT = "[]"
POSITION = "[#]"
"""After the name of a list: which of its elements a record is made of, from 1; alone: which record
of the file it is."""
_SEPARATORS = re.compile(r"[\W_]+")


def canonical(name: str) -> str:
    """Return a column name in lower case without separators: ``Segment_ID`` is ``segmentid``."""
    return _SEPARATORS.sub("", name).lower()


def list_path(column: str) -> str | None:
    """Return the path of the innermost list that a dotted name goes through."""
    return column[: column.rindex("[]")] if "[]" in column else None


def last_part(column: str) -> str:
    """Return what a dotted name ends in."""
    return column.rpartition(".")[2]
