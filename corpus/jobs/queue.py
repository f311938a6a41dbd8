"""Asking for jobs, cancelling them and trying them again."""

import logging
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, models, transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from corpus.jobs.fairness import check_waiting, priority_of
from corpus.models import Job, Study
from corpus.models.job import JobQuerySet

logger = logging.getLogger(__name__)

# A queue may be long: a job that was sent is not sent again before it had time to come up.
SECONDS_BEFORE_SENDING_AGAIN = 300


class JobActive(Exception):
    """A job with the same key is waiting or running."""

    def __init__(self, job: Job) -> None:
        super().__init__(f"{job.kind} job {job.pk} is {job.get_state_display()}: wait or cancel it")
        self.job = job


def ask_for_job(
    kind: str, key: str, *, study: Study | None, user: User | None, parameters: dict[str, Any]
) -> Job:
    """Write a job row and, with Redis configured, put its id on the queue.

    Raises
    ------
    JobActive
        If a job with the same key is not finished yet.
    corpus.jobs.fairness.TooManyJobs
        If this person has as many jobs waiting as one may.
    """
    try:
        with transaction.atomic():
            if other := Job.objects.active().filter(key=key).first():
                raise JobActive(other)
            check_waiting(user.pk if user else None)
            job = Job.objects.create(
                kind=kind,
                key=key,
                study=study,
                created_by=user,
                parameters=parameters,
                priority=priority_of(kind, study, user),
            )
    except IntegrityError:
        other = Job.objects.active().filter(key=key).first()
        if other is None:
            raise
        raise JobActive(other) from None
    transaction.on_commit(lambda: send(job.pk))
    return job


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
        return
    silent_from = timezone.now() + timedelta(seconds=SECONDS_BEFORE_SENDING_AGAIN)
    Job.objects.filter(pk=job_id, state="queued").update(lease_until=silent_from)


def send_silent_jobs() -> int:
    """Send every job that was not sent, or whose queue or worker fell silent; return how many."""
    silent = models.Q(lease_until=None) | models.Q(lease_until__lt=timezone.now())
    ids = list(Job.objects.claimable().filter(silent).values_list("pk", flat=True))
    for job_id in ids:
        send(job_id)
    return len(ids)


def cancel(job: Job) -> bool:
    """Cancel a waiting job at once, a running one at its next report; False if it had ended."""
    waiting = Job.objects.filter(pk=job.pk, state="queued").update(
        state="cancelled", cancel_requested=True, finished_at=timezone.now()
    )
    if waiting:
        return True
    return bool(Job.objects.filter(pk=job.pk, state="running").update(cancel_requested=True))


def resume(job: Job) -> bool:
    """Queue a failed or cancelled job again; False if it is in another state.

    Raises
    ------
    JobActive, corpus.jobs.fairness.TooManyJobs
        As `ask_for_job`.
    """
    try:
        with transaction.atomic():
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
    except IntegrityError:
        other = Job.objects.active().filter(key=job.key).first()
        if other is None:
            raise
        raise JobActive(other) from None
    if changed:
        transaction.on_commit(lambda: send(job.pk))
    return bool(changed)


def cancel_all(jobs: JobQuerySet) -> int:
    """Cancel the jobs that wait or run; return how many."""
    return sum(cancel(job) for job in jobs.active())
