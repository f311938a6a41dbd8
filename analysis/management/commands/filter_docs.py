"""`manage.py filter_docs`: write the documentation page of the filter of reports."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from analysis.filter.documentation import filter_page

PAGE = Path("docs") / "filter.md"


class Command(BaseCommand):
    """Write what the fields of the filter and the kinds of reports declare."""

    help = f"Write {PAGE} from what fields and reports declare."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare where the page goes."""
        parser.add_argument("--output", type=Path, default=Path(settings.BASE_DIR) / PAGE)

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the page."""
        options["output"].write_text(filter_page(), encoding="utf-8")
        self.stdout.write(f"wrote {options['output']}")
