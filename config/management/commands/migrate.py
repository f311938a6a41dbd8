"""`manage.py migrate`: Django's, by one process at a time."""

from typing import Any

from django.core.management.commands import migrate

from config.database.one_at_a_time import one_at_a_time


class Command(migrate.Command):
    """Bring the database up to date; who comes second waits, and finds it done."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate under a lock that machines share."""
        with one_at_a_time(self.stderr.write):
            super().handle(*args, **options)
