"""`manage.py collection`: several studies compared as weighted tasks."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.collections.changing import CollectionError, create_collection
from analysis.collections.content import STATISTICS
from analysis.collections.presets import PRESETS, tasks_of_preset
from analysis.collections.service import comparison
from analysis.collections.tables import tables_of
from analysis.filter.question import QuestionError
from analysis.management.arguments import user_named
from analysis.management.results import TABLES, send_output, table_text
from analysis.models import Collection, CollectionTask
from analysis.tables.files import names_of, zip_of_tables
from corpus.access.log import Action, log_access
from corpus.management.arguments import study_named


class Command(BaseCommand):
    """Make collections, list them, and print what they compare."""

    help = "Make collections of studies, and print metrics and systems compared over them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what can be done."""
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("list", help="print the collections there are")
        create = actions.add_parser("create", help="make a collection of studies")
        create.add_argument("collection", help="its short name")
        create.add_argument("studies", nargs="*", help="slugs of studies, for --preset")
        create.add_argument(
            "--preset", choices=list(PRESETS), help="makes the tasks of the studies"
        )
        create.add_argument("--tasks", type=Path, help="JSON file: a list of tasks, as the API has")
        create.add_argument("--title", default="")
        create.add_argument("--aspect", default="", help="what was rated, for --preset")
        create.add_argument("--owner", help="name of the person who owns it")
        report = actions.add_parser("report", help="print the comparison")
        report.add_argument("collection")
        report.add_argument("--by", default="", metavar="METRIC", help="systems by this metric")
        report.add_argument("--format", choices=tuple(TABLES), default="json")
        report.add_argument("--table", metavar="NAME", help="one table by its name")
        report.add_argument("--output", type=Path, help="file to write; default: standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do what was asked for."""
        {"list": self._list, "create": self._create, "report": self._report}[options["action"]](
            options
        )

    def _list(self, options: dict[str, Any]) -> None:
        for each in Collection.objects.prefetch_related("tasks"):
            self.stdout.write(f"{each.slug}: {each.title}, {len(each.tasks.all())} tasks")

    def _create(self, options: dict[str, Any]) -> None:
        studies = [study_named(slug) for slug in options["studies"]]
        preset, settings = options["preset"], {}
        owner = user_named(options["owner"]) if options["owner"] else None
        if not (preset or options["tasks"]):
            raise CommandError("name a --preset and studies, or a file of --tasks")
        try:
            tasks = _tasks_in(options["tasks"]) if options["tasks"] else []
            if preset:
                tasks = [*tasks_of_preset(preset, studies, aspect=options["aspect"]), *tasks]
                settings = {**PRESETS[preset].settings, "preset": preset}
            made = create_collection(
                options["collection"], options["title"], tasks, owner, **settings
            )
        except CollectionError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Collection {made.slug} has {len(tasks)} tasks.")

    def _report(self, options: dict[str, Any]) -> None:
        found = Collection.objects.filter(slug=options["collection"]).first()
        if found is None:
            known = ", ".join(Collection.objects.values_list("slug", flat=True)) or "none"
            raise CommandError(f"no collection {options['collection']!r}; there are: {known}")
        if not found.tasks.exists():
            raise CommandError("this collection has no tasks")
        try:
            content = comparison(found, options["by"])
        except QuestionError as error:
            raise CommandError(str(error)) from None
        written = _written(content, options["format"], options["table"])
        log_access(Action.EXPORTED, "collection by command", size=len(written))
        send_output(written, options["output"])


def _written(content: dict[str, Any], output_format: str, table: str | None) -> str | bytes:
    if output_format == "json" and not table:
        return json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    tables = tables_of(content)
    if table:
        return table_text(tables, table, output_format)
    if output_format == "csv":
        return zip_of_tables(tables)
    raise CommandError(f"name a --table: {names_of(tables)}")


def _tasks_in(path: Path) -> list[CollectionTask]:
    """Read a file of tasks: each has study and statistic, and more as the API has it."""
    expected = f"{path}: expected a JSON list of tasks, each with study and statistic"
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(given, list):
            raise CommandError(expected)
        return [CollectionTask(**{**each, "study": study_named(each["study"])}) for each in given]
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None
    except (ValueError, TypeError, KeyError):
        known = ", ".join(STATISTICS)
        raise CommandError(f"{expected}; statistics: {known}") from None
