"""Statements of imports on the open connection, with named parameters."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.db import connection


def query(statement: str, parameters: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Run a SELECT with named parameters and yield its rows."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        while rows := cursor.fetchmany(2000):
            yield from rows


def execute(statement: str, parameters: dict[str, Any]) -> int:
    """Run a statement that changes rows; return how many."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return int(cursor.rowcount)


def write_rows(table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows, the fastest way that the database has."""
    names = ", ".join(columns)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # It would plan and answer each of many INSERTs.
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            marks = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)  # noqa: S608


def refresh_statistics(*tables: str) -> None:
    """Tell PostgreSQL's planner what these tables hold now; it would take them for empty.

    SQLite plans without statistics, by the order of joins and the indexes at hand.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {', '.join(tables)}")
