"""The import job: discover, map, stage, check, and publish everything or nothing."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F

from corpus.imports.batch import Batch
from corpus.imports.declarations import FILE, STORED, check_declarations, merged
from corpus.imports.inline import inline_records
from corpus.imports.options import ImportOptions, OptionsError
from corpus.imports.recognise import Recognised, recognise
from corpus.imports.sampling import draw_segments
from corpus.jobs.progress import Progress
from corpus.jobs.worker import JobError
from corpus.models import AuditEntry, Job, Study
from corpus.tables import Counts, RowProblem, TableHandler, handler_for, handlers
from corpus.tabular.locating import locate
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import Problem, ProblemLog, TableError, shorten
from corpus.tabular.records import records

LAST_TEXT_TABLE = 30
UNKNOWN_CODES = frozenset({"unknown-segment", "unknown-output", "unknown-system"})


@dataclass
class Import:
    """One import with all that it read, until it is published or refused."""

    batch: Batch
    recognised: Recognised
    log: ProblemLog

    @property
    def used(self) -> list[TableHandler]:
        """Handlers of the tables in this import; outputs also carry what segments staged."""
        names = {mapping.table for _, mapping in self.recognised.readable()}
        names |= {
            handler.spec.name
            for handler in handlers()
            if handler.inline_key in self.recognised.study_json
        }
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
    if job.result.get("published"):
        return job.result
    if job.study is None:
        raise JobError("the study of this import no longer exists")
    workdir = settings.DATA_DIR / "work" / f"import-{job.pk}"
    shutil.rmtree(workdir, ignore_errors=True)
    workdir.mkdir(parents=True)
    batch = None
    try:
        recognised = recognise(
            Path(job.parameters["path"]),
            workdir,
            ImportOptions.from_dict(job.parameters.get("options", {})),
        )
        batch = _batch(job, job.study, recognised, progress)
        _discard(batch)
        work = Import(batch, recognised, ProblemLog())
        if not work.used:
            raise _nothing(recognised)
        _read_and_check(work)
        progress.check()
        return _publish(work)
    except (TableError, OptionsError) as error:
        problems = (
            error.problems if isinstance(error, TableError) else (Problem("", message=str(error)),)
        )
        raise _refusal(problems, len(problems)) from None
    finally:
        if batch is not None:
            _discard(batch)
        shutil.rmtree(workdir, ignore_errors=True)


def _batch(job: Job, study: Study, recognised: Recognised, progress: Progress) -> Batch:
    unknown = check_declarations(recognised.study_json)
    declarations = merged(study.declarations, recognised.study_json)
    options = recognised.options
    batch = Batch(
        job=job,
        study=study,
        options=options,
        declarations=declarations,
        progress=progress,
        file_names=[file.source.name for file in recognised.files] + [FILE],
    )
    for name in unknown:
        batch.note(f"{FILE}: {name!r} is not known and was passed over.")
    return batch


def _nothing(recognised: Recognised) -> TableError:
    listed = "; ".join(f"{name}: {reason}" for name, reason in recognised.unrecognised)
    message = "Nothing here is a table of a study. " + (listed or "There is no file.")
    return TableError(Problem("", message=message, code="nothing"))


def _read_and_check(work: Import) -> None:
    """Stage and check texts first, then what speaks of them; raise if anything is wrong."""
    found: list[RowProblem] = []
    texts = [handler for handler in work.used if handler.order <= LAST_TEXT_TABLE]
    others = [handler for handler in work.used if handler.order > LAST_TEXT_TABLE]
    for group in (texts, others):
        for handler in group:
            _stage(work, handler)
        for handler in group:
            found.extend(handler.problems(work.batch))
        if group is texts:
            draw_segments(work.batch)
        for handler in group:
            handler.prepare(work.batch)
    uncounted = work.batch.problem_count - len(work.batch.row_problems)
    found = work.batch.row_problems + found
    if work.log:
        uncounted = 0
        # A row that could not be read makes all that refer to it unknown.
        found = [problem for problem in found if problem.code not in UNKNOWN_CODES]
    work.log.extend(_placed(work, found))
    if work.log:
        raise _refusal(work.log.problems, work.log.count + uncounted)


def _stage(work: Import, handler: TableHandler) -> None:
    """Read one table's files, and its entries in `study.json`, into staging."""
    batch = work.batch
    for index, file in enumerate(work.recognised.files):
        for mapping in file.mappings:
            if mapping.table == handler.spec.name:
                with closing(records(file.source, mapping, handler.spec, work.log)) as rows:
                    handler.stage(batch, index, rows)
    if handler.inline_key and handler.inline_key in work.recognised.study_json:
        inline = work.recognised.study_json[handler.inline_key]
        entries = inline_records(inline, handler.spec, work.log)
        handler.stage(batch, len(work.recognised.files), entries)


