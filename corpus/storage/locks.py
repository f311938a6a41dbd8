"""Locks that machines or processes share; they are gone with their process, however that ends."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection

Take = Callable[[bool], bool]
"""Takes a lock; called with whether to wait for it, it says whether it has it."""


@contextmanager
def session_lock(number: int) -> Iterator[Take]:
    """Give what takes an advisory lock of PostgreSQL, in a session of its own."""
    own = connection.copy()

    def take(wait: bool) -> bool:
        name = "pg_advisory_lock" if wait else "pg_try_advisory_lock"
        with own.cursor() as cursor:
            cursor.execute(f"SELECT {name}(%s)", [number])
            return bool(cursor.fetchone()[0])

    try:
        yield take
    finally:
        own.close()


@contextmanager
def file_lock(path: str | Path) -> Iterator[Take]:
    """Give what takes a lock on a file of this machine."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)

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
