"""Queries that read for so long at most, for pages that rather say less than keep one waiting."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import OperationalError, connection, transaction

_STEPS = 10_000
"""Instructions of SQLite between two looks at the clock: some 0.2 ms."""
_CANCELLED = "57014"


class TookTooLong(Exception):
    """Queries were stopped, because they read for longer than they may."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Stop queries that take longer: on SQLite all together, on PostgreSQL each.

    Raises
    ------
    TookTooLong
    """
    try:
        if connection.vendor == "sqlite":
            with _sqlite(seconds):
                yield
        else:
            with transaction.atomic(), connection.cursor() as cursor:
                wanted = str(max(1, round(1000 * seconds)))
                cursor.execute("SELECT set_config('statement_timeout', %s, true)", [wanted])
                yield
    except OperationalError as error:
        code = getattr(error.__cause__, "sqlstate", "")
        if code != _CANCELLED and str(error) != "interrupted":
            raise
        raise TookTooLong from error


@contextmanager
def _sqlite(seconds: float) -> Iterator[None]:
    connection.ensure_connection()
    end = time.monotonic() + seconds
    connection.connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
    try:
        yield
    finally:
        connection.connection.set_progress_handler(None, 0)