def _placed(work: Import, found: list[RowProblem]) -> Iterator[Problem]:
    """Turn problems of staged rows into problems at a line, column and character."""
    shown = found[: work.log.limit]
    places: dict[tuple[Any, ...], Any] = {}

    def key(problem: RowProblem, mapping: Mapping) -> tuple[Any, ...]:
        label = problem.labels.get(mapping.wide.name) if mapping.wide else None
        return (problem.line, problem.field) + ((label,) if label is not None else ())

    for index, file in enumerate(work.recognised.files):
        for mapping in file.mappings:
            spec = handler_for(mapping.table).spec
            wanted = {
                key(problem, mapping)
                for problem in shown
                if problem.file == index and problem.field in spec.names
            }
            if wanted:
                located = locate(file.source, mapping, spec, wanted)
                places |= {(index, mapping.table, *k): place for k, place in located.items()}
    for problem in found:
        place = next(
            (
                places[found_key]
                for mapping in _mappings(work, problem.file)
                if (found_key := (problem.file, mapping.table, *key(problem, mapping))) in places
            ),
            None,
        )
        yield Problem(
            file=work.batch.file_names[problem.file],
            line=place.line if place else problem.line,
            column=(place.column if place else None) or problem.field,
            position=place.position if place else None,
            found=shorten(problem.found),
            expected=shorten(problem.expected),
            message=problem.message,
            code=problem.code,
        )


def _mappings(work: Import, file: int) -> list[Mapping]:
    files = work.recognised.files
    return files[file].mappings if 0 <= file < len(files) else []


def _publish(work: Import) -> dict[str, Any]:
    """Copy from staging in one transaction and write the job's result in the same."""
    batch = work.batch
    study = batch.study
    with transaction.atomic():
        counts = {handler.spec.name: handler.publish(batch) for handler in work.used}
        changed = _update_study(batch, work.recognised.study_json, counts)
        result = {
            "published": True,
            "changed": changed,
            "tables": {
                name: {"added": count.added, "unchanged": count.unchanged}
                for name, count in counts.items()
            },
            "files": [
                {"name": file.source.name, "tables": [m.table for m in file.mappings]}
                for file in work.recognised.files
            ],
            "unrecognised": [list(entry) for entry in work.recognised.unrecognised],
            "notes": batch.notes,
        }
        if changed:
            AuditEntry.objects.create(
                study=study,
                actor=batch.job.created_by,
                action="import",
                object=", ".join(file.source.name for file in work.recognised.files)[:200],
                after={"tables": result["tables"], "options": batch.options.to_dict()},
            )
        Job.objects.filter(pk=batch.job.pk).update(result=result)
    return result


def _update_study(batch: Batch, declared: dict[str, Any], counts: dict[str, Counts]) -> bool:
    """Store what the import says of the study itself; return whether anything changed."""
    study = batch.study
    before = (study.title, study.description, study.language, study.simulated)
    study.title = study.title or declared.get("title", "")
    study.description = study.description or declared.get("description", "")
    study.language = declared.get("language", study.language)
    study.simulated = study.simulated or declared.get("simulated", False)
    declarations = {name: batch.declarations[name] for name in STORED if name in batch.declarations}
    changed = any(count.added for count in counts.values())
    provenance = study.provenance
    recorded = batch.options.changes_texts()
    if changed and recorded:
        provenance = [*provenance, recorded]
    for entry in declared.get("provenance", []):
        if entry not in provenance:
            provenance = [*provenance, entry]
    after = (study.title, study.description, study.language, study.simulated)
    changed = (
        changed
        or before != after
        or declarations != study.declarations
        or provenance != study.provenance
    )
    if changed:
        study.declarations = declarations
        study.provenance = provenance
        study.revision = F("revision") + 1
        study.save()
        study.refresh_from_db()
    return changed


def _discard(batch: Batch) -> None:
    for handler in handlers():
        handler.discard(batch)


def _refusal(problems: tuple[Problem, ...], count: int) -> JobError:
    first = problems[0]
    more = f" (and {count - 1} more)" if count > 1 else ""
    return JobError(
        f"Nothing was imported. {first}{more}",
        result={"problems": [problem.to_dict() for problem in problems], "problem_count": count},
    )
