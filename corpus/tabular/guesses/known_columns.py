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
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from corpus.tabular.guesses.columns import canonical
from corpus.tabular.shaping.fields import Field, Spread, TableSpec

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


def known_field(table: str, field: Field) -> Field:
    """Return a field with the names that the catalogue knows for it."""
    always, beside = _names(table, field.name, "")
    return replace(
        field,
        synonyms=field.synonyms + always,
        synonyms_beside=field.synonyms_beside + beside,
        digest_of=field.digest_of + _names(table, field.name, "digest")[0],
    )


def with_known_columns(spec: TableSpec) -> TableSpec:
    """Return a table whose fields and spreads have the names that the catalogue knows for them."""
    return replace(
        spec,
        fields=tuple(known_field(spec.name, field) for field in spec.fields),
        wide=tuple(_known_spread(spec.name, spread) for spread in spec.wide),
    )


def _known_spread(table: str, spread: Spread) -> Spread:
    always, beside = _names(table, spread.name, "label")
    patterns = spread.patterns + _names(table, spread.name, "pattern")[0]
    return replace(spread, labels=spread.labels + always, labels_beside=beside, patterns=patterns)


def _names(
    table: str, field: str, kind: str
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return the names that always count, and those that count beside something else."""
    lines = [line for line in catalogue() if line[:3] == (table, field, kind)]
    return (
        tuple(name for line in lines if not line.beside for name in line.names),
        tuple((name, other) for line in lines for other in line.beside for name in line.names),
    )


def known_names(specs: Iterable[TableSpec]) -> frozenset[str]:
    """Return the names of columns by which tables are recognised."""
    fields = [field for spec in specs for field in spec.fields]
    found = {name for field in fields for name in (field.name, *field.synonyms)}
    found |= {n for field in fields for n, other in field.synonyms_beside if other == FILE_NAME}
    return frozenset(map(canonical, found))
