"""Texts of annotation tools, found by the names that the field uses for them."""

from __future__ import annotations

from functools import cache

from corpus.tabular.column_names import canonical
from corpus.tabular.known_columns import FILE_NAME, catalogue

FIELDS = ("segment", "source", "reference", "system", "output")


def meaning(name: str) -> str:
    """Return which of `FIELDS` a name means; empty if none.

    Examples
    --------
    >>> meaning("src"), meaning("system_name"), meaning("length")
    ('source', 'system', '')
    """
    return _known().get(canonical(name), "")


def names_that_mean(field: str) -> list[str]:
    """Return the names of one of `FIELDS`, in small letters without separators."""
    return [name for name, meant in _known().items() if meant == field]


@cache
def _known() -> dict[str, str]:
    """Return what each known name of a column means."""
    known = {canonical(name): name for name in FIELDS}
    for line in catalogue():
        if line.field in FIELDS and not line.kind and set(line.beside) <= {FILE_NAME}:
            for name in line.names:
                known.setdefault(canonical(name), line.field)
    return known
