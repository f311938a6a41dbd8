"""`manage.py export_study STUDY`: the study bundle as one zip."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.access.log import Action, log_access
from corpus.exports.bundle import StudyChanging, write_bundle
from corpus.exports.named import writable_formats, write_named
from corpus.exports.whole_file import whole_file
from corpus.formats.format import CannotWriteError
from corpus.management.arguments import study_named
from corpus.models import Study


class Command(BaseCommand):
    """Write a bundle; the same study gives the same members and manifest wherever it is."""

    help = "Write a study with texts, ratings and scores to one zip."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what and where."""
        parser.add_argument("study")
        parser.add_argument("--output", type=Path, help="default: STUDY.zip")
        parser.add_argument(
            "--as",
            dest="format",
            choices=list(writable_formats()),
            help="write a named format instead of the study bundle",
        )
        parser.add_argument(
            "--select",
            "--pair",
            default="",
            help="what the study is called in a format that holds several: a language pair, such "
            "as en-de or wmt23/en-de; default: from its title, name and language",
        )
        parser.add_argument(
            "--for-spreadsheets",
            action="store_true",
            help="make texts safe to open in a spreadsheet; such a zip cannot be imported",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the zip, whole or not at all."""
        study = study_named(options["study"])
        if name := options["format"]:
            self._write_named(study, name, options["output"], options["select"])
            return
        if options["select"]:
            raise CommandError("--pair: name the format, too: --as mt-metrics-eval-v2")
        path: Path = options["output"] or Path(f"{study.slug}.zip")
        try:
            with whole_file(path) as unfinished:
                manifest = write_bundle(
                    study, unfinished, for_spreadsheets=options["for_spreadsheets"]
                )
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}") from None
        except StudyChanging as error:
            raise CommandError(str(error)) from None
        _log(study, "spreadsheets" if options["for_spreadsheets"] else "archive", path)
        for name, facts in manifest["members"].items():
            self.stdout.write(f"{name}: {facts.get('rows', 'no')} rows")
        self.stdout.write(self.style.SUCCESS(f"{path} written"))

    def _write_named(self, study: Study, name: str, output: Path | None, chosen: str) -> None:
        """Write the study in a named format."""
        path = output or Path(f"{study.slug}-{name}.zip")
        try:
            with whole_file(path) as unfinished:
                written = write_named(study, name, unfinished, chosen=chosen)
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}") from None
        except (CannotWriteError, StudyChanging) as error:
            raise CommandError(str(error)) from None
        _log(study, name, path)
        for note in written.notes:
            self.stdout.write(f"note: {note}")
        self.stdout.write(self.style.SUCCESS(f"{path} written: {written.files} files"))


def _log(study: Study, words: str, path: Path) -> None:
    log_access(Action.EXPORTED, f"{words} by command", study=study, size=path.stat().st_size)
