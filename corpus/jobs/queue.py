"""Asking for jobs, cancelling them and trying them again."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.module_loading import import_string

from corpus.jobs.fairness import check_waiting, job_priority
from corpus.jobs.registry import heavy_kinds
from corpus.models import Job, Study
from corpus.models.job import JobQuerySet, Queue

logger = logging.getLogger(__name__)


class JobActive(Exception):
    """A job with the same key is waiting or running."""

    def __init__(self, job: Job) -> None:
        super().__init__(f"{job.kind} job {job.pk} is {job.get_state_display()}: wait or cancel it")
        self.job = job


@contextmanager
def only_active(key: str) -> Iterator[None]:
    """Hold a transaction that makes the one active job of a key.

    Raises
    ------
    JobActive
        If there is one already, which the database does not let be doubled.
    """
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        other = Job.objects.active().filter(key=key).first()
        if other is None:
            raise
        raise JobActive(other) from None


def ask_for_job(
    kind: str,
    key: str,
    *,
    study: Study | None,
    user: User | None,
    parameters: dict[str, Any],
    needs_gpu: bool = False,
) -> Job:
    """Write a job row and, with Redis configured, put its id on the queue.

    Raises
    ------
    JobActive
        If a job with the same key is not finished yet.
    corpus.jobs.fairness.TooManyJobs
        If this person has as many jobs waiting as one may.
    """
    with only_active(key):
        if other := Job.objects.active().filter(key=key).first():
            raise JobActive(other)
        check_waiting(user.pk if user else None)
        job = Job.objects.create(
            kind=kind,
            key=key,
            study=study,
            created_by=user,
            parameters=parameters,
            queue=Queue.GPU if needs_gpu else queue_for(kind),
            priority=job_priority(kind, study, user),
        )
    transaction.on_commit(lambda: send(job.pk))
    return job


def queue_for(kind: str) -> Queue:
    """Return the queue of a kind that needs no GPU."""
    return Queue.HEAVY if kind in heavy_kinds else Queue.DEFAULT


def standing_job(
    kind: str, key: str, *, study: Study | None, user: User | None, parameters: dict[str, Any]
) -> Job:
    """Return the job of a key that failed or is under way, else ask for one.

    A page that asks for its job shows the error of a failed one, and no new try at each reload.
    """
    failed = Job.objects.filter(key=key, state="failed").first()
    if failed is not None:
        return failed
    try:
        return ask_for_job(kind, key, study=study, user=user, parameters=parameters)
    except JobActive as error:
        return error.job


def send(job_id: int) -> None:
    """Hand an id to the queue if there is one; the embedded worker looks at the table itself."""
    if not settings.JOB_QUEUE:
        return
    try:
        import_string(settings.JOB_QUEUE)(job_id)
    except Exception:
        # The row is the truth: the sweep sends it again once the broker is back.
        logger.warning("job %s not queued; the sweep will send it again", job_id, exc_info=True)


def send_waiting_jobs(in_queue: int = 0, queue: str = Queue.DEFAULT) -> int:
    """Send ids until a queue holds one for each job of it that can be claimed; return how many.

    An id only says that there is work: those of workers that were killed, and all that a broker
    lost, come again like this. One too many does no harm, as its worker finds nothing to do.
    """
    ids = list(Job.every.claimable().filter(queue=queue).values_list("pk", flat=True)[in_queue:])
    for job_id in ids:
        send(job_id)
    return len(ids)


def cancel(job: Job) -> bool:
    """Cancel a waiting job at once, a running one at its next report; False if it had ended."""
    return _cancelled(Job.every.filter(Q(pk=job.pk) | Q(parent=job.pk)))


def cancel_parts(job: Job) -> None:
    """Cancel what is left of the parts of a job that has ended."""
    _cancelled(Job.every.filter(parent=job))


def _cancelled(jobs: JobQuerySet) -> bool:
    waiting = jobs.filter(state="queued").update(
        state="cancelled", cancel_requested=True, finished_at=timezone.now()
    )
    return bool(jobs.filter(state="running").update(cancel_requested=True) or waiting)


def resume(job: Job) -> bool:
    """Queue a failed or cancelled job again; False if it is in another state.

    Raises
    ------
    JobActive, corpus.jobs.fairness.TooManyJobs
        As `ask_for_job`.
    """
    with only_active(job.key):
        check_waiting(job.created_by_id)
        changed = Job.objects.filter(pk=job.pk, state__in=["failed", "cancelled"]).update(
            state="queued",
            cancel_requested=False,
            attempts=0,
            progress={},
            result={},
            error="",
            finished_at=None,
        )
    if changed:
        transaction.on_commit(lambda: send(job.pk))
    return bool(changed)


def cancel_all(jobs: JobQuerySet) -> int:
    """Cancel the jobs that wait or run; return how many."""
    return sum(cancel(job) for job in jobs.active())
