"""Settings, addresses and processes: the only room that knows every other."""

import os
import sys

FIRST_SOUND_VERSION = (3, 51, 3)
"""The library that CPython links may be older than this, the first release in which a checkpoint
can no longer overwrite frames of a concurrent writer. `pysqlite3` carries its own."""


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


# Threads of PyTorch and scikit-learn wait for each other asleep. By default they wait by counting,
# which multiplies a job's time where its cores are shared with the server.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
# On Intel's processors, the last digits of a row of a matrix product depend on its place among the
# others, unless MKL is asked for strictly reproducible numbers; then a text has the same scores
# whichever worker scores it, beside whatever others. It takes no more time.
os.environ.setdefault("MKL_CBWR", "AUTO,STRICT")
use_sound_sqlite()
