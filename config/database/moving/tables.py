"""All tables of all apps: in which order they are filled, and their rows."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any

from django.apps import apps
from django.db import connections
from django.db.models import CharField, JSONField, Model, TextField
from django.db.models.functions import Collate

from config.database.moving.values import as_text, refused_by_postgresql

AT_ONCE = 100
"""Rows that are held in memory; some have reports of a megabyte."""
STEP = 100_000
"""Rows between two reports of progress."""

Table = type[Model]
ProgressCallback = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Checked:
    """How many rows a table has, and a checksum of all of them by primary key."""

    rows: int
    sha256: str


def all_tables() -> list[Table]:
    """Return every table but that of migrations, after those that its rows refer to."""
    found = [each for each in apps.get_models(include_auto_created=True) if each._meta.managed]
    graph = {each: referred_to(each) - {each} for each in found}
    return list(TopologicalSorter(graph).static_order())


def referred_to(table: Table) -> set[Table]:
    """Return the tables that a table's rows refer to."""
    return {field.related_model for field in columns(table) if field.is_relation}


def columns(table: Table) -> list[Any]:
    """Return the columns that are stored."""
    return [field for field in table._meta.local_concrete_fields if not field.generated]


def rows(table: Table, database: str) -> Iterator[Any]:
    """Yield the rows of a table by primary key, in the same order on every database."""
    order: Any = "pk"
    if isinstance(table._meta.pk, CharField):
        is_postgresql = connections[database].vendor == "postgresql"
        order = Collate("pk", "C" if is_postgresql else "BINARY")
    names = [field.attname for field in columns(table)]
    found = table._base_manager.using(database).order_by(order)
    yield from found.values_list(*names, named=True).iterator(chunk_size=AT_ONCE)


def checked(table: Table, database: str, tell: ProgressCallback) -> Checked:
    """Count the rows of a table and compute their checksum."""
    # A field of its own class keeps the order of keys (OrderedJSONField).
    ordered = [type(field) is not JSONField for field in columns(table)]
    digest, count = hashlib.sha256(), 0
    for row in rows(table, database):
        texts = (as_text(value, ordered=keeps) for value, keeps in zip(row, ordered, strict=True))
        digest.update(f"{','.join(texts)}\n".encode())
        count += 1
        if count % STEP == 0:
            tell(f"  {table._meta.db_table}: {count:,} rows")
    return Checked(count, digest.hexdigest())


def refused_values(table: Table, database: str) -> Iterator[str]:
    """Yield each value of a table that PostgreSQL would refuse: table, key, column and why."""
    looked_at = [
        (place, field, type(field) is JSONField)
        for place, field in enumerate(columns(table))
        if type(field) is JSONField or isinstance(field, CharField | TextField)
    ]
    key = [field.primary_key for field in columns(table)].index(True)
    for row in rows(table, database) if looked_at else ():
        for place, field, is_json in looked_at:
            if why := refused_by_postgresql(row[place], is_json=is_json) or _too_long(
                field, row[place]
            ):
                name = table._meta.db_table
                yield f"{name}, {table._meta.pk.name} {row[key]!r}, column {field.column}: {why}"


def _too_long(field: Any, value: Any) -> str:
    if field.max_length and isinstance(value, str) and len(value) > field.max_length:
        return f"{len(value):,} characters where {field.max_length:,} are allowed"
    return ""
