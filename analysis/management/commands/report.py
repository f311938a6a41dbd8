"""`manage.py report STUDY`: the reports as JSON, CSV or LaTeX."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.filter.fields_of_kinds import kinds_with
from analysis.filter.question import FILTER_FIELDS, SEVERAL, Question, QuestionError
from analysis.reports.catalogue import KINDS
from analysis.reports.service import document, report
from analysis.tables.files import UnknownTable, names_of, table_named, zip_of_tables
from analysis.tables.flat_table import FlatTable, csv_text, json_text
from analysis.tables.latex import latex_table
from analysis.tables.marks import BELOW
from analysis.tables.of_reports import flat_tables
from corpus.access.log import Action, log_access
from corpus.exports.whole_file import whole_file
from corpus.management.arguments import study_named

TABLES: dict[str, Callable[[FlatTable], str]] = {
    "json": json_text,
    "csv": csv_text,
    "latex": latex_table,
}


class Command(BaseCommand):
    """Compute reports; the options are the filter of the pages and the API."""

    help = "Print a study's reports; without --kind, all results in one document."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare one option for each part of the filter."""
        parser.add_argument("study")
        parser.add_argument("--kind", choices=KINDS)
        parser.add_argument(
            "--format",
            choices=tuple(TABLES),
            default="json",
            help="csv without --table writes a zip of all tables",
        )
        parser.add_argument("--table", metavar="NAME", help="one table of the report by its name")
        parser.add_argument(
            "--marks",
            choices=tuple(BELOW),
            default="",
            help="mark numbers of small p-value in tables: at p < .01, or by stars at p < .05, "
            "p < .01 and p < .001",
        )
        parser.add_argument("--output", type=Path, help="file to write; default: standard output")
        group = parser.add_argument_group("filter, see docs/reports.md")
        for name, declared in FILTER_FIELDS.items():
            option = "--" + name.replace("_", "-")
            used_by = f"used by: {', '.join(kinds_with(name))}"
            if name in SEVERAL:
                group.add_argument(
                    option, action="append", default=[], metavar="TEXT", help=used_by
                )
            elif declared.words:
                group.add_argument(option, choices=tuple(declared.words), help=used_by)
            else:
                group.add_argument(option, metavar="TEXT", help=used_by)

    def handle(self, *args: Any, **options: Any) -> None:
        """Compute and write."""
        study = study_named(options["study"])
        given = {name: options[name] for name in FILTER_FIELDS if options[name]}
        try:
            question = Question.parse(given)
            kind = options["kind"]
            content = report(study, kind, question) if kind else document(study, question)
        except QuestionError as error:
            raise CommandError(str(error)) from None
        try:
            written = _written(
                content, options["format"], options["table"], options["output"], options["marks"]
            )
        except UnknownTable as error:
            raise CommandError(str(error)) from None
        words = f"report {kind} by command" if kind else "reports by command"
        log_access(Action.EXPORTED, words, study=study, size=len(written))
        send_output(written, options["output"])


def _written(
    content: dict[str, Any],
    output_format: str,
    table: str | None,
    output: Path | None,
    marks: str,
) -> str | bytes:
    """Return what is to be written: text, or the bytes of a zip."""
    if output_format == "json" and not table:
        return json.dumps(content, ensure_ascii=False, indent=2, default=str) + "\n"
    tables = flat_tables(content, marks)
    if table:
        return TABLES[output_format](table_named(tables, table))
    if output_format == "latex":
        return "\n".join(latex_table(each) for each in tables)
    names = names_of(tables)
    choose = f"choose one with --table NAME ({names})"
    if output is not None and output.suffix == ".csv":
        raise CommandError(
            f"{output}: without --table all tables are written into one zip; {choose}, or name a "
            "file that ends in .zip"
        )
    if output is None and sys.stdout.isatty():
        raise CommandError(
            f"all tables are one zip, which a terminal cannot show: name a file with --output, or "
            f"{choose}"
        )
    return zip_of_tables(tables)


def send_output(written: str | bytes, output: Path | None) -> None:
    """Write to a file, whole or not at all, or to standard output."""
    if output is None:
        # The stream itself: BaseCommand's wrapper would add a line break to a CSV.
        if isinstance(written, bytes):
            sys.stdout.buffer.write(written)
        else:
            sys.stdout.write(written)
        return
    try:
        with whole_file(output) as unfinished:
            unfinished.write_bytes(written if isinstance(written, bytes) else written.encode())
    except OSError as error:
        raise CommandError(f"{output}: {error.strerror}") from None
