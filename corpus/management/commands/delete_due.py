"""`manage.py delete_due`: delete what was to be deleted and whose days of grace are over."""

from typing import Any

from django.core.management.base import BaseCommand

from corpus.studies.deletion import delete_due


class Command(BaseCommand):
    """Delete studies and campaigns that are due; workers do it each hour too."""

    help = "Delete studies and campaigns whose days of grace are over."

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete and say what."""
        for words in delete_due():
            self.stdout.write(f"deleted {words}")
