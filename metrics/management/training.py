"""What commands share that train a model in their own process."""

from abc import abstractmethod
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.core.management.base import CommandError

from corpus.management.arguments import study_named
from metrics.management.running import JobCommand
from metrics.models import TrainedModel
from metrics.resources.training import Training, training_key
from metrics.scorers.spec import ParameterError
from metrics.styles.labelled import TrainingError


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
