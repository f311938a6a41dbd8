"""`manage.py backup`: back the whole site up while it runs."""

from argparse import ArgumentParser
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from config.backup.making import back_up
from config.backup.manifest import BackupError, Manifest
from corpus.access.log import Action, log_access

SLACK = timedelta(minutes=30)  # Whoever looks every hour would else be an hour late each day.


class Command(BaseCommand):
    """Copy database, files and secret key into a new folder, and delete the oldest backups."""

    help = "Back up database, files and secret key into a new folder, while the site runs."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare where backups are and how many are kept."""
        folder = settings.BACKUP_FOLDER
        parser.add_argument("folder", nargs="?", type=Path, default=folder, help=f"({folder})")
        parser.add_argument("--keep", type=int, default=settings.BACKUP_KEEP, help="how many stay")
        parser.add_argument(
            "--if-due", action="store_true", help="only if the latest is BACKUP_HOURS old"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make one, and say where it is."""
        if options["keep"] < 1:
            raise CommandError("--keep: expected a number from 1 on")
        within = timedelta(0)
        if options["if_due"]:
            if not settings.BACKUP_HOURS:
                return
            within = timedelta(hours=settings.BACKUP_HOURS) - SLACK
        try:
            made = back_up(
                options["folder"].resolve(),
                keep=options["keep"],
                now=timezone.now(),
                unless_within=within,
            )
        except BackupError as error:
            raise CommandError(str(error)) from None
        if made:
            size = sum(each.bytes for each in Manifest.read(made).files.values())
            log_access(Action.BACKED_UP, made.name, size=size)
            self.stdout.write(f"The backup is in {made}.")
        elif not options["if_due"]:
            raise CommandError("Another process is making a backup. Try again when it is done.")
