"""`manage.py baselines STUDY KIND…`: add pseudo-systems to a study."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from corpus.management.arguments import study_named
from metrics.baselines import (
    JOB_KIND,
    KINDS,
    Baseline,
    BaselineError,
    checked,
    job_parameters,
    key_of_job,
)
from metrics.management.running import JobCommand


class Command(JobCommand):
    """Add baselines; run again to fill them up for segments that came later."""

    help = "Add pseudo-systems: " + "; ".join(f"{kind}: {words}" for kind, words in KINDS.items())

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options, which are those of the page."""
        parser.add_argument("study")
        parser.add_argument("kind", nargs="+", choices=list(KINDS))
        parser.add_argument("--seed", type=int, default=0, help="of those that draw")
        parser.add_argument("--lexicon", default="", help="of style-deleted")

    def handle(self, *args: Any, **options: Any) -> None:
        """Add, and say how many texts."""
        study = study_named(options["study"])
        wanted = [Baseline(kind, options["seed"], options["lexicon"]) for kind in options["kind"]]
        try:
            parameters = job_parameters(checked(study, wanted))
        except BaselineError as error:
            raise CommandError(str(error)) from None
        verbosity = options["verbosity"]
        job = self.finished(JOB_KIND, key_of_job(study), study, parameters, verbosity=verbosity)
        for name, counts in job.result["tables"].items():
            self.stdout.write(
                f"{name}: {counts['added']:,} texts added, {counts['unchanged']:,} already there"
            )
