"""Moving everything to another database: whole and compared, or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import DatabaseError, connections, transaction
from django.db.models.sql import InsertQuery
from django.db.utils import ConnectionHandler

from config.backup.making import this_engine
from config.database.address import database_at
from config.database.rows import (
    AT_ONCE,
    STEP,
    Checked,
    ProgressCallback,
    Table,
    all_tables,
    checked,
    columns,
    counts,
    go_on_after,
    last_number,
    referred_to,
    refused_values,
    rows,
)
from config.health.serving import migrations

OLD, NEW = "old", "default"
FILLED_BY_MIGRATIONS: tuple[Table, ...] = (Permission, ContentType)
SHOWN = 20


class MoveError(ValueError):
    """A move that cannot be made; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What a move did: the tables by name, and where they were and are."""

    tables: dict[str, Checked]
    old: str
    new: str


def move(url: str, tell: ProgressCallback) -> Moved:
    """Copy every row of the site's database to another one, and compare checksums of all rows.

    The copy is committed after it was compared. Rows of the present database are only read.

    Raises
    ------
    MoveError
        If either database is in use, the other one has rows, a value cannot be stored there, or
        a table differs afterwards. Then the other database has no rows, and at most its tables.
    """
    old = this_engine().address()
    if this_engine().is_in_use():
        raise MoveError("The database is in use. Stop Touchstone, its workers too, then move it.")
    _check_migrations()
    with _default_is(url):
        new = this_engine().address()
        if (connections[OLD].vendor, old) == (connections[NEW].vendor, new):
            raise MoveError("That is the database which is in use already. Name another one.")
        _check_empty()
        with _held_still():
            return Moved(_copied_and_compared(tell), old, new)


def _copied_and_compared(tell: ProgressCallback) -> dict[str, Checked]:
    tell("Reading the present database.")
    if connections[NEW].vendor == "postgresql" and connections[OLD].vendor != "postgresql":
        _check_values()
    before = {table: checked(table, OLD, tell) for table in all_tables()}
    tell("Preparing the tables of the other database.")
    call_command("migrate", verbosity=0)
    with transaction.atomic(NEW, durable=True):
        tell(f"Copying {sum(each.rows for each in before.values()):,} rows.")
        with connections[NEW].cursor() as cursor:
            for table in FILLED_BY_MIGRATIONS:
                cursor.execute(f"DELETE FROM {table._meta.db_table}")  # noqa: S608
        for table in all_tables():
            _copy(table, before[table].rows, tell)
        tell("Reading the copy and comparing it.")
        after = {table: checked(table, NEW, tell) for table in all_tables()}
        _compare(before, after)
        _check_references()
    return {table._meta.db_table: after[table] for table in all_tables()}


def _copy(table: Table, total: int, tell: ProgressCallback) -> None:
    connection, fields = connections[NEW], columns(table)
    source, done = rows(table, OLD), 0
    name = table._meta.db_table
    # PostgreSQL keeps in memory which references it has not checked yet. Those within a table can
    # be checked when it is complete.
    checks_often = connection.vendor == "postgresql" and table not in referred_to(table)
    size = AT_ONCE
    try:
        while batch := list(islice(source, size)):
            size = min(AT_ONCE, connection.ops.bulk_batch_size(fields, batch))
            for start in range(0, len(batch), size):
                query = InsertQuery(table)
                query.insert_values(fields, batch[start : start + size], raw=True)
                query.get_compiler(NEW).execute_sql()
            done += len(batch)
            if done // STEP > (done - len(batch)) // STEP:
                tell(f"  {name}: {done:,} of {total:,} rows")
                if checks_often:
                    connection.check_constraints()
        if counts(table):
            go_on_after(table, NEW, last_number(table, OLD))
    except DatabaseError as error:
        why = str(error).strip().splitlines()[0]
        raise MoveError(f"{name}: the other database refuses a row ({why}).") from error


def _compare(before: dict[Table, Checked], after: dict[Table, Checked]) -> None:
    wrong = [
        f"{table._meta.db_table}: {before[table].rows:,} rows, {after[table].rows:,} in the copy"
        + ("" if before[table].rows != after[table].rows else ", with another checksum")
        for table in before
        if before[table] != after[table]
    ]
    if wrong:
        raise MoveError("\n".join(["The copy differs, so it was not kept.", *wrong]))


def _check_references() -> None:
    try:
        connections[NEW].check_constraints()
    except DatabaseError as error:
        raise MoveError(f"Rows refer to missing ones: {error}. The copy was not kept.") from error


def _check_migrations() -> None:
    found = migrations()
    if found.state != "ok":
        raise MoveError(f"{found.words} {found.remedy}")


def _check_empty() -> None:
    """Refuse a database that has rows, other than those that migrations leave."""
    engine, connection = this_engine(), connections[NEW]
    if engine.is_in_use():
        raise MoveError("The other database is in use. Stop what is connected to it.")
    if not engine.is_filled():
        return
    usual = {"django_migrations", *(table._meta.db_table for table in FILLED_BY_MIGRATIONS)}
    with connection.cursor() as cursor:
        for name in sorted(set(connection.introspection.table_names(cursor)) - usual):
            cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(name)} LIMIT 1")  # noqa: S608
            if cursor.fetchone():
                raise MoveError(
                    f"The other database has rows (table {name}). Name one that is empty."
                )


def _check_values() -> None:
    """Refuse what SQLite stores and PostgreSQL does not, before anything is written."""
    found = [each for table in all_tables() for each in islice(refused_values(table, OLD), SHOWN)]
    if found:
        raise MoveError(
            "\n".join(
                [
                    "PostgreSQL cannot store these values; nothing was written. manage.py doctor "
                    "--repair replaces characters that cannot be stored.",
                    *found,
                ]
            )
        )


@contextmanager
def _default_is(url: str) -> Iterator[None]:
    """Let everything, migrations too, work on the database at an address; the present one is old.

    A migration may use the default connection without being told, so it must not be the present
    database's.
    """
    try:
        target: Any = ConnectionHandler({"default": database_at(url)})["default"]
        target.ensure_connection()
    except (DatabaseError, ImproperlyConfigured, ValueError) as error:
        why = str(error).strip().splitlines()[0]
        raise MoveError(f"The other database cannot be opened: {why}") from None
    present = connections["default"]
    connections[OLD], connections[NEW] = present, target
    try:
        yield
    finally:
        connections[NEW] = present
        del connections[OLD]
        target.close()
        ContentType.objects.clear_cache()


@contextmanager
def _held_still() -> Iterator[None]:
    """Read the present database as it is at one moment, and let nobody write to it meanwhile."""
    with transaction.atomic(OLD, durable=True):
        if connections[OLD].vendor == "postgresql":
            names = ", ".join(f'"{table._meta.db_table}"' for table in all_tables())
            with connections[OLD].cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                cursor.execute(f"LOCK TABLE {names} IN SHARE MODE NOWAIT")
        yield
