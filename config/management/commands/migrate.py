"""`manage.py migrate`: Django's, by one process at a time; an empty database gets all at once."""

from typing import Any

from django.core.management.commands import migrate
from django.db import connections

from config.database.creating import create_tables
from config.database.one_at_a_time import one_at_a_time

PARTIAL = ("app_label", "plan", "check_unapplied", "fake", "fake_initial")
"""Options with which not all migrations are applied."""


class Command(migrate.Command):
    """Bring the database up to date; who comes second waits, and finds it done."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate under a lock that machines share."""
        with one_at_a_time(self.stderr.write):
            if not any(map(options.get, PARTIAL)):
                create_tables(connections[options["database"]])
            super().handle(*args, **options)
