"""Taking turns at writing to SQLite."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection, transaction


@contextmanager
def write_turn() -> Iterator[None]:
    """Hold a write transaction, first come, first served.

    SQLite's own waiting sleeps and tries again, so that under load some wait much longer than
    others. A lock on a file beside the database queues the waiters; it is gone with its process,
    however that ends. PostgreSQL needs no such thing.
    """
    if connection.vendor != "sqlite":
        with transaction.atomic():
            yield
        return
    with Path(f"{connection.settings_dict['NAME']}-turn").open("ab") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        with transaction.atomic():
            yield
