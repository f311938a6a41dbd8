"""Publishing a study: the one service behind the page, the command and the API."""

import datetime as dt
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from analysis.models import FrozenReport, Publication
from analysis.publishing.checks import Check, checks_of, confirmed, objections
from analysis.publishing.folder import Written, write_folder, write_zip
from analysis.publishing.options import Options, PublishingError
from analysis.publishing.personal_data import new_seed
from analysis.publishing.public_page import remove_zip, zip_path
from corpus.access.log import Action, log_access
from corpus.exports.bundle import ATTEMPTS
from corpus.extras import how_to_install
from corpus.jobs.progress import Progress
from corpus.jobs.queue import ask_for_job
from corpus.jobs.worker import JobError
from corpus.models import AuditEntry, Job, Study
from corpus.progress import ProgressCallback, unreported
from corpus.tabular.plain import from_plain

KIND = "publish"


def options_from(values: dict[str, Any]) -> Options:
    """Return options from what was given; a seed that nobody can guess and today by default.

    Raises
    ------
    PublishingError
        If a value makes no sense.
    """
    given = {name: value for name, value in values.items() if value not in (None, "")}
    plain = {"seed": new_seed(), "date": dt.date.today().isoformat()}
    options: Options = from_plain(Options, plain | given)
    return options


def chosen_reports(study: Study, options: Options) -> list[FrozenReport]:
    """Return the frozen reports that are published, the oldest first.

    Raises
    ------
    PublishingError
        If one was asked for that the study does not have.
    """
    frozen = FrozenReport.objects.filter(study=study).order_by("pk")
    if options.reports is None:
        return list(frozen)
    found = {report.pk: report for report in frozen.filter(pk__in=options.reports)}
    for number in options.reports:
        if number not in found:
            raise PublishingError(f"reports: this study has no frozen report {number}")
    return [found[number] for number in sorted(found)]


def check(study: Study, options: Options, *, quickly: bool = False) -> list[Check]:
    """Check a study for publication, as `checks_of` does; nothing is written."""
    return checks_of(study, chosen_reports(study, options), options, quickly=quickly)


def refuse(checks: Sequence[Check], accepted: Sequence[str]) -> None:
    """Raise if something keeps a study from being published.

    Raises
    ------
    PublishingError
        With the names of all that does, and what to do.
    """
    known = {each.name for each in checks}
    if unknown := sorted(set(accepted) - known):
        there = ", ".join(sorted(known))
        raise PublishingError(f"accept: no check is called {unknown[0]}; there are: {there}")
    open_ones = objections(checks, accepted)
    if open_ones:
        reasons = "; ".join(
            f"{each.name} ({each.words}): {each.why} {each.advice}" for each in open_ones
        )
        raise PublishingError(f"Nothing was published. {reasons}")


def publish(
    study: Study,
    folder: Path,
    options: Options,
    user: User | None,
    *,
    job: Job | None = None,
    report: ProgressCallback = unreported,
) -> Publication:
    """Check a study, write it into a new folder, and keep a record and its zip.

    Parameters
    ----------
    folder
        Does not exist, or is empty; it appears whole or not at all.

    Raises
    ------
    PublishingError
        If something keeps it from being published, the folder holds something, or the study
        changes each time that it is being read.
    """
    if folder.exists() and any(folder.iterdir()):
        raise PublishingError(f"{folder} is not empty; choose another folder")
    if find_spec("pyarrow") is None:
        raise PublishingError(
            "A publication holds Parquet tables, which this installation cannot write. The "
            f"administrator can add that with: {how_to_install('parquet')}"
        )
    reports = chosen_reports(study, options)
    for _ in range(ATTEMPTS):
        study.refresh_from_db()
        revision = study.revision
        report("checking the study", 0, 0)
        checks = checks_of(study, reports, options)
        refuse(checks, options.accept)
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".publishing-") as work:
            whole = Path(work) / "publication"
            whole.mkdir()
            written = write_folder(study, whole, options, reports, checks, report)
            study.refresh_from_db()
            if study.revision != revision:
                continue
            packed = Path(work) / "publication.zip"
            write_zip(whole, packed, study.slug)
            made = _keep(study, options, checks, written, packed, user, job)
            if folder.exists():
                folder.rmdir()
            whole.rename(folder)
        return made
    raise PublishingError(f"study {study.slug} changed while it was published; try again later")


def _keep(
    study: Study,
    options: Options,
    checks: Sequence[Check],
    written: Written,
    packed: Path,
    user: User | None,
    job: Job | None,
) -> Publication:
    """Store the record of a publication and its zip."""
    content = written.content
    record: dict[str, Any] = {
        "title": content.title,
        "date": content.date,
        "checks": [asdict(check) for check in checks],
        "accepted": confirmed(checks, options.accept),
        "revision": study.revision,
        "sums": written.sums,
        "content": asdict(content),
        "bytes": packed.stat().st_size,
    }
    with transaction.atomic():
        made = Publication.objects.create(
            study=study,
            created_by=user,
            job=job,
            options=asdict(options),
            record=record,
            sha256=written.sha256,
        )
        recorded = {"sha256": written.sha256, "accepted": record["accepted"]}
        name = f"publication {made.pk}"
        AuditEntry.record(study, user, "publish study", name, after=recorded)
        log_access(Action.PUBLISHED, name, person=user, study=study, size=record["bytes"])
    place = zip_path(made)
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(packed, place)
    return made


def ask_for_publication(study: Study, options: Options, user: User) -> Job:
    """Queue a publication; one of a study waits or runs at a time.

    Raises
    ------
    JobActive
        If another of the study has not ended.
    """
    return ask_for_job(
        KIND, f"{KIND}:{study.pk}", study=study, user=user, parameters=asdict(options)
    )


def run_publish(job: Job, progress: Progress) -> dict[str, Any]:
    """Publish a study as a job; one that was cut off after the end finds what it made."""
    if job.study is None:
        raise JobError("the study of this publication no longer exists")
    made = Publication.objects.filter(job=job).first()
    if made is None:
        options = from_plain(Options, job.parameters)
        with tempfile.TemporaryDirectory() as work:
            try:
                made = publish(
                    job.study,
                    Path(work) / "publication",
                    options,
                    job.created_by,
                    job=job,
                    report=progress.report,
                )
            except PublishingError as error:
                raise JobError(str(error)) from None
    return {"publication": made.pk, "sha256": made.sha256, "bytes": made.record["bytes"]}


def delete_publication(publication: Publication, user: User) -> None:
    """Delete a publication with its zip and its page; the audit keeps that it was there."""
    with transaction.atomic():
        recorded = {"sha256": publication.sha256}
        name = f"publication {publication.pk}"
        AuditEntry.record(publication.study, user, "delete publication", name, before=recorded)
        remove_zip(publication)
        publication.delete()
