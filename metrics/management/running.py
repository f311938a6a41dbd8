"""What commands share that do a job, or train a model, in their own process."""

from abc import abstractmethod
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.core.management.base import BaseCommand, CommandError

from corpus.jobs.foreground import run_in_foreground
from corpus.jobs.queue import JobActive
from corpus.management.arguments import ProgressLine, study_named
from corpus.models import Job, Study
from corpus.tabular.problems import Problem
from metrics.models import TrainedModel
from metrics.resources.training import Training, training_key
from metrics.scorers.spec import ParameterError
from metrics.styles.labelled import TrainingError


class JobCommand(BaseCommand):
    """Does a job in the foreground; if it is killed, a worker starts it again."""

    def finished(
        self,
        kind: str,
        key: str,
        study: Study | None,
        parameters: dict[str, Any],
        *,
        verbosity: int,
        kept: str = "nothing was stored",
    ) -> Job:
        """Do a job, showing progress, and return it when it is done; write its notes.

        Parameters
        ----------
        kind, key, study, parameters
            As for `run_in_foreground`.
        verbosity
            The option of the command; progress is not shown at 0.
        kept
            What is left of a job that somebody stops.

        Raises
        ------
        CommandError
            If the same is done elsewhere, if it failed, or if somebody pressed Ctrl-C.
        """
        line = ProgressLine(self.stderr)
        report = line.report if verbosity else None
        try:
            job = run_in_foreground(kind, key, study=study, parameters=parameters, report=report)
        except JobActive as error:
            raise CommandError(str(error)) from None
        except KeyboardInterrupt:
            raise CommandError(f"stopped; {kept}", returncode=130) from None
        finally:
            line.clear()
        for problem in job.result.get("problems", ()):
            self.stderr.write(str(Problem(**problem)))
        for note in job.result.get("notes", ()):
            self.note(note)
        if job.state != Job.State.DONE:
            raise CommandError(job.error or f"the job is {job.get_state_display()}")
        return job

    def note(self, words: str) -> None:
        """Write a note of the job's result."""
        self.stderr.write(f"note: {words}")


def add_form_options(parser: ArgumentParser, form: type[forms.Form], names: Iterable[str]) -> None:
    """Add options for fields of a form: ``--held-out`` for `held_out`, with its help."""
    for name in names:
        field = form.base_fields[name]
        option = f"--{name.replace('_', '-')}"
        words = str(field.help_text or field.label).replace("%", "%%")
        if isinstance(field, forms.BooleanField):
            parser.add_argument(option, action="store_true", help=words)
            continue
        choices = None
        if isinstance(field, forms.ChoiceField):
            choices = [value for value, _ in cast(Any, field).choices]
        number = int if isinstance(field, forms.IntegerField) else str
        kind = float if isinstance(field, forms.FloatField) else number
        parser.add_argument(option, type=kind, default=field.initial, choices=choices, help=words)


def add_settings(parser: ArgumentParser, takes: str) -> None:
    """Add the option for settings of a kind of model."""
    words = f"may be repeated: {takes}".replace("%", "%%")
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE", help=words)


class TrainingCommand(JobCommand):
    """Train in the foreground; if it is killed, a worker starts it again."""

    @abstractmethod
    def training(self, options: dict[str, Any]) -> Training:
        """Return what the options ask for."""

    @abstractmethod
    def describe(self, model: TrainedModel) -> None:
        """Write how the training went."""

    def note(self, words: str) -> None:
        """Write how good the model is, and what was left out."""
        self.stdout.write(words)

    def handle(self, *args: Any, **options: Any) -> None:
        """Train, showing progress, and say how good the model is."""
        study = study_named(options["study"]) if options["study"] else None
        try:
            training = self.training(options)
            training.check(study)
        except (TrainingError, ParameterError) as error:
            raise CommandError(str(error)) from None
        job = self.finished(
            *(training.job_kind, training_key(study, training), study, training.to_dict()),
            verbosity=options["verbosity"],
        )
        model = TrainedModel.objects.get(pk=job.result["model"])
        self.describe(model)
        self.stdout.write(self.style.SUCCESS(f"{model.name} {model.sha256}"))
