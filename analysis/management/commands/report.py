"""`manage.py report STUDY`: the reports as JSON, CSV or LaTeX."""

import json
import sys
from argparse import ArgumentParser
from dataclasses import fields
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.flat_table import csv_text
from analysis.latex import latex_table
from analysis.question import CHOICES, Question, QuestionError
from analysis.reports.service import KINDS, document, report
from analysis.tables import flat_tables
from corpus.models import Study

SEVERAL = frozenset({"metric", "systems", "leave_out", "where"})


class Command(BaseCommand):
    """Compute reports; the options are the filter of the pages and the API."""

    help = "Print a study's reports; without --kind, all results in one document."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare one option for each part of the filter."""
        parser.add_argument("study")
        parser.add_argument("--kind", choices=KINDS)
        parser.add_argument("--format", choices=("json", "csv", "latex"), default="json")
        parser.add_argument("--output", type=Path, help="file to write; default: standard output")
        group = parser.add_argument_group("filter, see docs/reports.md")
        for field in fields(Question):
            name = "--" + field.name.replace("_", "-")
            if field.name in SEVERAL:
                group.add_argument(name, action="append", default=[], metavar="TEXT")
            elif field.name in CHOICES:
                group.add_argument(name, choices=CHOICES[field.name])
            else:
                group.add_argument(name, metavar="TEXT")

    def handle(self, *args: Any, **options: Any) -> None:
        """Compute and write."""
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            known = ", ".join(Study.objects.values_list("slug", flat=True)) or "none"
            raise CommandError(f"no study {options['study']!r}; there are: {known}")
        given = {f.name: options[f.name] for f in fields(Question) if options[f.name]}
        try:
            question = Question.parse(given)
            kind = options["kind"]
            content = report(study, kind, question) if kind else document(study, question)
        except QuestionError as error:
            raise CommandError(str(error)) from None
        text = _rendered(content, options["format"])
        if options["output"] is None:
            # The stream itself: BaseCommand's wrapper would add a line break to a CSV.
            sys.stdout.write(text)
            return
        unfinished = options["output"].with_name(options["output"].name + ".part")
        try:
            unfinished.write_text(text, encoding="utf-8")
            unfinished.replace(options["output"])
        except OSError as error:
            raise CommandError(f"{options['output']}: {error.strerror}") from None


def _rendered(content: dict[str, Any], output_format: str) -> str:
    if output_format == "json":
        return json.dumps(content, ensure_ascii=False, indent=2, default=str) + "\n"
    tables = flat_tables(content)
    if output_format == "latex":
        return "\n".join(latex_table(table) for table in tables)
    return "\n".join(csv_text(table) for table in tables)
