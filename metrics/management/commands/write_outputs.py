"""`manage.py write_outputs STUDY WRITER`: let a writer write the outputs of a system."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from corpus.management.arguments import named_values, study_named
from metrics.management.running import JobCommand
from metrics.scorers.scorer import Unavailable
from metrics.writers.registry import UnknownWriter, writers
from metrics.writers.writer import WriterError
from metrics.writing.asking import KIND, job_parameters, key_of, outlook, sentences
from metrics.writing.requests import LEARN_FROM, SEGMENTS, Planner, WritingRequest


class Command(JobCommand):
    """Write in the foreground; what was written is kept, whatever happens."""

    help = "Write outputs of a new system by a writer; run again to finish what was interrupted."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options, which are those of the page and the API."""
        parser.add_argument("study", nargs="?", default="")
        parser.add_argument("writer", nargs="?", default="", help="key of a writer, see --list")
        parser.add_argument("--list", action="store_true", help="list the writers and stop")
        parser.add_argument(
            "--parameter", action="append", default=[], metavar="NAME=VALUE", help="may be repeated"
        )
        parser.add_argument("--name", default="", help="of the system")
        parser.add_argument(
            "--segments",
            dest="split",
            choices=[each for each in SEGMENTS if each],
            default="",
            help="split to write; default: test, or all if the study has no splits",
        )
        parser.add_argument("--source-style", default="", help="only segments of this style")
        parser.add_argument("--target-style", default="", help="only segments to this style")
        parser.add_argument(
            "--limit", type=int, default=0, help="only so many segments, in turn of directions"
        )
        parser.add_argument(
            "--learn-from",
            choices=LEARN_FROM,
            default=LEARN_FROM[0],
            help="training segments, or all others, for studies without splits",
        )
        parser.add_argument("--lexicon", default="", help="style lexicon")
        parser.add_argument(
            "--price-read", type=float, default=0.0, help="of a million tokens, for the estimate"
        )
        parser.add_argument(
            "--price-written", type=float, default=0.0, help="of a million tokens, for the estimate"
        )
        parser.add_argument(
            "--estimate", action="store_true", help="say what it would take, and stop"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write, and say how many outputs there are and why others are missing."""
        if options["list"]:
            for key, writer in writers().items():
                self.stdout.write(f"{key:20} {writer.spec.title}: {writer.spec.summary}")
            return
        study = study_named(options["study"])
        try:
            planned = Planner(study).plan(_request(options))
            prices = (options["price_read"], options["price_written"])
            for sentence in sentences(planned, outlook(study, planned), prices):
                self.stdout.write(sentence)
        except (WriterError, UnknownWriter, Unavailable) as error:
            raise CommandError(str(error)) from None
        if options["estimate"]:
            return
        job = self.finished(
            *(KIND, key_of(study, planned.signature), study, job_parameters(planned)),
            verbosity=options["verbosity"],
            kept="what was written is kept: the same command goes on from there",
        )
        for name, counts in job.result["tables"].items():
            self.stdout.write(
                f"{name}: {counts['added']:,} outputs added, {counts['unchanged']:,} already there"
            )
        self.stdout.write(f"signature {job.result['signature']}")


def _request(options: dict[str, Any]) -> WritingRequest:
    names = ("writer", "name", "split", "source_style", "target_style")
    given = {name: options[name] for name in (*names, "limit", "learn_from", "lexicon")}
    return WritingRequest(**given, parameters=named_values("--parameter", options["parameter"]))
