"""`manage.py import_study PATH`: a study from a folder, a zip or a single file."""

from argparse import ArgumentParser
from dataclasses import Field, fields, replace
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils.text import slugify

from corpus.formats.catalogue import formats
from corpus.imports.options import ImportOptions, OptionsError, option_type
from corpus.imports.recognise import ALL, studies_in
from corpus.imports.service import (
    StudyExists,
    create_study,
    default_slug,
    import_job,
    import_key,
    withdraw_study,
)
from corpus.jobs.foreground import run_in_foreground
from corpus.jobs.queue import JobActive
from corpus.management.arguments import ProgressLine
from corpus.models import Study
from corpus.tabular.problems import Problem, TableError


class Command(BaseCommand):
    """Import in the foreground; if it is killed, a worker finishes it."""

    help = "Import a study (folder, zip or file); run again to add what is new."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options, which are those of the page and the API."""
        parser.add_argument("path", type=Path)
        parser.add_argument("--study", default="", help="slug; default: the name of the path")
        parser.add_argument("--owner", default="", help="user name of who will own a new study")
        parser.add_argument(
            "--mapping",
            type=Path,
            help="a .sql file with a SELECT for each table",
        )
        parser.add_argument(
            "--answer",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="the answer to a question about what was read; repeatable",
        )
        parser.add_argument(
            "--system-role",
            action="append",
            default=[],
            metavar="NAME=ROLE",
            help="what a name such as ref or Human-A.0 is: human, reference or system; repeatable",
        )
        for option in fields(ImportOptions):
            if option.metadata:
                _add_option(parser, option)

    def handle(self, *args: Any, **options: Any) -> None:
        """Import, showing progress, and say what was added."""
        path: Path = options["path"]
        if not path.exists():
            raise CommandError(f"{path}: there is no such file or folder")
        try:
            chosen = _options(options)
        except OptionsError as error:
            raise CommandError(str(error)) from None
        slug = options["study"] or default_slug(path.resolve())
        owner = _owner(options["owner"])
        self._report_progress = ProgressLine(self.stderr).report if options["verbosity"] else None
        if chosen.select != ALL:
            self._import(path, slug, owner, chosen)
            return
        for part in _parts(path, replace(chosen, select="")):
            own = f"{slug[: 98 - len(part)]}-{slugify(part)}"
            self._import(path, own, owner, replace(chosen, select=part))

    def _import(self, path: Path, slug: str, owner: User | None, chosen: ImportOptions) -> None:
        """Import one study."""
        study = Study.objects.filter(slug=slug).first()
        created = study is None
        try:
            study = study or create_study(_checked(slug), owner)
            job = run_in_foreground(
                "import",
                import_key(study),
                study=study,
                parameters=import_job(path, chosen),
                report=self._report_progress,
            )
        except (JobActive, StudyExists) as error:
            raise CommandError(str(error)) from None
        if job.state != "done":
            if created:
                withdraw_study(study)
            self._fail(job.error, job.result)
        self._report(study, job.result)

    def _ask(self, questions: list[dict[str, Any]]) -> None:
        """Print questions with their answers, the proposed one first."""
        for question in questions:
            self.stdout.write(f"\n{question['text']}")
            for line in question["detail"]:
                self.stdout.write(f"    {line}")
            for answer in question["answers"]:
                proposed = " (proposed)" if answer["value"] == question["preset"] else ""
                named = f"--answer {question['name']}={answer['value']}"
                self.stdout.write(f"  {named}{proposed}: {answer['label']}")
        count = len(questions)
        raise CommandError(
            f"nothing was imported yet: {count} question{'s' if count > 1 else ''} to answer; "
            "--accept takes the proposed answers"
        )

    def _fail(self, error: str, result: dict[str, Any]) -> None:
        if questions := result.get("questions"):
            self._ask(questions)
        problems = result.get("problems", [])
        for problem in problems:
            self.stderr.write(str(Problem(**problem)))
        count = result.get("problems_total", len(problems))
        if count > len(problems):
            self.stderr.write(f"… and {count - len(problems)} more")
        more = "s" if count != 1 else ""
        raise CommandError(
            error if not problems else f"nothing was imported: {count} problem{more}"
        )

    def _report(self, study: Study, result: dict[str, Any]) -> None:
        if read_as := result.get("read_as"):
            self.stdout.write(f"read as: {read_as}")
        for name, counts in result["tables"].items():
            self.stdout.write(
                f"{name}: {counts['added']} added, {counts['unchanged']} already there"
            )
        for name, reason in result["unrecognised"]:
            self.stdout.write(f"not imported: {name} ({reason})")
        for found in result.get("orientations", ()):
            self.stdout.write(f"metric {found['metric']}: {found['meaning']}, {found['reason']}")
        for note in result["notes"]:
            self.stdout.write(f"note: {note}")
        if not result["changed"]:
            self.stdout.write(f"Study {study.slug} already held all of this; nothing was added.")
        else:
            self.stdout.write(self.style.SUCCESS(f"Study {study.slug} is up to date."))


def _add_option(parser: ArgumentParser, option: Field[Any]) -> None:
    """Declare an option by what it says of itself."""
    facts, words = option.metadata, option.metadata["help"]
    flags = [f"--{option.name.replace('_', '-')}"]
    if option.name == "select":
        flags.append("--pair")
        words += f" {ALL} imports each into a study of its own."
    elif option.name == "format":
        words += f" Known: {', '.join(formats())}."
    if option.default is False:
        parser.add_argument(*flags, action="store_true", help=words)
    else:
        shared = {"default": option.default, "choices": facts.get("choices"), "help": words}
        parser.add_argument(*flags, type=option_type(option), **shared)


def _parts(path: Path, chosen: ImportOptions) -> tuple[str, ...]:
    try:
        parts = studies_in(path, chosen)
    except TableError as error:
        raise CommandError(str(error)) from None
    if not parts:
        raise CommandError("--select all: these files hold one study; leave it out")
    return parts


def _owner(name: str) -> User | None:
    owner = User.objects.filter(username=name).first()
    if name and owner is None:
        raise CommandError(f"there is no user {name!r}")
    return owner


def _checked(slug: str) -> str:
    if slug != slugify(slug) or len(slug) > 100:
        raise CommandError(f"{slug!r} cannot be a slug: use lower-case letters, digits and hyphens")
    return slug


def _options(options: dict[str, Any]) -> ImportOptions:
    query = ""
    if options["mapping"]:
        try:
            query = options["mapping"].read_text(encoding="utf-8-sig")
        except (OSError, ValueError) as error:
            raise OptionsError(f"{options['mapping']}: {error}") from None
    names = ImportOptions.__dataclass_fields__
    given = {name: options[name] for name in names if name in options} | {"query": query}
    roles = _pairs("--system-role", options["system_role"], "a system and its role, as ref=human")
    answers = _pairs("--answer", options["answer"], "a question and its answer")
    chosen = {"system_roles": roles, "answers": answers}
    return ImportOptions.from_dict(given | chosen)


def _pairs(option: str, given: list[str], expected: str) -> dict[str, str]:
    """Return what was given as NAME=VALUE; `OptionsError` for what was not."""
    pairs = {}
    for each in given:
        name, _, value = each.rpartition("=")
        if not name:
            raise OptionsError(f"{option} {each}: expected {expected}")
        pairs[name] = value
    return pairs
