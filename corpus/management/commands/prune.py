"""`manage.py prune`: remove what is left over, or say what would go."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from corpus.storage.pruning import left_over, prune


class Command(BaseCommand):
    """Remove old exports, uploads, results and unfinished files; workers do it each hour too."""

    help = "Remove old exports, uploads, results and unfinished files."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare --dry-run."""
        parser.add_argument("--dry-run", action="store_true", help="say only what would go")

    def handle(self, *args: Any, **options: Any) -> None:
        """Say what went, or would go, and how many bytes."""
        is_dry = options["dry_run"]
        found = list(left_over()) if is_dry else prune()
        for each in found:
            self.stdout.write(f"{each.name}: {each.size:,} bytes")
        total, did = sum(each.size for each in found), "would be removed" if is_dry else "removed"
        self.stdout.write(f"{total:,} bytes {did}")
