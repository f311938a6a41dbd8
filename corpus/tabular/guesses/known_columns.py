"""The names under which published data has the fields of a table, from `known_columns.csv`.

Each line of that file has names, separated by spaces, and says which tools or data sets use them:

- ``table``: a table, or ``several`` for the fields that tables share;
- ``kind``: empty for names of the field; ``digest`` for columns of texts from which its key is
  made; ``label`` and ``pattern`` for columns whose names are values of the field;
- ``only beside``: what must be there too, because the name means something else elsewhere: a
  column of another field, or ``file name`` for a file that is named after the table.

Names are compared without regard to case and separators.
"""

import csv
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from corpus.tabular.guesses.columns import canonical
from corpus.tabular.shaping.fields import TableSpec

CATALOGUE = Path(__file__).with_name("known_columns.csv")
SEVERAL = "several"
FILE_NAME = "file name"


class KnownColumns(NamedTuple):
    """One line of the catalogue."""

    table: str
    field: str
    kind: str
    beside: tuple[str, ...]
    names: tuple[str, ...]
    used_by: str


@cache
def catalogue() -> tuple[KnownColumns, ...]:
    """Return the lines of the catalogue, in order."""
    with CATALOGUE.open(encoding="utf-8", newline="") as lines:
        _, *rows = csv.reader(lines)
    return tuple(
        KnownColumns(
            table, field, kind, tuple(filter(None, among.split(", "))), tuple(names.split()), by
        )
        for table, field, kind, among, names, by in rows
    )


Names = tuple[tuple[str, ...], tuple[tuple[str, str], ...]]
"""Those that always count; those that count beside something else, which is named with each."""


@cache
def known(table: str, field: str, kind: str = "", *, is_shared: bool = False) -> Names:
    """Return the names that the catalogue has of a kind for a field of a table.

    Patterns have ``{name}`` for a label (``outputs.{name}``), or ``*`` if the whole name is one.
    """
    tables = (SEVERAL, table) if is_shared else (table,)
    lines = [line for line in catalogue() if line.table in tables and line[1:3] == (field, kind)]
    return (
        tuple(name for line in lines if not line.beside for name in line.names),
        tuple((name, other) for line in lines for other in line.beside for name in line.names),
    )


def known_names(specs: Iterable[TableSpec]) -> frozenset[str]:
    """Return the names of columns by which tables are recognised."""
    found: set[str] = set()
    for spec in specs:
        for field in spec.fields:
            always, beside = known(spec.name, field.name, is_shared=field.is_shared)
            by_file = (name for name, other in beside if other == FILE_NAME)
            found.update((field.name, *always, *by_file))
    return frozenset(map(canonical, found))
