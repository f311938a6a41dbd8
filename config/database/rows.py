"""All tables of all apps: their order, their rows, and checksums that no database changes."""

import hashlib
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from graphlib import TopologicalSorter
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import connections
from django.db.models import AutoField, CharField, JSONField, Model, TextField
from django.db.models.functions import Collate

from corpus.storage.storable import unstorable, unstorable_in

AT_ONCE = 100
"""Rows that are held in memory; some have reports of a megabyte."""
STEP = 100_000
"""Rows between two reports of progress."""

Table = type[Model]
ProgressCallback = Callable[[str], object]


def as_text(value: Any, *, ordered: bool = False) -> str:
    """Return a value as text for a checksum.

    Numbers are written without exponent and without zeros at the end, for PostgreSQL writes those
    of JSON in its own way; zero has no sign, which SQLite does not store.

    Parameters
    ----------
    value
        As Django reads it from a column.
    ordered
        Whether the order of keys in JSON counts; PostgreSQL's own type does not keep it.

    Raises
    ------
    TypeError
        If it is of a type that no column has had so far.
    """
    match value:
        case None | bool() | str():
            return json.dumps(value)
        case int():
            return str(value)
        case float():
            return _plain(Decimal(repr(value))) if math.isfinite(value) else repr(value)
        case Decimal():
            return _plain(value)
        case datetime():
            return value.astimezone(UTC).isoformat(timespec="microseconds")
        case bytes() | memoryview():
            return bytes(value).hex()
        case UUID():
            return value.hex
        case list():
            return f"[{','.join(as_text(each, ordered=ordered) for each in value)}]"
        case dict():
            pairs = value.items() if ordered else sorted(value.items())
            texts = (f"{json.dumps(key)}:{as_text(each, ordered=ordered)}" for key, each in pairs)
            return f"{{{','.join(texts)}}}"
    raise TypeError(f"no text for a value of type {type(value).__name__}")


def refused_by_postgresql(value: Any, *, is_json: bool = False) -> str:
    """Return what PostgreSQL would refuse in a value, in words; empty if nothing."""
    if not is_json:
        return unstorable(value) if isinstance(value, str) else ""
    if any(isinstance(part, float) and not math.isfinite(part) for part in _parts(value)):
        return "a number that is not finite, in JSON"
    fault = unstorable_in(value)
    return f"{fault}, in JSON" if fault else ""


def _plain(number: Decimal) -> str:
    text = format(number, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _parts(each)
    else:
        yield value


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


def counts(table: Table) -> bool:
    """Whether the database numbers the rows of a table."""
    return isinstance(table._meta.pk, AutoField)


def last_number(table: Table, database: str) -> int:
    """Return the last number that was given; 0 if none was."""
    with connections[database].cursor() as cursor:
        if connections[database].vendor == "postgresql":
            cursor.execute(f"SELECT last_value, is_called FROM {_sequence(table, database)}")  # noqa: S608
            value, is_given = cursor.fetchone()
            return int(value) if is_given else 0
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table._meta.db_table])
        found = cursor.fetchone()
        return int(found[0]) if found else 0


def go_on_after(table: Table, database: str, number: int) -> None:
    """Let the next row have the number after a given one."""
    with connections[database].cursor() as cursor:
        if connections[database].vendor == "postgresql":
            cursor.execute(
                "SELECT setval(%s, %s, %s)",
                [_sequence(table, database), max(number, 1), number > 0],
            )
            return
        name = table._meta.db_table
        cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [name])
        cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [name, number])


def _sequence(table: Table, database: str) -> str:
    with connections[database].cursor() as cursor:
        name = connections[database].ops.quote_name(table._meta.db_table)
        cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [name, table._meta.pk.column])
        return str(cursor.fetchone()[0])
