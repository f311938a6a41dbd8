"""`manage.py doctor`: say what is wrong with a site, and what to do."""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from config.database.repairing import repair
from config.health.check import Finding
from config.health.upkeep import examination


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
        found = examination()
        if options["json"]:
            rows = [{"check": name, **asdict(each)} for name, each in found.items()]
            self.stdout.write(json.dumps(rows, indent=1))
        else:
            self.stdout.write("\n".join(_line(name, each) for name, each in found.items()))
        if any(each.state == "broken" for each in found.values()):
            sys.exit(1)

    def _repair(self) -> None:
        done, left = repair()
        self.stderr.write(f"{len(done):,} values repaired; the audit log has an entry for each.")
        for each in left:
            self.stderr.write(f"Not repaired, because a key or a hash depends on it: {each}")


def _line(name: str, found: Finding) -> str:
    error = f"({found.error})" if found.error else ""
    return " ".join(filter(None, (f"{name}: {found.state}.", found.words, error, found.remedy)))
