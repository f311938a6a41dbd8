"""The import job: discover, map, stage, check, and publish everything or nothing."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings

from corpus.imports.batch import PROBLEMS_KEPT, Batch
from corpus.imports.declarations import FILE, inline_records, merged
from corpus.imports.filtering import draw_segments, filter_segments
from corpus.imports.judging import judge
from corpus.imports.keys_only import check_asked, stage_keys
from corpus.imports.options import ImportOptions, OptionsError
from corpus.imports.problem_places import placed
from corpus.imports.publish import publish
from corpus.imports.recognise import Recognised, RecognisedFile, recognise
from corpus.imports.uploads import discard_upload, import_limits
from corpus.jobs.progress import LeaseLost, Progress
from corpus.jobs.worker import JobError
from corpus.models import Job, Study
from corpus.tables.register import TableHandler, handlers
from corpus.tabular.confined.session import ConfinedReading, Judgement
from corpus.tabular.problems import Problem, ProblemLog, TableError
from corpus.tabular.shaping.blocks import Records, in_columns
from corpus.tabular.shaping.mapping import Mapping

LAST_TEXT_TABLE = 30
MOST_NAMED = 10
UNKNOWN_CODES = frozenset({"unknown-segment", "unknown-output", "unknown-system", "unknown-run"})


@dataclass
class Import:
    """One import with all that it read, until it is published or refused."""

    batch: Batch
    recognised: Recognised
    reading: ConfinedReading
    log: ProblemLog = field(default_factory=lambda: ProblemLog(PROBLEMS_KEPT))

    @property
    def used(self) -> list[TableHandler]:
        """Handlers of the tables in this import; outputs also carry what segments staged."""
        names = {mapping.table for _, mapping in self.recognised.readable()}
        declared = self.recognised.study_json
        for handler in handlers():
            if handler.inline_key in declared or handler.declaration_key in declared:
                names.add(handler.spec.name)
        if self.batch.options.without_texts:
            names.add("segments")
        if "segments" in names:
            names.add("outputs")
        return [handler for handler in handlers() if handler.spec.name in names]


def run_import(job: Job, progress: Progress) -> dict[str, Any]:
    """Do an import job; the same job may run again after its worker was killed.

    Raises
    ------
    JobError
        With every problem found, if anything is wrong; nothing is then stored.
    """
    path = Path(job.parameters["path"])
    result: dict[str, Any] = job.result
    if not result.get("published"):
        if job.study is None:
            raise JobError("the study of this import no longer exists")
        result = _import(job, job.study, path, progress)
    discard_upload(path)
    return result


def _import(job: Job, study: Study, path: Path, progress: Progress) -> dict[str, Any]:
    try:
        options = ImportOptions.from_dict(job.parameters.get("options", {}))
        with (
            _folder(job) as workdir,
            ConfinedReading(import_limits(), progress.report) as reading,
        ):
            progress.report("opening the files")
            recognised = recognise(reading, path, workdir, options)
            asked = judge(reading, study, recognised)
            if asked.left:
                raise TableError(*asked.faults) if asked.faults else _asks(asked)
            batch = _batch(job, study, recognised, progress, workdir)
            if asked.answered:
                batch.facts["questions"] = [q.to_dict() | {"answer": v} for q, v in asked.answered]
            for question, value in asked.answered:
                batch.note(f"{question.text} Answered: {question.answer(value).label}.")
            batch.read_bytes = lambda: reading.usage.text_bytes
            with batch.opened, _staging(batch):
                work = Import(batch, recognised, reading)
                check_asked(batch)
                if not any(recognised.readable()) and not recognised.study_json:
                    raise _nothing(recognised)
                _read_and_check(work)
                progress.check()
                return publish(batch, recognised, work.used)
    except TableError as error:
        raise _refusal(error.problems, len(error.problems)) from None
    except OptionsError as error:
        raise _refusal((Problem("", message=str(error), code="options"),), 1) from None


@contextmanager
def _folder(job: Job) -> Iterator[Path]:
    """Give an empty folder, and take away what a killed worker left of its own."""
    parent = Path(settings.MEDIA_ROOT) / "work"
    parent.mkdir(parents=True, exist_ok=True)
    prefix = f"import-{job.pk}-"
    for left_behind in parent.glob(f"{prefix}*"):
        shutil.rmtree(left_behind, ignore_errors=True)
    folder = tempfile.mkdtemp(prefix=prefix, dir=parent)
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _staging(batch: Batch) -> Iterator[None]:
    """Empty the staging tables before and after, unless they belong to another worker by now."""
    _discard(batch)
    try:
        yield
    except LeaseLost:
        raise
    except BaseException:
        _discard(batch)
        raise
    _discard(batch)


def _discard(batch: Batch) -> None:
    for handler in handlers():
        handler.discard(batch)


def _batch(
    job: Job, study: Study, recognised: Recognised, progress: Progress, folder: Path
) -> Batch:
    batch = Batch(
        job=job,
        study=study,
        options=recognised.options,
        declarations=merged(study.declarations, recognised.study_json),
        progress=progress,
        folder=folder,
        file_names=[file.source.name for file in recognised.files] + [FILE],
        mappings=[file.mappings for file in recognised.files],
    )
    if named := recognised.read_as:
        batch.facts["read_as"] = named.words
        batch.notes += named.notes
    for name in recognised.unknown_declarations:
        batch.note(f"{FILE}: {name!r} is not known and was passed over.")
    for file in recognised.files:
        if file.unused:
            batch.note(
                f"{file.source.name}: no table reads {_columns(file.unused)}; a mapping can."
            )
    return batch


def _columns(names: Sequence[str]) -> str:
    """Name columns, the first ones of many."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"the column{'s' if len(names) > 1 else ''} {', '.join(names[:MOST_NAMED])}{more}"


