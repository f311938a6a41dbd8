"""Asking for exports, the export job, and where its file lies."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User

from corpus.access.log import Action, log_access
from corpus.exports.bundle import StudyChanging, write_bundle
from corpus.exports.whole_file import whole_file
from corpus.jobs.progress import Progress
from corpus.jobs.queue import ask_for_job
from corpus.jobs.worker import JobError
from corpus.models import Job, Study


def exports_folder() -> Path:
    """Return where export jobs write."""
    return Path(settings.MEDIA_ROOT) / "exports"


def export_path(job: Job) -> Path:
    """Return where an export job writes its zip."""
    return exports_folder() / f"{job.pk}.zip"


def has_zip(job: Job) -> bool:
    """Whether the zip of an export is there; it goes after `EXPORT_DAYS`."""
    return job.kind == "export" and job.state == Job.State.DONE and export_path(job).exists()


def run_export(job: Job, progress: Progress) -> dict[str, Any]:
    """Write the bundle, whole or not at all."""
    if job.study is None:
        raise JobError("the study of this export no longer exists")
    path = export_path(job)
    path.parent.mkdir(parents=True, exist_ok=True)
    if name := job.parameters.get("format"):
        chosen = str(job.parameters.get("select", ""))
        result = _run_named(job.study, str(name), chosen, path, progress)
    else:
        result = _run_bundle(job, job.study, path, progress)
    words = str(name or ("spreadsheets" if job.parameters.get("for_spreadsheets") else "archive"))
    size = result["bytes"]
    log_access(Action.EXPORTED, words, person=job.created_by_id, study=job.study_id, size=size)
    return result


def _run_bundle(job: Job, study: Study, path: Path, progress: Progress) -> dict[str, Any]:
    """Write the study archive."""
    try:
        with whole_file(path, one_of_several=True) as unfinished:
            manifest = write_bundle(
                study,
                unfinished,
                for_spreadsheets=bool(job.parameters.get("for_spreadsheets")),
                report=lambda member, rows, _: progress.report(
                    f"writing {member}: {rows:,} rows", done=rows
                ),
            )
    except StudyChanging as error:
        raise JobError(str(error)) from None
    return {
        "file_name": f"{study.slug}.zip",
        "bytes": path.stat().st_size,
        "tables": {
            name: {"rows": facts["rows"]}
            for name, facts in manifest["members"].items()
            if "rows" in facts
        },
    }


def _run_named(
    study: Study, name: str, chosen: str, path: Path, progress: Progress
) -> dict[str, Any]:
    """Write the study in a named format."""
    from corpus.exports.named import write_named  # Not needed by a start.
    from corpus.formats.format import CannotWriteError

    try:
        with whole_file(path, one_of_several=True) as unfinished:
            written = write_named(
                study,
                name,
                unfinished,
                report=lambda what, *_: progress.report(what, done=0),
                chosen=chosen,
            )
    except (CannotWriteError, LookupError, StudyChanging) as error:
        raise JobError(str(error)) from None
    return {
        "file_name": f"{study.slug}-{name}.zip",
        "bytes": path.stat().st_size,
        "tables": {},
        "notes": written.notes,
    }


def ask_for_export(
    study: Study,
    user: User | None,
    *,
    for_spreadsheets: bool = False,
    format: str = "",
    select: str = "",
) -> Job:
    """Queue an export of a study; one of each kind at a time.

    Parameters
    ----------
    for_spreadsheets
        Whether texts are made safe for spreadsheets.
    format
        A named format in which the study is written instead of as its bundle.
    select
        What the study is called in a format that holds several, such as a language pair.

    Raises
    ------
    JobActive
        If the same export of the study has not ended.
    """
    if format:
        return ask_for_job(
            "export",
            f"export:{study.pk}:{format}:{select}",
            study=study,
            user=user,
            parameters={"format": format, "select": select},
        )
    kind = "spreadsheets" if for_spreadsheets else "bundle"
    return ask_for_job(
        "export",
        f"export:{study.pk}:{kind}",
        study=study,
        user=user,
        parameters={"for_spreadsheets": for_spreadsheets},
    )
