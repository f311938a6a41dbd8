"""Choose an SQLite library without the WAL-reset corruption bug.

The library that CPython links may be older than 3.51.3, the first release in which a
checkpoint can no longer overwrite frames of a concurrent writer. `pysqlite3` carries its own.
"""

import sys

FIRST_SOUND_VERSION = (3, 51, 3)


def use_sound_sqlite() -> None:
    """Put `pysqlite3` in the place of the standard module if the linked library is affected."""
    import sqlite3

    if sqlite3.sqlite_version_info >= FIRST_SOUND_VERSION:
        return
    try:
        import pysqlite3
    except ImportError:
        # The database backend refuses to start on an affected library; PostgreSQL needs none.
        return
    sys.modules["sqlite3"] = pysqlite3
    sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2
