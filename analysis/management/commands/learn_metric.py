"""`manage.py learn_metric STUDY`: store a metric with weights learned from human ratings."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.filter.fields_of_kinds import fields_of
from analysis.filter.question import Question, QuestionError
from analysis.learned_runs import LearnedMetricError, prepare_learned
from analysis.management.arguments import add_filter
from analysis.management.results import finished_job
from analysis.reports.learned_metric.report import KEY
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
        add_filter(parser, sorted(fields_of(KEY)))

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
            finished_job(KIND, asked.job_key, into, asked.parameters)
        state = "scored" if asked.started else "found"
        self.stdout.write(f"{state}: {run.name}: signature {run.signature}")
