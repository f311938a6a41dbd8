"""One process at a time changes the tables of a database, on however many machines."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import connection

from corpus.storage.locks import file_lock, session_lock

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
    is_postgresql = connection.vendor == "postgresql"
    file = f"{connection.settings_dict['NAME']}-preparing"
    with session_lock(LOCK) if is_postgresql else file_lock(file) as take:
        if not take(False):
            tell("Another process is preparing this database. Waiting until it is done…")
            take(True)
        _held = True
        try:
            yield
        finally:
            _held = False
