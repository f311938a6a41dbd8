"""`manage.py doctor`: say what is wrong with a site, and what to do."""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from config.doctor.checks import findings
from config.doctor.repairing import repair


class Command(BaseCommand):
    """Check database, machine and site; end with status 1 if something is broken."""

    help = "Check integrity, versions, disk, permissions, queue, backups and settings."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare --json and --repair."""
        parser.add_argument("--json", action="store_true", help="for programs that watch the site")
        parser.add_argument(
            "--repair",
            action="store_true",
            help="first replace characters that SQLite stored and no other database keeps",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print one line for each check."""
        if options["repair"]:
            self._repair()
        found = findings()
        if options["json"]:
            self.stdout.write(json.dumps([asdict(each) for each in found], indent=1))
        else:
            self.stdout.write("\n".join(map(str, found)))
        if any(each.state == "broken" for each in found):
            sys.exit(1)

    def _repair(self) -> None:
        done, left = repair()
        self.stderr.write(f"{len(done):,} values repaired; the audit log has an entry for each.")
        for each in left:
            self.stderr.write(f"Not repaired, because a key or a hash depends on it: {each}")
