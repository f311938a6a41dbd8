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
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from corpus.tabular.column_names import canonical
from corpus.tabular.fields import Field, Spread, TableSpec

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
            table,
            field,
            kind,
            tuple(beside.split(", ")) if beside else (),
            tuple(names.split()),
            by,
        )
        for table, field, kind, beside, names, by in rows
    )


def known_field(table: str, field: Field) -> Field:
    """Return a field with the names that the catalogue knows for it."""
    return replace(
        field,
        synonyms=(*field.synonyms, *_always(table, field.name, "")),
        synonyms_if_named=(*field.synonyms_if_named, *_if_named(table, field.name, "")),
        synonyms_beside=(*field.synonyms_beside, *_beside(table, field.name, "")),
        digest_of=(*field.digest_of, *_always(table, field.name, "digest")),
    )


def with_known_columns(spec: TableSpec) -> TableSpec:
    """Return a table whose fields and spreads have the names that the catalogue knows for them."""
    return replace(
        spec,
        fields=tuple(known_field(spec.name, field) for field in spec.fields),
        wide=tuple(_known_spread(spec.name, spread) for spread in spec.wide),
    )


def _known_spread(table: str, spread: Spread) -> Spread:
    return replace(
        spread,
        labels=(*spread.labels, *_always(table, spread.name, "label")),
        labels_if_named=_if_named(table, spread.name, "label"),
        labels_beside=_beside(table, spread.name, "label"),
        patterns=(*spread.patterns, *_always(table, spread.name, "pattern")),
    )


def _always(table: str, field: str, kind: str) -> tuple[str, ...]:
    found = _lines(table, field, kind)
    return tuple(name for line in found if not line.beside for name in line.names)


def _if_named(table: str, field: str, kind: str) -> tuple[str, ...]:
    found = _lines(table, field, kind)
    return tuple(name for line in found if FILE_NAME in line.beside for name in line.names)


def _beside(table: str, field: str, kind: str) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, other)
        for line in _lines(table, field, kind)
        for other in line.beside
        if other != FILE_NAME
        for name in line.names
    )


def _lines(table: str, field: str, kind: str) -> Iterator[KnownColumns]:
    wanted = (table, field, kind)
    return (line for line in catalogue() if (line.table, line.field, line.kind) == wanted)


def known_names(specs: Iterable[TableSpec]) -> frozenset[str]:
    """Return the names of columns by which tables are recognised."""
    return frozenset(
        canonical(name)
        for spec in specs
        for field in spec.fields
        for name in (field.name, *field.synonyms, *field.synonyms_if_named)
    )
