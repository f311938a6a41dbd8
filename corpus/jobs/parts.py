"""A large job in parts: its own worker does them, beside every other that is free.

A part is a job of its own, with its lease, its attempts and its place in the queue. A worker that
stops hands its part back, and that of a killed one is taken over like any job. What comes of the
parts must not depend on who does them, nor in which order.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.db import transaction

from corpus.jobs.progress import Progress, holding, shutting_down
from corpus.jobs.queue import send
from corpus.jobs.worker import JobError, claim, run
from corpus.models import Job
from corpus.models.job import JobQuerySet

SECONDS_BETWEEN_LOOKS = 0.2


def divide(job: Job, kind: str, parts: Sequence[dict[str, Any]]) -> None:
    """Offer parts of a job to all workers.

    Parameters
    ----------
    job
        A job that this worker has. Its former parts have ended (see `finish_parts`).
    kind
        Of the parts, as registered by `corpus.jobs.registry.register_job`.
    parts
        Parameters of each; `size` says how much of the whole it is.
    """
    with holding(job):
        job_parts(job).delete()
        Job.every.bulk_create(
            Job(
                kind=kind,
                key=f"part {number} of {job.pk}",
                parent=job,
                study=job.study,
                created_by=job.created_by,
                priority=job.priority,
                queue=job.queue,
                parameters=parameters,
            )
            for number, parameters in enumerate(parts)
        )
        for pk in job_parts(job).values_list("pk", flat=True):
            transaction.on_commit(partial(send, pk))


def finish_parts(job: Job, progress: Progress, doing: str) -> None:
    """Do what is left of a job's parts, and wait for what others do of them.

    Parameters
    ----------
    job, progress
    doing
        What is being done, for whoever waits.

    Raises
    ------
    JobError
        If a part failed.
    Cancelled, LeaseLost, Interrupted
        As `Progress.report`.
    """

    def report(*_: object) -> None:
        rows = list(job_parts(job).values_list("state", "parameters__size", "progress__done"))
        done = sum(size if state == "done" else part or 0 for state, size, part in rows)
        progress.report(doing, done=done, total=sum(size for _, size, _ in rows))

    while job_parts(job).active().exists():
        report()
        part = _next(job)
        if part:
            run(part, report)
        else:
            shutting_down.wait(SECONDS_BETWEEN_LOOKS)
    # Parts of a cancelled job are cancelled with it.
    progress.check()
    failed = job_parts(job).filter(state="failed").first()
    if failed:
        raise JobError(failed.error)


def _next(job: Job) -> Job | None:
    # Whoever has the whole may do all of it, whatever queues this process takes jobs from.
    for pk in job_parts(job).claimable().values_list("pk", flat=True)[:3]:
        if part := claim(pk):
            return part
    return None


def job_parts(job: Job) -> JobQuerySet:
    """Return the parts of a job."""
    return Job.every.filter(parent=job)
