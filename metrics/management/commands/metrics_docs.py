"""`manage.py metrics_docs`: write the documentation page of our metrics."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from metrics.scorers.documentation import metrics_page
from metrics.scorers.registry import own_scorers

PAGE = Path("docs") / "metrics" / "index.md"


class Command(BaseCommand):
    """Write what the metrics declare of themselves; metrics of other packages are left out."""

    help = f"Write {PAGE} from what the metrics declare."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare where the page goes."""
        parser.add_argument("--output", type=Path, default=Path(settings.BASE_DIR) / PAGE)

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the page at once or not at all."""
        target: Path = options["output"]
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished = target.with_name(f"{target.name}.part")
        unfinished.write_text(metrics_page(own_scorers()), encoding="utf-8")
        unfinished.replace(target)
        self.stdout.write(f"wrote {target}")
