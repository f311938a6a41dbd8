"""Taking turns at writing to SQLite."""

import fcntl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection, transaction

_own = threading.local()
"""Whether this thread, and so its connection, holds the turn."""


@contextmanager
def write_turn() -> Iterator[None]:
    """Hold a write transaction, first come, first served.

    SQLite's own waiting sleeps and tries again, so that under load some wait much longer than
    others. A lock on a file beside the database queues the waiters; it is gone with its process,
    however that ends. PostgreSQL needs no such thing.

    Raises
    ------
    RuntimeError
        If this thread holds the turn already, for which it would wait for ever.
    """
    if connection.vendor != "sqlite":
        with transaction.atomic():
            yield
        return
    if getattr(_own, "held", False):
        raise RuntimeError(
            "write_turn: this thread holds the turn already; write within it, without another one"
        )
    with Path(f"{connection.settings_dict['NAME']}-turn").open("ab") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        _own.held = True
        try:
            with transaction.atomic():
                yield
        finally:
            _own.held = False
