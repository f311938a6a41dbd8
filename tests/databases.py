"""Databases of a run: migrated once, filled once for each set of studies, then only copied.

Tests whose transaction is rolled back share the copy of their process. A test that commits spoils
its copy, and the next test gets another.
"""

import fcntl
import hashlib
import itertools
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_numbers = itertools.count()
of_this_run: "Databases"


class Databases:
    """The databases of a run.

    Parameters
    ----------
    folder
        Shared by the processes of the run: locks, and on SQLite the databases.
    """

    def __init__(self, folder: Path) -> None:
        from django.db import connection

        self.connection = connection
        self.folder = folder
        self.is_file = connection.vendor == "sqlite"
        self.run = hashlib.sha256(str(folder).encode()).hexdigest()[:8]
        self.template = ""
        self.copy = ""
        self.opened: dict[int, Any] = {}

    @contextmanager
    def filled(self, key: str, fill: Callable[[], Any]) -> Iterator[None]:
        """Let the tests inside begin with what `fill` makes of the database of those around.

        Parameters
        ----------
        key
            Names what `fill` leaves behind: it is called once a run for each key.
        """
        around, outside = self.template, self.connection.settings_dict["NAME"]
        self.template = self._made(key, fill)
        try:
            self.renew()
            yield
        finally:
            self.template = around
            if around:
                self.renew()
            else:
                self._use(outside)
                self._delete_copy()

    def renew(self) -> None:
        """Go on with a new copy of the template."""
        name = self._name(f"{os.getpid()}_{next(_numbers)}")
        self._create(name)
        self._use(name)
        self._delete_copy()
        self.copy = name

    def _made(self, key: str, fill: Callable[[], Any]) -> str:
        """Return the name of a template, which the first process that asks for it makes."""
        number = hashlib.sha256(f"{self.template} {key}".encode()).hexdigest()[:8]
        name, done = self._name(number), self.folder / f"{number}.done"
        with (self.folder / f"{number}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                before = self.connection.settings_dict["NAME"]
                self._create(name)
                self._use(name)
                fill()
                self._use(before)
                done.touch()
        return name

    def _name(self, suffix: str) -> str:
        if self.is_file:
            return str(self.folder / f"test_{suffix}.sqlite3")
        return f"test_{self.run}_{suffix}"

    def _use(self, name: str) -> None:
        """Connect to another database from now on, in every thread."""
        from django.conf import settings
        from django.db import connections

        if self.is_file and self.connection.connection is not None:
            with self.connection.cursor() as cursor:
                # Else the next copy would lack what is still in the log.
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        # A test that drives a browser runs within an event loop, where Django gives it a connection
        # of its own: that of the other tests must not stay with the database that was.
        here = connections["default"]
        self.opened[id(here)] = here
        for each in self.opened.values():
            each.close()
        settings.DATABASES["default"]["NAME"] = self.connection.settings_dict["NAME"] = name

    def _create(self, name: str) -> None:
        if not self.is_file:
            template = f' TEMPLATE "{self.template}"' if self.template else ""
            self._on_server(f'CREATE DATABASE "{name}"{template}')
        elif self.template:
            shutil.copyfile(self.template, name)

    def _delete_copy(self) -> None:
        if self.copy and self.is_file:
            for path in self.folder.glob(f"{Path(self.copy).name}*"):
                path.unlink(missing_ok=True)
        elif self.copy:
            self._on_server(f'DROP DATABASE "{self.copy}" WITH (FORCE)')
        self.copy = ""

    def _on_server(self, statement: str) -> None:
        with self.connection._nodb_cursor() as cursor:
            cursor.execute(statement)
