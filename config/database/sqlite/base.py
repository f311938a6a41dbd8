"""Django's SQLite backend, refusing to work without the settings that keep ratings safe."""

import sqlite3
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db.backends.sqlite3 import base

from config import FIRST_SOUND_VERSION
from config.private_files import close_database

SYNCHRONOUS_FULL = 2


class DatabaseWrapper(base.DatabaseWrapper):
    """Assert the library version, WAL and synchronous=FULL on every new connection."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Open a connection and check it.

        Raises
        ------
        ImproperlyConfigured
            If the library has the WAL-reset bug, or a pragma did not take effect.
        """
        version = sqlite3.sqlite_version_info
        if version < FIRST_SOUND_VERSION:
            found = ".".join(map(str, version))
            raise ImproperlyConfigured(
                f"SQLite {found} can corrupt a database in WAL mode (fixed in 3.51.3). "
                "Install the pinned requirements (pysqlite3), or set DATABASE_URL to PostgreSQL."
            )
        close_database(str(conn_params["database"]))
        connection = super().get_new_connection(conn_params)
        journal = connection.execute("PRAGMA journal_mode").fetchone()[0]
        synchronous = connection.execute("PRAGMA synchronous").fetchone()[0]
        in_memory = journal == "memory"
        if not in_memory and (journal != "wal" or synchronous != SYNCHRONOUS_FULL):
            connection.close()
            raise ImproperlyConfigured(
                f"SQLite opened with journal_mode={journal}, synchronous={synchronous}; "
                "expected wal and 2 (FULL). Is the file on a disk that supports shared memory?"
            )
        return connection
