"""`manage.py publish_study STUDY --output DIR`: a study as one folder for others."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.management.arguments import user_named
from analysis.publishing.checks import NOTE, PASSED
from analysis.publishing.options import Options, PublishingError
from analysis.publishing.personal_data import SMALLEST
from analysis.publishing.public_page import zip_path
from analysis.publishing.service import check, options_from, publish
from corpus.management.arguments import ProgressLine, study_named
from corpus.models import Study


class Command(BaseCommand):
    """Check a study and write its publication."""

    help = (
        "Check licence, consent, names and small groups, then write tables, card, metadata, "
        "datasheets and frozen reports into one folder. Ends with 1 if anything is in the way."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options, which are those of the page and the API."""
        parser.add_argument("study")
        parser.add_argument("--output", type=Path, help="the folder to be made")
        parser.add_argument("--zip", type=Path, dest="packed", help="also write it as a zip")
        parser.add_argument("--check", action="store_true", help="check only; write nothing")
        parser.add_argument(
            "--accept",
            action="append",
            default=[],
            metavar="NAME",
            help="confirm a warning by its name, such as small-groups; repeatable",
        )
        parser.add_argument(
            "--report",
            action="append",
            type=int,
            metavar="NUMBER",
            help="publish this frozen report only; repeatable; all by default",
        )
        parser.add_argument("--comments", action="store_true", help="publish comments too")
        parser.add_argument(
            "--smallest",
            type=int,
            default=SMALLEST,
            help="smallest group of raters that is not small",
        )
        parser.add_argument("--seed", default="", help="draws the names of raters; keep it secret")
        parser.add_argument("--date", default="", help="of publication; today by default")
        parser.add_argument("--owner", default="", help="user name of who publishes")

    def handle(self, *args: Any, **options: Any) -> None:
        """Show the checks, then write."""
        study = study_named(options["study"])
        user = user_named(options["owner"]) if options["owner"] else None
        if not options["check"] and options["output"] is None:
            raise CommandError("--output: name the folder to be made, or ask for --check only")
        try:
            asked = options_from(
                {name: options[name] for name in ("accept", "comments", "smallest", "seed", "date")}
                | {"reports": options["report"]}
            )
            self._show(study, asked)
            if options["check"]:
                return
            made = publish(
                study, options["output"], asked, user, report=ProgressLine(self.stderr).report
            )
        except PublishingError as error:
            raise CommandError(str(error)) from None
        if options["packed"]:
            options["packed"].write_bytes(zip_path(made).read_bytes())
        message = f"Written to {options['output']}; SHA-256 of SHA256SUMS: {made.sha256}"
        self.stdout.write(self.style.SUCCESS(message))

    def _show(self, study: Study, asked: Options) -> None:
        for each in check(study, asked):
            confirmed = " (confirmed)" if each.name in asked.accept else ""
            self.stdout.write(f"{each.name}: {each.words}{confirmed}. {each.title}.")
            if each.verdict == PASSED:
                continue
            for line in (each.why, *(f"  {place}" for place in each.where)):
                self.stdout.write(f"  {line}")
            if each.more:
                self.stdout.write(f"    and {each.more} more")
            if each.advice and each.verdict != NOTE:
                self.stdout.write(f"  {each.advice}")
