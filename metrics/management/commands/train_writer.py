"""`manage.py train_writer STUDY`: fine-tune a model on the pairs of a study's training split."""

from argparse import ArgumentParser
from typing import Any

from corpus.management.arguments import named_values
from metrics.forms.writing import TrainWriterForm
from metrics.management.running import TrainingCommand, add_form_options, add_settings
from metrics.models import TrainedModel
from metrics.resources.writer_training import WriterTraining
from metrics.tuning.tune import LORA, METHODS, PARAMETERS
from metrics.weights import smollm2


class Command(TrainingCommand):
    """Train in the foreground; if it is killed, a worker starts it again."""

    help = "Fine-tune a local model on a study's pairs of source and reference, to write outputs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options, which are those of the page."""
        parser.add_argument("study")
        parser.add_argument("--name", default="", help="default: the base and the method")
        parser.add_argument("--base", default=smollm2.NAME, help="smollm2 or a listed model")
        parser.add_argument("--method", choices=list(METHODS), default=LORA)
        names = (each.name for each in PARAMETERS if each.name not in ("base", "method"))
        add_settings(parser, ", ".join(names))
        add_form_options(parser, TrainWriterForm, ("held_out", "seed"))

    def training(self, options: dict[str, Any]) -> WriterTraining:
        """See `TrainingCommand.training`."""
        settings = {"base": options["base"], "method": options["method"]}
        settings |= named_values("--setting", options["setting"])
        name = options["name"] or f"{options['base']}-{options['method']}"
        return WriterTraining(name, settings, options["held_out"], options["seed"])

    def describe(self, model: TrainedModel) -> None:
        """See `TrainingCommand.describe`."""
        for epoch in model.report["epochs"]:
            train = "" if epoch["train_loss"] is None else f", training {epoch['train_loss']:.3f}"
            kept = " (kept)" if epoch["number"] == model.report["best"] else ""
            self.stdout.write(
                f"epoch {epoch['number']}: validation loss {epoch['valid_loss']:.3f}{train}{kept}"
            )
