"""What was decided of an upload, kept until it is imported."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from django.contrib.auth.models import User

from corpus.imports.options import ImportOptions
from corpus.imports.uploads import upload_path
from corpus.models import ImportDraft, Job, Study
from corpus.storage.write_turn import in_write_turn
from corpus.tables.register import handler_for
from corpus.tabular.opening.files import Dialect
from corpus.tabular.plain import from_plain, to_plain
from corpus.tabular.questions.question import Question
from corpus.tabular.shaping.mapping import Mapping
from corpus.tabular.shaping.query_files import dialects_in

_ELSEWHERE = {"mappings", "system_roles", "answers", "accept", "query"}
"""Options that have places of their own."""


@dataclass(frozen=True)
class FileChoice:
    """How one file is to be read.

    Attributes
    ----------
    mappings
        Its tables; None if they are to be guessed.
    dialect
        How it is written; None if nobody has said.
    left_out
        Whether it is not to be read.
    suggested
        Whether the mappings were proposed from what the columns hold, and nobody has confirmed
        them yet.
    """

    mappings: tuple[Mapping, ...] | None = None
    dialect: Dialect | None = None
    left_out: bool = False
    suggested: bool = False

    def __post_init__(self) -> None:
        for mapping in self.mappings or ():
            handler_for(mapping.table)

    @classmethod
    def of(cls, name: str, known: Sequence[Mapping] | None) -> Self:
        """Return the choice that mappings written elsewhere make; an empty list leaves out."""
        if known and known[0].query:
            return cls(tuple(known), dialects_in(known[0].query, name).get(name))
        if known:
            return cls(tuple(known), known[0].dialect)
        return cls(left_out=known is not None)


@dataclass(frozen=True)
class Choices:
    """What was chosen for all files of an upload.

    Attributes
    ----------
    files
        File name to how it is read; what is not named is guessed.
    options
        Of the import, as its form takes them.
    answers
        Question to its answer.
    """

    files: dict[str, FileChoice] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of_options(cls, options: ImportOptions) -> Self:
        """Return the choices that an earlier import was asked for with."""
        files = {name: FileChoice.of(name, known) for name, known in options.mappings.items()}
        return cls(files, plain_options(options), dict(options.answers))

    def of_file(self, name: str) -> FileChoice | None:
        """Return the choice of a file by its path or by its name alone."""
        return self.files.get(name) or self.files.get(name.rsplit("/", 1)[-1])


def plain_options(options: ImportOptions) -> dict[str, Any]:
    """Return options as a form takes them: without what has places of its own."""
    plain = options.to_dict()
    return {name: value for name, value in plain.items() if name not in _ELSEWHERE}


@in_write_turn
def keep_choices(study: Study, upload: str, user: User, choices: Choices) -> None:
    """Keep what a person chose, in the place of what they chose before."""
    ImportDraft.objects.update_or_create(
        study=study, upload=upload, user=user, defaults={"choices": to_plain(choices)}
    )


def begun(study: Study, upload: str, user: User) -> Choices:
    """Return a person's choices, else the latest of somebody else, else of the latest attempt.

    A file of which the choice is damaged is guessed.
    """
    drafts = list(study.import_drafts.filter(upload=upload))
    for draft in sorted(drafts, key=lambda draft: draft.user_id != user.pk):
        files = {}
        for name, plain in draft.choices.get("files", {}).items():
            with suppress(ValueError, LookupError):
                files[name] = from_plain(FileChoice, plain)
        said = draft.choices
        return Choices(files, said.get("options", {}), said.get("answers", {}))
    job = _latest_attempt(study, upload_path(upload))
    if job is None:
        return Choices()
    return Choices.of_options(ImportOptions.from_dict(job.parameters.get("options", {})))


def asked_by_import(study: Study, path: Path) -> list[Question]:
    """Return what the latest attempt to import an upload left open: it looked at all rows."""
    job = _latest_attempt(study, path)
    if job is None or job.state != Job.State.FAILED:
        return []
    return list(map(Question.from_dict, job.result.get("questions", ())))


def _latest_attempt(study: Study, path: Path) -> Job | None:
    return study.jobs.filter(kind="import", parameters__path=str(path.resolve())).first()
