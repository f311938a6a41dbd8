"""`manage.py benchmark recipe.toml`: writers, metrics, campaigns and reports in one command."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.benchmark.recipe import RecipeError
from config.benchmark.running import run_recipe
from corpus.management.arguments import ProgressLine
from corpus.progress import unreported


class Command(BaseCommand):
    """Run a recipe; run it again to go on, or after a change of the recipe or the study."""

    help = "Make a benchmark as a recipe file says: outputs, scores, campaigns and reports."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("recipe", type=Path, help="a TOML file, see docs/writing.md")
        parser.add_argument("--plan", action="store_true", help="say what is left, and stop")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do what is left, and say what came of each step."""
        line = ProgressLine(self.stderr)

        def say(words: str) -> None:
            line.clear()
            self.stdout.write(words)

        try:
            failed = run_recipe(
                options["recipe"],
                say,
                line.report if options["verbosity"] else unreported,
                only_plan=options["plan"],
            )
        except RecipeError as error:
            raise CommandError(str(error)) from None
        except KeyboardInterrupt:
            line.clear()
            raise CommandError(
                "stopped; what is done is kept: the same command goes on from there",
                returncode=130,
            ) from None
        if failed:
            count = "1 step" if failed == 1 else f"{failed} steps"
            raise CommandError(f"{count} failed; the same command tries again what failed")
