"""Adding the outputs of a system behind all texts of a study, in one transaction."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import Max

from corpus.imports.service import import_key
from corpus.jobs.progress import Progress, holding, shutting_down
from corpus.models import AuditEntry, Job, Study, System

SECONDS_BETWEEN_LOOKS = 0.5


def add_outputs(
    job: Job,
    study: Study,
    system: str,
    attributes: Mapping[str, Any],
    texts: Sequence[tuple[int, str]],
    *,
    action: str,
    facts: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Add texts of a system, which is made if need be; call it in `holding`.

    Parameters
    ----------
    job
        Whose person is recorded.
    study
    system, attributes
        Name of the system, and what is declared of it.
    texts
        Primary keys of segments with the output of each.
    action
        What the record calls it.
    facts
        What the record holds besides.
    """
    study = Study.objects.select_for_update().get(pk=study.pk)
    row, _ = System.objects.get_or_create(
        study=study,
        name=system,
        defaults={"ordinal": study.systems.count(), "attributes": dict(attributes)},
    )
    last = study.outputs.aggregate(last=Max("ordinal"))["last"]
    first = 0 if last is None else last + 1
    rows = (
        (study.pk, ordinal, segment, row.pk, 1, text, sha256(text.encode()).hexdigest())
        for ordinal, (segment, text) in enumerate(texts, start=first)
    )
    with connection.cursor() as cursor:
        cursor.executemany(
            """INSERT INTO corpus_output
                   (study_id, ordinal, segment_id, system_id, variant, text, sha256)
               VALUES (%s, %s, %s, %s, %s, %s, %s)""",
            list(rows),
        )
    study.revision += 1
    study.save(update_fields=["revision"])
    AuditEntry.record(
        study,
        job.created_by,
        action,
        system,
        after={"attributes": dict(attributes), "texts": len(texts), **facts},
    )


class ImportRunning(Exception):
    """An import of the study counts its texts just now; the publication has to wait."""


def no_import_begins(job: Job, study: Study) -> None:
    """Keep imports of the study from starting until this transaction ends.

    An import gives its texts their places before it publishes them, so nothing may be added
    meanwhile. A writer may run for hours, and imports need not wait for it; only for this.

    Raises
    ------
    ImportRunning
        If one has started already.
    """
    key = import_key(study)
    waiting = Job.objects.active().filter(key=key).select_for_update().first()
    if waiting is None:
        try:
            with transaction.atomic():
                # Nobody can ask for a job of this key until the transaction ends.
                Job.every.filter(pk=job.pk).update(key=key)
                Job.every.filter(pk=job.pk).update(key=job.key)
        except IntegrityError:
            raise ImportRunning from None
    elif not Job.objects.claimable().filter(pk=waiting.pk).exists():
        raise ImportRunning


def publish_in_turn(job: Job, progress: Progress, study: Study, *args: Any, **named: Any) -> None:
    """Add texts as `add_outputs` does, after an import that is running."""
    while True:
        try:
            with holding(job):
                no_import_begins(job, study)
                add_outputs(job, study, *args, **named)
            return
        except ImportRunning:
            progress.report("waiting for an import of this study to end")
            shutting_down.wait(SECONDS_BETWEEN_LOOKS)
