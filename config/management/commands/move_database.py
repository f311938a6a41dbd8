"""`manage.py move_database`: from SQLite to PostgreSQL, and back."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.database.moving import MoveError, move

NEXT = """Next:
1. Set DATABASE_URL to the new address, on every machine.
2. Keep SECRET_KEY (or the file secret_key) and TOUCHSTONE_DATA: files stay in the data folder.
3. Start Touchstone and run `manage.py doctor`.
The former database ({old}) is as it was. Delete it when you no longer need it."""


class Command(BaseCommand):
    """Copy the whole database to an empty one and compare counts and checksums of all tables."""

    help = "Copy the whole database to another address; Touchstone must be stopped."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare where it goes."""
        parser.add_argument("to_url", help="address of an empty database, as in DATABASE_URL")

    def handle(self, *args: Any, **options: Any) -> None:
        """Move, print what was compared, and say what to do next."""
        try:
            done = move(options["to_url"], self.stdout.write)
        except MoveError as error:
            raise CommandError(str(error)) from None
        for name, found in sorted(done.tables.items()):
            self.stdout.write(f"{name:32} {found.rows:>13,} rows  sha256 {found.sha256}")
        total = sum(found.rows for found in done.tables.values())
        self.stdout.write(
            f"Moved {total:,} rows in {len(done.tables)} tables to {done.new}; counts and "
            "checksums are equal."
        )
        self.stdout.write(NEXT.format(old=done.old))