def _nothing(recognised: Recognised) -> JobError:
    listed = "; ".join(f"{name}: {reason}" for name, reason in recognised.unrecognised)
    message = "Nothing here is a table of a study. " + (listed or "There is no file.")
    return _refusal((Problem("", message=message, code="nothing"),), 1)


def _read_and_check(work: Import) -> None:
    """Stage and check texts first, then what refers to them; raise if anything is wrong."""
    batch = work.batch
    texts = [handler for handler in work.used if handler.order <= LAST_TEXT_TABLE]
    others = [handler for handler in work.used if handler.order > LAST_TEXT_TABLE]
    for group in (texts, others):
        for handler in group:
            _stage(work, handler)
        for handler in group:
            for problem in handler.problems(batch):
                batch.problem(problem)
        if group is texts:
            filter_segments(batch)
            draw_segments(batch)
        # Judgements are checked against the ordinals that preparing gives to texts.
        if group is texts or not (work.log or batch.problem_counts.total()):
            for handler in group:
                handler.prepare(batch)
    if batch.options.without_texts and not (work.log or batch.problem_counts.total()):
        stage_keys(batch)
    codes = set(batch.problem_counts)
    if work.log:
        # A row that could not be read makes all that refer to it unknown.
        codes -= UNKNOWN_CODES
    count = work.log.count + sum(batch.problem_counts[code] for code in codes)
    if count:
        found = [p for code, each in batch.problems.items() if code in codes for p in each]
        raise _refusal(
            _in_order(work, placed(work.reading, work.recognised, batch.file_names, found)), count
        )


def _in_order(work: Import, found: Iterator[Problem]) -> tuple[Problem, ...]:
    """Return the first problems of an import, file by file and line by line."""
    order = {name: place for place, name in enumerate(work.batch.file_names)}
    problems = sorted(
        (*work.log.problems, *found),
        key=lambda p: (order.get(p.file, 0), p.line or 0),
    )
    return tuple(problems[:PROBLEMS_KEPT])


def _stage(work: Import, handler: TableHandler) -> None:
    """Read one table's files, and its entries in `study.json`, into staging."""
    batch = work.batch
    for index, file in enumerate(work.recognised.files):
        for mapping in file.mappings:
            if mapping.table == handler.spec.name:
                found = work.reading.blocks(file.source, mapping, handler.spec, work.log)
                handler.stage(batch, index, Records(found))
                _note_what_was_passed_over(work, file, mapping)
    if handler.inline_key and handler.inline_key in work.recognised.study_json:
        inline = work.recognised.study_json[handler.inline_key]
        entries = in_columns(inline_records(inline, handler.spec, work.log))
        handler.stage(batch, len(work.recognised.files), Records(entries))


def _note_what_was_passed_over(work: Import, file: RecognisedFile, mapping: Mapping) -> None:
    name = file.source.name
    if len(file.mappings) > 1:
        name += f" ({mapping.table.replace('_', ' ')})"
    for words in work.log.counted():
        work.batch.note(f"{name}: {words}.")
    work.log.counts.clear()


def _asks(asked: Judgement) -> JobError:
    count = len(asked.left)
    more = f" (and {count - 1} more)" if count > 1 else ""
    return JobError(
        f"Nothing was imported yet: {asked.left[0].text}{more}",
        result={"questions": [question.to_dict() for question in asked.left]},
    )


def _refusal(problems: tuple[Problem, ...], count: int) -> JobError:
    more = f" (and {count - 1} more)" if count > 1 else ""
    return JobError(
        f"Nothing was imported. {problems[0]}{more}",
        result={"problems": [problem.to_dict() for problem in problems], "problems_total": count},
    )
