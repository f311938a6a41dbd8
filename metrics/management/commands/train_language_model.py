"""`manage.py train_language_model NAME FILE`: a language model of each style."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.imports.uploads import import_limits
from corpus.management.arguments import ProgressLine, named_values
from corpus.models import Output
from corpus.tabular.problems import TableError
from metrics.forms.styles import LabelledTextsForm
from metrics.language_models.by_style import KINDS
from metrics.management.running import add_form_options, add_settings
from metrics.resources.trained_models import train
from metrics.scorers.spec import ParameterError, read_parameters
from metrics.styles.corpus_file import CorpusColumns, read_corpus
from metrics.styles.labelled import TrainingError, without

ROWS_AT_ONCE = 2000


class Command(BaseCommand):
    """Train in the foreground, without the texts of any study."""

    help = "Train language models, one a style, for ngram-perplexity or lstm-perplexity."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("name", help="what runs call the models")
        parser.add_argument("file", type=Path, help="CSV, TSV, JSON, JSON Lines or Parquet")
        parser.add_argument("--kind", choices=list(KINDS), default="ngrams")
        takes = " ".join(
            f"{kind.kind}: "
            + "; ".join(f"{each.name} ({each.default}): {each.help}" for each in kind.parameters)
            for kind in KINDS.values()
        )
        add_settings(parser, takes)
        add_form_options(parser, LabelledTextsForm, ("text_column", "label_column"))

    def handle(self, *args: Any, **options: Any) -> None:
        """Train, and say what was trained on."""
        path, kind = options["file"], KINDS[options["kind"]]
        columns = CorpusColumns(options["text_column"], options["label_column"])
        given = named_values("--setting", options["setting"])
        if not path.exists():
            raise CommandError(f"{path}: there is no such file")
        line = ProgressLine(self.stderr)
        try:
            chosen = read_parameters(kind.kind, kind.parameters, given)
            texts, _ = read_corpus(path.resolve(), columns, import_limits())
            foreign, common = without(
                texts,
                Output.objects.values_list("text", flat=True).iterator(chunk_size=ROWS_AT_ONCE),
            )
            model = train(options["name"], foreign, kind, chosen, line.report)
        except TableError as error:
            for problem in error.problems:
                self.stderr.write(str(problem))
            raise CommandError(f"{path}: the labelled texts cannot be read") from None
        except (TrainingError, ParameterError) as error:
            raise CommandError(str(error)) from None
        finally:
            line.clear()
        self.stdout.write(f"trained on {len(foreign):,} texts; left out of studies: {common:,}")
        self.stdout.write(self.style.SUCCESS(f"{options['name']} {model.sha256}"))
