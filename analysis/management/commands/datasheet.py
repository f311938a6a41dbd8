"""`manage.py datasheet STUDY CAMPAIGN`: the human-evaluation datasheet as Markdown."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.datasheets.datasheet import datasheet, ethics_sheet, methods
from annotation.models import Campaign
from corpus.access.log import Action, log_access


class Command(BaseCommand):
    """Print what a paper must say of a campaign, as far as it is known here."""

    help = "Print a campaign's datasheet (HEDS 3.0) in Markdown, blanks marked."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the campaign."""
        parser.add_argument("study")
        parser.add_argument("campaign")
        only = parser.add_mutually_exclusive_group()
        only.add_argument("--methods", action="store_true", help="a paragraph for a paper only")
        only.add_argument("--ethics", action="store_true", help="the ethics sheet only")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print it."""
        found = Campaign.objects.filter(study__slug=options["study"])
        campaign = found.filter(slug=options["campaign"]).first()
        if campaign is None:
            known = ", ".join(found.values_list("slug", flat=True)) or "none"
            raise CommandError(f"no campaign {options['campaign']!r}; there are: {known}")
        log_access(Action.EXPORTED, "datasheet by command", study=campaign.study_id)
        write = methods if options["methods"] else ethics_sheet if options["ethics"] else datasheet
        self.stdout.write(write(campaign))
