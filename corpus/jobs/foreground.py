"""Running a job in the process that asks for it, as commands do."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from corpus.jobs.progress import Tell
from corpus.jobs.queue import JobActive
from corpus.jobs.worker import claim, run, worker_name
from corpus.models import Job, Study


def run_in_foreground(
    kind: str,
    key: str,
    *,
    study: Study | None,
    parameters: dict[str, Any],
    tell: Tell | None = None,
) -> Job:
    """Write a job that this process has claimed already, run it, and return how it ended.

    A worker takes it up if this process is killed.

    Raises
    ------
    JobActive
        If a job with the same key is not finished yet.
    """
    now = timezone.now()
    try:
        with transaction.atomic():
            job = Job.objects.create(
                kind=kind,
                key=key,
                study=study,
                parameters=parameters,
                state=Job.State.RUNNING,
                worker=worker_name(),
                attempts=1,
                started_at=now,
                heartbeat_at=now,
                lease_until=now + timedelta(seconds=settings.JOB_LEASE_SECONDS),
            )
    except IntegrityError:
        other = Job.objects.active().filter(key=key).first()
        if other is None:
            raise
        # What a killed process left behind is finished first; its result is for the caller to see.
        taken_over = claim(other.pk)
        if taken_over is None:
            raise JobActive(other) from None
        run(taken_over, tell)
        return run_in_foreground(kind, key, study=study, parameters=parameters, tell=tell)
    return run(job, tell)
