"""The last number that each table gave to a row: a number of a deleted row is not given again."""

from django.db import connections
from django.db.models import AutoField

from config.database.moving.tables import Table


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
