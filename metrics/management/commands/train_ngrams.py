"""`manage.py train_ngrams NAME FILE`: an n-gram model of each style from labelled texts."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.imports.limits import import_limits
from corpus.models import Output
from corpus.tabular.problems import TableError
from metrics.resources.ngram_models import train
from metrics.styles.corpus_file import CorpusColumns, read_corpus
from metrics.styles.labelled import TrainingError, without

ROWS_AT_ONCE = 2000


class Command(BaseCommand):
    """Train in the foreground, without the texts of any study."""

    help = "Train n-gram models, one a style, for the metric ngram-perplexity."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("name", help="what runs call the models")
        parser.add_argument("file", type=Path, help="CSV, TSV, JSON, JSON Lines or Parquet")
        parser.add_argument("--order", type=int, default=3, help="longest n-gram, 2 to 6")
        parser.add_argument("--text-column", default="text")
        parser.add_argument("--label-column", default="style")

    def handle(self, *args: Any, **options: Any) -> None:
        """Train, and say what was trained on."""
        path: Path = options["file"]
        if not 2 <= options["order"] <= 6:
            raise CommandError(f"--order: found {options['order']}, expected 2 to 6")
        if not path.exists():
            raise CommandError(f"{path}: there is no such file")
        try:
            texts, _ = read_corpus(
                path.resolve(),
                CorpusColumns(options["text_column"], options["label_column"]),
                import_limits(),
            )
            foreign, common = without(
                texts,
                Output.objects.values_list("text", flat=True).iterator(chunk_size=ROWS_AT_ONCE),
            )
            model = train(options["name"], foreign, order=options["order"], report=self._tell)
        except TableError as error:
            for problem in error.problems:
                self.stderr.write(str(problem))
            raise CommandError(f"{path}: the labelled texts cannot be read") from None
        except TrainingError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"trained on {len(foreign):,} texts; left out of studies: {common:,}")
        self.stdout.write(self.style.SUCCESS(f"{options['name']} {model.sha256}"))

    def _tell(self, message: str, done: int, total: int) -> None:
        """Show progress on one line of a terminal; a log gets nothing."""
        if self.stderr.isatty():
            self.stderr.write(f"\r\x1b[K{message}, {done + 1} of {total}", ending="")
