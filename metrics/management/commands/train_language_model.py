"""`manage.py train_language_model NAME FILE`: a language model of each style."""

from argparse import ArgumentParser
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.imports.limits import import_limits
from corpus.models import Output
from corpus.tabular.problems import TableError
from metrics.language_models.lstm import PARAMETERS
from metrics.language_models.lstm_by_style import write_lstms
from metrics.language_models.ngram_by_style import write_ngrams
from metrics.resources.models_by_style import LSTM, NGRAMS, TITLES, Write, train
from metrics.scorers.spec import ParameterError, Value
from metrics.styles.corpus_file import CorpusColumns, read_corpus
from metrics.styles.labelled import TrainingError, without

ROWS_AT_ONCE = 2000


class Command(BaseCommand):
    """Train in the foreground, without the texts of any study."""

    help = "Train language models, one a style, for ngram-perplexity or lstm-perplexity."
    kinds: tuple[str, ...] = tuple(TITLES)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("name", help="what runs call the models")
        parser.add_argument("file", type=Path, help="CSV, TSV, JSON, JSON Lines or Parquet")
        if len(self.kinds) > 1:
            parser.add_argument("--kind", choices=self.kinds, default=LSTM)
            parser.add_argument(
                "--setting",
                action="append",
                default=[],
                metavar="NAME=VALUE",
                help="of an LSTM, may be repeated: "
                + "; ".join(f"{each.name} ({each.default}): {each.help}" for each in PARAMETERS),
            )
        parser.add_argument("--order", type=int, default=3, help="longest n-gram, 2 to 6")
        parser.add_argument("--text-column", default="text")
        parser.add_argument("--label-column", default="style")

    def handle(self, *args: Any, **options: Any) -> None:
        """Train, and say what was trained on."""
        path: Path = options["file"]
        kind = options.get("kind", NGRAMS)
        write = self._write(kind, options)
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
            model = train(options["name"], foreign, kind, write)
        except TableError as error:
            for problem in error.problems:
                self.stderr.write(str(problem))
            raise CommandError(f"{path}: the labelled texts cannot be read") from None
        except TrainingError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"trained on {len(foreign):,} texts; left out of studies: {common:,}")
        self.stdout.write(self.style.SUCCESS(f"{options['name']} {model.sha256}"))

    def _write(self, kind: str, options: Mapping[str, Any]) -> Write:
        if kind == LSTM:
            return partial(write_lstms, settings=_settings(options["setting"]), report=self._tell)
        if options.get("setting"):
            raise CommandError("--setting is of an LSTM; n-grams take --order")
        if not 2 <= options["order"] <= 6:
            raise CommandError(f"--order: found {options['order']}, expected 2 to 6")
        return partial(write_ngrams, order=options["order"], report=self._tell)

    def _tell(self, message: str, done: int, total: int) -> None:
        """Show progress on one line of a terminal; a log gets nothing."""
        if self.stderr.isatty():
            self.stderr.write(f"\r\x1b[K{message}, {done + 1} of {total}", ending="")


def _settings(given: list[str]) -> dict[str, Value]:
    pairs = dict(each.partition("=")[::2] for each in given)
    known = {parameter.name: parameter for parameter in PARAMETERS}
    for name in pairs:
        if name not in known:
            raise CommandError(f"--setting {name}: an LSTM takes {', '.join(known)}")
    try:
        return {n: each.read(pairs.get(n, each.default)) for n, each in known.items()}
    except ParameterError as error:
        raise CommandError(f"--setting {error}") from None
