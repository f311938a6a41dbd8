"""A disk or database that is full, read-only, damaged or away: recognised, and said in words.

Pure Python: no Django.
"""

import errno
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StorageFault:
    """What keeps the server from storing anything.

    Attributes
    ----------
    status
        Of the HTTP reply: 507 where there is no room, else 503.
    words
        For everybody: what happened; names no path.
    remedy
        For the administrator: what to do.
    retry_after
        In how many seconds the same may succeed; None where somebody must do something first.
    """

    status: int
    words: str
    remedy: str
    retry_after: int | None = None


FULL = StorageFault(
    507,
    "The server has no room left, or its disk fails. Nothing was changed.",
    "Free some space where the database and the data folder are, then try again.",
)
READ_ONLY = StorageFault(
    503,
    "The server cannot write to its database or data folder. Nothing was changed.",
    "Let the user that runs Touchstone read and write them, and the folders they are in.",
)
DAMAGED = StorageFault(
    503,
    "The server's database is damaged.",
    "Stop Touchstone, keep a copy of the damaged file, and restore the last backup "
    "(docs/deployment.md says how).",
)
AWAY = StorageFault(
    503,
    "The server cannot reach its database, as while that is restarted. Nothing incomplete was "
    "stored. Try again in a few seconds.",
    "Start the database server if it does not run; else check DATABASE_URL.",
    retry_after=2,
)
_BY_MESSAGE = {
    "database or disk is full": FULL,
    "disk I/O error": FULL,
    "readonly database": READ_ONLY,
    "unable to open database file": READ_ONLY,
    "database disk image is malformed": DAMAGED,
    "file is not a database": DAMAGED,
}
"""Parts of SQLite's messages; Python's errors carry no code in every library that is used."""
_BY_STATE = {"53100": FULL, "58030": FULL, "25006": READ_ONLY, "XX001": DAMAGED, "XX002": DAMAGED}
"""PostgreSQL's codes: disk full, I/O error, read-only transaction, corrupted data or index."""
_AWAY_STATES = ("08", "57P", "53300")
"""PostgreSQL's codes begin so where it ended the connection, or had none to give."""
_BY_NUMBER = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO), FULL),
    **dict.fromkeys((errno.EROFS, errno.EACCES, errno.EPERM), READ_ONLY),
}


def storage_fault(error: BaseException | None) -> StorageFault | None:
    """Return what is wrong with the storage if that is what an error comes from, else None."""
    for each in _causes(error):
        if isinstance(each, OSError) and each.errno in _BY_NUMBER:
            return _BY_NUMBER[each.errno]
        if fault := _BY_STATE.get(getattr(each, "sqlstate", None) or ""):
            return fault
        if _lost_connection(each):
            return AWAY
        # Every library has its own class of this name.
        if any(kind.__name__ == "DatabaseError" for kind in type(each).__mro__):
            for part, fault in _BY_MESSAGE.items():
                if part in str(each):
                    return fault
    return None


def _lost_connection(error: BaseException) -> bool:
    """Whether PostgreSQL ended or refused a connection.

    Without a code it was no answer of the server: the connection was found closed, or could not be
    made.
    """
    kinds = [kind for kind in type(error).__mro__ if kind.__module__.startswith("psycopg")]
    if not any(kind.__name__ in ("OperationalError", "InterfaceError") for kind in kinds):
        return False
    state: str | None = getattr(error, "sqlstate", None)
    return state is None or state.startswith(_AWAY_STATES)


def is_of_database(error: BaseException | None) -> bool:
    """Whether an error comes from the way to the database, whatever was asked of it.

    Examples
    --------
    >>> import sqlite3
    >>> is_of_database(sqlite3.OperationalError("database is locked"))
    True
    >>> is_of_database(ValueError("no text"))
    False
    """
    kinds = {kind.__name__ for each in _causes(error) for kind in type(each).__mro__}
    return not kinds.isdisjoint({"OperationalError", "InterfaceError"})


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and what it was raised from."""
    while error is not None:
        yield error
        error = error.__cause__
