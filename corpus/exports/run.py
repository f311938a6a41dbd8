"""The export job, and where its file lies."""

from pathlib import Path
from typing import Any

from django.conf import settings

from corpus.exports.bundle import StudyChanging, write_bundle
from corpus.jobs.progress import Progress
from corpus.jobs.worker import JobError
from corpus.models import Job, Study


def export_path(job: Job) -> Path:
    """Return where an export job writes its zip."""
    return Path(settings.MEDIA_ROOT) / "exports" / f"{job.pk}.zip"


def run_export(job: Job, progress: Progress) -> dict[str, Any]:
    """Write the bundle beside its final place, then move it there in one step."""
    if job.study is None:
        raise JobError("the study of this export no longer exists")
    path = export_path(job)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    if name := job.parameters.get("format"):
        chosen = str(job.parameters.get("select", ""))
        return _run_named(job.study, str(name), chosen, path, unfinished, progress)
    try:
        manifest = write_bundle(
            job.study,
            unfinished,
            for_spreadsheets=bool(job.parameters.get("for_spreadsheets")),
            report=lambda member, rows, _: progress.report(
                f"writing {member}: {rows:,} rows", done=rows
            ),
        )
    except StudyChanging as error:
        raise JobError(str(error)) from None
    unfinished.replace(path)
    return {
        "file_name": f"{job.study.slug}.zip",
        "bytes": path.stat().st_size,
        "tables": {
            name: {"rows": facts["rows"]}
            for name, facts in manifest["members"].items()
            if "rows" in facts
        },
    }


def _run_named(
    study: Study, name: str, chosen: str, path: Path, unfinished: Path, progress: Progress
) -> dict[str, Any]:
    """Write the study in a named format."""
    from corpus.exports.named import write_named  # Not needed by a start.
    from corpus.formats.format import CannotWriteError

    try:
        written = write_named(
            study,
            name,
            unfinished,
            report=lambda what, *_: progress.report(what, done=0),
            chosen=chosen,
        )
    except (CannotWriteError, LookupError, StudyChanging) as error:
        raise JobError(str(error)) from None
    unfinished.replace(path)
    return {
        "file_name": f"{study.slug}-{name}.zip",
        "bytes": path.stat().st_size,
        "tables": {},
        "notes": written.notes,
    }
