"""`manage.py learn_metric STUDY`: store a metric with weights learned from human ratings."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.filter.fields_of_kinds import fields_of
from analysis.filter.question import FILTER_FIELDS, SEVERAL, Question, QuestionError
from analysis.learned_runs import LearnedMetricError, prepare_learned
from analysis.reports.learned_metric.report import KEY
from corpus.jobs.foreground import run_in_foreground
from corpus.jobs.queue import JobActive
from corpus.management.arguments import study_named
from metrics.runs.asking import KIND


class Command(BaseCommand):
    """Learn and score in the foreground; the options are the filter of the report."""

    help = (
        "Learn weights of a study's metrics from its human ratings, and store them as a metric: "
        "of the study itself, each output by weights that know neither its segment nor its system."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the study and the fields of the report."""
        parser.add_argument("study")
        parser.add_argument(
            "--into", default="", help="study to score by the fit to all ratings; default: STUDY"
        )
        group = parser.add_argument_group("filter, see docs/reports.md")
        for name in sorted(fields_of(KEY)):
            option, words = "--" + name.replace("_", "-"), FILTER_FIELDS[name].words
            if name in SEVERAL:
                group.add_argument(option, action="append", default=[], metavar="TEXT")
            elif words:
                group.add_argument(option, choices=tuple(words))
            else:
                group.add_argument(option, metavar="TEXT")

    def handle(self, *args: Any, **options: Any) -> None:
        """Learn, score, and say the name and signature of the run."""
        study = study_named(options["study"])
        into = study_named(options["into"]) if options["into"] else study
        try:
            question = Question.parse({n: options[n] for n in fields_of(KEY) if options[n]})
            run, asked = prepare_learned(study, question, into)
        except (LearnedMetricError, QuestionError) as error:
            raise CommandError(str(error)) from None
        if asked.started:
            try:
                job = run_in_foreground(
                    KIND, asked.job_key, study=into, parameters=asked.parameters
                )
            except JobActive as error:
                raise CommandError(str(error)) from None
            if job.state != "done":
                raise CommandError(job.error or f"the job is {job.get_state_display()}")
        state = "scored" if asked.started else "found"
        self.stdout.write(f"{state}: {run.name}: signature {run.signature}")
