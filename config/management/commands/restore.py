"""`manage.py restore`: put a backup in place."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from config.backup.manifest import BackupError
from config.backup.restoring import restore, undo


class Command(BaseCommand):
    """Verify a backup, then put its database, files and secret key in place, all or nothing."""

    help = "Restore database, files and secret key from a backup; Touchstone must be stopped."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the backup."""
        parser.add_argument("folder", type=Path, nargs="?", help="a backup, named by its time")
        parser.add_argument(
            "--replace", action="store_true", help="move the present data aside first"
        )
        parser.add_argument(
            "--undo", action="store_true", help="put back what a restore moved that was killed"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore, and say what was compared and where the former data are."""
        if options["undo"] == bool(options["folder"]):
            raise CommandError("Name a backup to restore, or say --undo.")
        try:
            if options["undo"]:
                if backup := undo():
                    self._say_undone(backup)
                else:
                    self.stdout.write("No restore was stopped before its end; nothing was changed.")
                return
            done = restore(options["folder"], replace=options["replace"], now=timezone.now())
        except BackupError as error:
            raise CommandError(str(error)) from None
        if done.undone:
            self._say_undone(done.undone)
        rows = done.manifest.contents.rows
        self.stdout.write(
            f"Restored the backup of {done.manifest.made_at}: {len(done.manifest.files):,} files "
            f"verified, {sum(rows.values()):,} rows in {len(rows)} tables as in the backup."
        )
        for place in done.aside:
            self.stdout.write(f"What was there before is in {place}. Delete it when it is useless.")

    def _say_undone(self, backup: str) -> None:
        self.stdout.write(f"Undone: a restore that was stopped before its end, of {backup}.")
