"""One process at a time changes the tables of a database, on however many machines."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import connection

LOCK = 0x746F756368
"""Number of the lock among PostgreSQL's advisory locks: the letters of "touch"."""

_held = False


@contextmanager
def one_at_a_time(tell: Callable[[str], object]) -> Iterator[None]:
    """Hold what only one process at a time may do to this database; others wait.

    On PostgreSQL a lock of a session of its own, on SQLite a lock on a file beside the database.
    Either is gone with its process, however that ends. Within it, it may be asked for again.

    Parameters
    ----------
    tell
        Hears, in words, that another process has it.
    """
    global _held
    if _held:
        yield
        return
    with _session() if connection.vendor == "postgresql" else _file() as take:
        if not take(False):
            tell("Another process is preparing this database. Waiting until it is done…")
            take(True)
        _held = True
        try:
            yield
        finally:
            _held = False


@contextmanager
def _session() -> Iterator[Callable[[bool], bool]]:
    own = connection.copy()

    def take(wait: bool) -> bool:
        name = "pg_advisory_lock" if wait else "pg_try_advisory_lock"
        with own.cursor() as cursor:
            cursor.execute(f"SELECT {name}(%s)", [LOCK])
            return bool(cursor.fetchone()[0])

    try:
        yield take
    finally:
        own.close()


@contextmanager
def _file() -> Iterator[Callable[[bool], bool]]:
    handle = os.open(
        f"{connection.settings_dict['NAME']}-preparing", os.O_WRONLY | os.O_CREAT, 0o600
    )

    def take(wait: bool) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
        return True

    try:
        yield take
    finally:
        os.close(handle)
