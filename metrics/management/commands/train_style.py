"""`manage.py train_style [FILE]`: a style classifier or regressor from labelled texts."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from corpus.management.arguments import named_values
from metrics.forms.styles import TrainForm
from metrics.management.running import TrainingCommand, add_form_options, add_settings
from metrics.models import TrainedModel
from metrics.resources.style_training import StyleTraining
from metrics.styles.kinds import KINDS

OPTIONS = (
    *("kind", "text_column", "label_column", "graded", "target_column", "source_style"),
    *("target_style", "split_column", "by_split", "held_out", "texts", "folds", "seed"),
)


class Command(TrainingCommand):
    """Train in the foreground; if it is killed, a worker starts it again."""

    help = "Train a style model on a labelled file, or on a study's sources and references."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options, which are those of the page."""
        parser.add_argument(
            "file", type=Path, nargs="?", help="CSV, TSV, JSON, JSON Lines or Parquet"
        )
        parser.add_argument("--study", default="", help="whose model it is; none: of all studies")
        parser.add_argument("--name", default="", help="default: the kind and the file or 'own'")
        add_form_options(parser, TrainForm, OPTIONS)
        takes = "; ".join(
            f"{kind.kind}: {', '.join(each.name for each in kind.parameters)}"
            for kind in KINDS.values()
        )
        add_settings(parser, takes)

    def training(self, options: dict[str, Any]) -> StyleTraining:
        """See `TrainingCommand.training`."""
        path: Path | None = options["file"]
        if path is not None and not path.exists():
            raise CommandError(f"{path}: there is no such file")
        made_of = path.name.partition(".")[0] if path else "own"
        given = {name: options[name] for name in OPTIONS} | {
            "name": options["name"] or f"{options['kind']}-{made_of}",
            "settings": named_values("--setting", options["setting"]),
        }
        return StyleTraining.asked(given, str(path.resolve()) if path else "")

    def describe(self, model: TrainedModel) -> None:
        """See `TrainingCommand.describe`."""
        report = model.report
        left_out = ", ".join(
            f"{count:,} {name.replace('_', ' ')}"
            for name, count in report["left_out"].items()
            if count
        )
        self.stdout.write(f"trained on {report['trained_on']:,} texts; left out: {left_out or 0}")
        if not model.is_graded:
            self.stdout.write(f"expected calibration error {report['calibration_error']:.3f}")
            for style, row in zip(model.styles, report["confusion"], strict=True):
                counts = ", ".join(
                    f"{count:,} as {other}" for other, count in zip(model.styles, row, strict=True)
                )
                self.stdout.write(f"{style}: predicted {counts}")
