"""`manage.py train_writer STUDY`: fine-tune a model on the pairs of a study's training split."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.management.arguments import named_values, study_named
from metrics.management.training import train_in_foreground
from metrics.models import TrainedModel
from metrics.resources.writer_training import (
    KIND,
    WriterTrainingRequest,
    check_request,
    training_key,
)
from metrics.scorers.spec import ParameterError
from metrics.styles.labelled import TrainingError
from metrics.tuning.tune import LORA, METHODS, PARAMETERS
from metrics.weights import smollm2


class Command(BaseCommand):
    """Train in the foreground; if it is killed, a worker starts it again."""

    help = "Fine-tune a local model on a study's pairs of source and reference, to write outputs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options, which are those of the page."""
        parser.add_argument("study")
        parser.add_argument("--name", default="", help="default: the base and the method")
        parser.add_argument("--base", default=smollm2.NAME, help="smollm2 or a listed model")
        parser.add_argument("--method", choices=list(METHODS), default=LORA)
        names = ", ".join(each.name for each in PARAMETERS if each.name not in ("base", "method"))
        parser.add_argument(
            "--setting",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help=f"may be repeated: {names}",
        )
        parser.add_argument(
            "--held-out", type=float, default=0.1, help="without validation split: share for that"
        )
        parser.add_argument("--seed", type=int, default=0)

    def handle(self, *args: Any, **options: Any) -> None:
        """Train, showing progress, and say how it went."""
        study = study_named(options["study"])
        try:
            request = _request(options)
            check_request(study, request)
        except (TrainingError, ParameterError) as error:
            raise CommandError(str(error)) from None
        job = train_in_foreground(
            KIND,
            training_key(study, request),
            study,
            request.to_dict(),
            self.stderr,
            quiet=not options["verbosity"],
        )
        model = TrainedModel.objects.get(pk=job.result["model"])
        for note in job.result["notes"]:
            self.stdout.write(note)
        for epoch in model.report["epochs"]:
            train = "" if epoch["train_loss"] is None else f", training {epoch['train_loss']:.3f}"
            kept = " (kept)" if epoch["number"] == model.report["best"] else ""
            self.stdout.write(
                f"epoch {epoch['number']}: validation loss {epoch['valid_loss']:.3f}{train}{kept}"
            )
        self.stdout.write(self.style.SUCCESS(f"{model.name} {model.sha256}"))


def _request(options: dict[str, Any]) -> WriterTrainingRequest:
    settings = {"base": options["base"], "method": options["method"]}
    settings |= named_values("--setting", options["setting"])
    name = options["name"] or f"{options['base']}-{options['method']}"
    return WriterTrainingRequest(name, settings, options["held_out"], options["seed"])
