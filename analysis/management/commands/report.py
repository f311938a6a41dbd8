"""`manage.py report STUDY`: the reports as JSON, CSV or LaTeX."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.filter.question import FILTER_FIELDS, Question, QuestionError
from analysis.management.arguments import add_filter
from analysis.management.results import TABLES, send_output, table_text
from analysis.reports.catalogue import KINDS
from analysis.reports.service import document, report
from analysis.tables.files import names_of, zip_of_tables
from analysis.tables.latex import latex_table
from analysis.tables.marks import BELOW
from analysis.tables.of_reports import flat_tables
from corpus.access.log import Action, log_access
from corpus.management.arguments import study_named


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
        add_filter(parser, FILTER_FIELDS)

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
        written = _written(content, options)
        words = f"report {kind} by command" if kind else "reports by command"
        log_access(Action.EXPORTED, words, study=study, size=len(written))
        send_output(written, options["output"])


def _written(content: dict[str, Any], options: dict[str, Any]) -> str | bytes:
    """Return what is to be written: text, or the bytes of a zip."""
    output_format, table, output = (options[name] for name in ("format", "table", "output"))
    if output_format == "json" and not table:
        return json.dumps(content, ensure_ascii=False, indent=2, default=str) + "\n"
    tables = flat_tables(content, options["marks"])
    if table:
        return table_text(tables, table, output_format)
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
