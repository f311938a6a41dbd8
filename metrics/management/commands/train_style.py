"""`manage.py train_style [FILE]`: a style classifier or regressor from labelled texts."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from corpus.management.arguments import named_values
from metrics.management.training import TrainingCommand
from metrics.models import TrainedModel
from metrics.resources.style_training import StyleTraining
from metrics.styles.corpus_file import CorpusColumns
from metrics.styles.kinds import KINDS
from metrics.styles.training import Recipe


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
        parser.add_argument("--kind", choices=list(KINDS), default="bag-of-words")
        parser.add_argument("--text-column", default="text")
        parser.add_argument("--label-column", default="style")
        parser.add_argument(
            "--graded", default="", metavar="STYLE", help="labels are grades of this style"
        )
        parser.add_argument(
            "--setting",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="of the kind; may be repeated: "
            + "; ".join(
                f"{kind.kind}: {', '.join(each.name for each in kind.parameters)}"
                for kind in KINDS.values()
            ),
        )
        parser.add_argument(
            "--target-column", default="", help="a file of pairs: targets, with sources as texts"
        )
        parser.add_argument(
            "--pair-styles",
            default="source,target",
            metavar="SOURCE,TARGET",
            help="styles of the sources and targets of a file of pairs",
        )
        parser.add_argument(
            "--split-column", default="", help="column of a file that says train, valid or test"
        )
        parser.add_argument(
            "--by-split",
            action="store_true",
            help="train on the study's segments of the split train, instead of by folds",
        )
        parser.add_argument("--held-out", type=float, default=0.1, help="share not trained on")
        parser.add_argument("--texts", type=int, help="draw so many; 0: all; default by kind")
        parser.add_argument("--folds", type=int, default=5, help="of a study's own labels")
        parser.add_argument("--seed", type=int, default=0)

    def training(self, options: dict[str, Any]) -> StyleTraining:
        """See `TrainingCommand.training`."""
        path: Path | None = options["file"]
        if path is not None and not path.exists():
            raise CommandError(f"{path}: there is no such file")
        settings = named_values("--setting", options["setting"])
        styles = tuple(map(str.strip, options["pair_styles"].split(",")))
        if len(styles) != 2:
            raise CommandError(f"--pair-styles {options['pair_styles']}: expected SOURCE,TARGET")
        recipe = Recipe(
            options["kind"],
            settings,
            held_out=options["held_out"],
            most=options["texts"],
            folds=options["folds"],
            seed=options["seed"],
            by_split=options["by_split"],
        )
        made_of = path.name.partition(".")[0] if path else "own"
        return StyleTraining(
            options["name"] or f"{options['kind']}-{made_of}",
            recipe,
            str(path.resolve()) if path else "",
            CorpusColumns(
                options["text_column"],
                options["label_column"],
                options["graded"],
                options["target_column"],
                (styles[0], styles[1]),
                options["split_column"],
            ),
        )

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
