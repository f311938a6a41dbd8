"""`manage.py judge STUDY`: ask a language model what raters are asked."""

from argparse import ArgumentParser
from dataclasses import fields
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.judging.asked import KIND, Judging, judging_cost, pairs_job, question_of, run_request
from analysis.judging.questions import JudgingError
from analysis.management.results import finished_job
from corpus.management.arguments import study_named
from metrics.runs.asking import KIND as SCORE
from metrics.runs.asking import prepare_runs


class Command(BaseCommand):
    """Ask in the foreground; what was answered is kept, whatever happens."""

    help = (
        "Ask a language model what a campaign asks its raters, or which of two outputs is better."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options, which are those of the page and the API."""
        parser.add_argument("study")
        parser.add_argument(
            "--campaign",
            default="",
            help="whose question is asked; default: which of two outputs is better, for all pairs "
            "of systems",
        )
        parser.add_argument("--aspect", default="", help="of the campaign; default: its first")
        parser.add_argument("--model", default="smollm2", help="default: smollm2, on this machine")
        parser.add_argument("--base-url", default="", help="address that is asked")
        parser.add_argument("--answer", choices=("weighted", "greedy"), default="weighted")
        parser.add_argument("--no-guidelines", dest="guidelines", action="store_false")
        parser.add_argument("--segments", type=int, default=0, help="of pairs; 0 for all")
        parser.add_argument("--price-in", type=float, default=0.0, help="of a million tokens read")
        parser.add_argument("--price-out", type=float, default=0.0, help="of a million written")
        parser.add_argument("--budget", type=float, default=0.0, help="0 for no limit")
        parser.add_argument("--dry-run", action="store_true", help="only say prompt and cost")

    def handle(self, *args: Any, **options: Any) -> None:
        """Say what is asked and what it costs, then ask."""
        study = study_named(options["study"])
        judging = Judging(**{field.name: options[field.name] for field in fields(Judging)})
        try:
            question, cost = question_of(study, judging), judging_cost(study, judging)
            price = f", about {cost.price:.4g}" if cost.price else ""
            self.stdout.write(
                f"{cost.left:,} questions ({cost.answered:,} answered before), about "
                f"{cost.tokens.read:,} tokens to read and at most {cost.tokens.written:,} to "
                f"write{price}"
            )
            if options["dry_run"]:
                self.stdout.write(f"\n{question.prompt}")
                return
            if question.of_pairs:
                kind, (key, parameters) = KIND, pairs_job(study, judging)
            else:
                asked = prepare_runs(study, [run_request(question, judging)])
                if asked.refused:
                    raise CommandError("; ".join(asked.refused.values()))
                for run in asked.found:
                    self.stdout.write(f"found: {run.name}: signature {run.signature}")
                if not asked.started:
                    return
                kind, key, parameters = SCORE, asked.job_key, asked.parameters
        except JudgingError as error:
            raise CommandError(str(error)) from None
        job = finished_job(kind, key, study, parameters)
        for note in job.result.get("notes", ()):
            self.stdout.write(note)
        for signature, counts in job.result.get("tables", {}).items():
            self.stdout.write(f"scored: {counts['added']:,} texts; signature {signature}")
